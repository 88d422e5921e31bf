export { aloneSettings, chargerStateSettings } from './config';
export { authorityChecks } from './handlers/shared/certificates/authorities';
export { createChargerState } from './service';
