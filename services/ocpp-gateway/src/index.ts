export { aloneSettings, gatewaySettings } from './config';
export type { GatewaySettings } from './config';
export { createGateway } from './service';
export type { Gateway, GatewayDeps } from './service';
