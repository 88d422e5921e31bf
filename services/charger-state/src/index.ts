export { aloneSettings, chargerStateSettings } from './config';
export { authorityCheck } from './handlers/v16/certificates/authority';
export { createChargerState } from './service';
