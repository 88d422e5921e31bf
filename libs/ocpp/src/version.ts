/** A version of OCPP by the name of its websocket subprotocol, which is also how settings and records name it. */
export type OcppVersion = 'ocpp1.6' | 'ocpp2.0.1' | 'ocpp2.1';

const VERSIONS: readonly OcppVersion[] = ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'];

/** True for exactly the known names: subprotocols are compared with case, and `ocpp2.0.1.1` is unknown (rule 4). */
export function isOcppVersion(name: string): name is OcppVersion {
  return VERSIONS.some((version) => version === name);
}
