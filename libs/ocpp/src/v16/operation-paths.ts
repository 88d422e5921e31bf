// Maps paths in a payload of OCPP 1.6 to paths in the operation's input, for issues that name the caller's own fields. The
// inverse of `operations.ts`.
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
  installCertificate: { certificateType: 'type' },
  listCertificates: { certificateType: 'type' },
};

/** Objects that only OCPP has: an operation has their fields one level higher. */
const WRAPPERS: ReadonlySet<string> = new Set(['idTagInfo', 'log', 'firmware']);
/** The operation has it unchanged, with all of its fields. */
const KEPT = 'chargingProfile';

/** `/idTag` of a payload as `/rfidTag` of the operation. */
export function operationPath16(operation: OperationName, path: string): string {
  // The caller names it by an id.
  if (operation === 'deleteCertificate') return '/certificateId';
  const names = { ...NAMES, ...NAMES_IN[operation] };
  const segments = path.split('/');
  const kept = segments.findIndex((segment) => (names[segment] ?? segment) === KEPT);
  const ours = segments.map((segment, i) => (kept !== -1 && i > kept ? segment : (names[segment] ?? segment)));
  return ours.filter((segment) => !WRAPPERS.has(segment)).join('/');
}
