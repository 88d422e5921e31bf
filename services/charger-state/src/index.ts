export { aloneSettings, chargerStateSettings } from './config';
export type { ChargerStateSettings } from './config';
export { createChargerState } from './service';
export type { ChargerStateDeps } from './service';
