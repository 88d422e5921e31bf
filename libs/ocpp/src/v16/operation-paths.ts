// What OCPP 1.6 calls a field is not what the caller of an operation wrote: the way back from the one to the other, for
// telling him which of his values the version cannot carry. The inverse of `operations.ts`.
import type { OperationName } from '../operations/operation';

type Names = Readonly<Record<string, string>>;

const NAMES: Names = {
  connectorId: 'socketId',
  idTag: 'rfidTag',
  parentIdTag: 'parentRfidTag',
  csChargingProfiles: 'chargingProfile',
  requestedMessage: 'message',
  duration: 'durationS',
  retryInterval: 'retryIntervalS',
  retrieveDate: 'retrieveAt',
  retrieveDateTime: 'retrieveAt',
  installDateTime: 'installAt',
  remoteLocation: 'location',
  oldestTimestamp: 'startTime',
  latestTimestamp: 'stopTime',
  localAuthorizationList: 'tags',
};

const NAMES_IN: Partial<Readonly<Record<OperationName, Names>>> = {
  reserve: { expiryDate: 'expiresAt' },
  sendLocalList: { expiryDate: 'expiringDate' },
  getConfiguration: { key: 'configNames' },
  changeConfiguration: { key: 'configName', value: 'configValue' },
  clearChargingProfile: { id: 'chargingProfileId' },
};

/** Objects that only OCPP has: what is in them stands beside them in an operation. */
const WRAPPERS: ReadonlySet<string> = new Set(['idTagInfo', 'log', 'firmware']);
/** Given as OCPP has it, all the way down. */
const KEPT = 'chargingProfile';

/** `/idTag` of a payload as `/rfidTag` of the operation that it words. */
export function operationPath16(operation: OperationName, path: string): string {
  const names = { ...NAMES, ...NAMES_IN[operation] };
  const segments = path.split('/');
  const kept = segments.findIndex((segment) => (names[segment] ?? segment) === KEPT);
  const ours = segments.map((segment, i) => (kept !== -1 && i > kept ? segment : (names[segment] ?? segment)));
  return ours.filter((segment) => !WRAPPERS.has(segment)).join('/');
}
