export { aloneSettings, drainCheck, drainSettings, gatewaySettings } from './config';
export { createGateway } from './service';
export type { Gateway } from './service';
