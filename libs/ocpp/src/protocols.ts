import type { Protocol } from './protocol';
import { ocpp16 } from './v16/protocol';
import type * as v201 from './v201/protocol';
import type * as v21 from './v21/protocol';
import type { OcppVersion } from './version';

/**
 * Most preferred first. The schemas of 2.x take megabytes, so a version is loaded when it is first asked for: a process
 * whose chargers speak 1.6 alone never loads them (rule 103).
 */
const LOADERS: Readonly<Record<OcppVersion, () => Protocol>> = {
  /* eslint-disable @typescript-eslint/no-require-imports -- the lookup is synchronous, and an import would load at once */
  'ocpp2.1': () => (require('./v21/protocol') as typeof v21).ocpp21,
  'ocpp2.0.1': () => (require('./v201/protocol') as typeof v201).ocpp201,
  /* eslint-enable @typescript-eslint/no-require-imports */
  'ocpp1.6': () => ocpp16,
};

/** The versions that are loaded with this package. */
export const EAGER_VERSIONS: readonly OcppVersion[] = ['ocpp1.6'];

/** The protocol of a version; undefined for a version that this build does not speak. */
export function protocolOf(version: string): Protocol | undefined {
  return isSupported(version) ? LOADERS[version]() : undefined;
}

/** The versions that this build speaks, most preferred first. Loads none. */
export function supportedVersions(): readonly OcppVersion[] {
  return Object.keys(LOADERS).filter(isSupported);
}

function isSupported(version: string): version is OcppVersion {
  return Object.hasOwn(LOADERS, version);
}
