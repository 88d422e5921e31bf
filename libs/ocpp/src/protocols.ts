import type { Protocol } from './protocol';
import { ocpp16 } from './v16/protocol';
import type { OcppVersion } from './version';

const PROTOCOLS: readonly Protocol[] = [ocpp16];

/** The protocol of a version; undefined for a version that this build does not speak. */
export function protocolOf(version: string): Protocol | undefined {
  return PROTOCOLS.find((protocol) => protocol.version === version);
}

/** The versions that this build speaks. */
export function supportedVersions(): readonly OcppVersion[] {
  return PROTOCOLS.map((protocol) => protocol.version);
}
