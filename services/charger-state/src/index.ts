export { aloneSettings, chargerStateSettings } from './config';
export { authorityCheck } from './handlers/shared/certificates/authority';
export { createChargerState } from './service';
