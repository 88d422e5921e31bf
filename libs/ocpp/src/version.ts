/** Known versions by the names of their websocket subprotocols, which settings and records use too. */
export const OCPP_VERSIONS = ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'] as const;
export type OcppVersion = (typeof OCPP_VERSIONS)[number];
