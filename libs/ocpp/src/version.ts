/** Known versions by the names of their websocket subprotocols, which settings and records use too. */
export const OCPP_VERSIONS = ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'] as const;
export type OcppVersion = (typeof OCPP_VERSIONS)[number];

/** True for exactly the known names: subprotocols are compared with case, and `ocpp2.0.1.1` is unknown (rule 4). */
export function isOcppVersion(name: string): name is OcppVersion {
  return OCPP_VERSIONS.some((version) => version === name);
}
