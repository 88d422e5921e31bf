// The table of operations in OCPP 2.0.1 and 2.1: socket → EVSE and connector, options → actions. An operation that is absent is
// not built yet.
import { randomInt } from 'node:crypto';
import { given } from '../operations/calls';
import { hasList, type ChargingProfile } from '../operations/charging-profile';
import type { OperationTable } from '../operations/operation';
import type { TriggeredMessage } from '../operations/triggered-message';
import { carriedParent } from '../version';
import {
  call,
  evseIdOf,
  evseOf,
  groupOf,
  issuesOf,
  OWN_TOKEN,
  placeOf,
  profileOf,
  status,
  textOf,
  tokenTypeOf,
} from './operation-parts';
import { certificateOperations, certificatePath } from './certificate-operations';
import { deviceStateOperations } from './device-state-operations';
import { displayOperations, displayPath } from './display-operations';
import { monitoringOperations, monitorPath } from './monitoring-operations';
import { networkPath } from './network-operations';
import { customerPath, reportOperations, reportPath } from './report-operations';
import { transferOperations } from './transfer-operations';
import { variableOperations, variablePath } from './variable-operations';

/** Messages that 2.x names otherwise. */
const RENAMED: Partial<Readonly<Record<TriggeredMessage, string>>> = {
  DiagnosticsStatusNotification: 'LogStatusNotification',
  SignChargePointCertificate: 'SignChargingStationCertificate',
};

const RESETS = { Soft: 'OnIdle', Hard: 'Immediate', ImmediateAndResume: 'ImmediateAndResume' } as const;

/** `remoteStartId` is a signed integer of 32 bits. */
const MAX_REMOTE_START_ID = 2 ** 31 - 1;

export const operations2: OperationTable = {
  ...certificateOperations,
  ...deviceStateOperations,
  ...transferOperations,
  ...variableOperations,
  ...reportOperations,
  ...displayOperations,
  ...monitoringOperations,
  startCharging: ({ socketId, rfidTag, chargingProfile }, { tag }, version) => ({
    ...status('RequestStartTransaction', {
      idToken: { idToken: rfidTag, type: tokenTypeOf(version, tag?.type, OWN_TOKEN) },
      ...groupOf(carriedParent(version, tag?.parentIdTag)),
      remoteStartId: randomInt(1, MAX_REMOTE_START_ID),
      ...evseIdOf(socketId),
      ...given('chargingProfile', chargingProfile && profileOf(chargingProfile)),
    }),
    issues: issuesOf(socketId),
  }),
  stopTransaction: (_input, { deviceTransactionId: transactionId }) =>
    transactionId === undefined ? undefined : status('RequestStopTransaction', { transactionId }),
  getTransactionStatus: ({ transactionId: asked }, { deviceTransactionId: transactionId }) =>
    asked !== undefined && transactionId === undefined
      ? undefined
      : call(
          'GetTransactionStatus',
          given('transactionId', transactionId),
          ({ ongoingIndicator, messagesInQueue }) => ({
            ongoing: ongoingIndicator ?? null,
            messagesInQueue,
          }),
        ),
  updateCost: ({ totalCost }, { deviceTransactionId: transactionId }) =>
    transactionId === undefined
      ? undefined
      : call('CostUpdated', { totalCost, transactionId }, () => ({ status: 'Accepted' })),
  reset: ({ type, socketId }) => ({
    ...status('Reset', { type: RESETS[type], ...evseIdOf(socketId) }),
    issues: issuesOf(socketId),
  }),
  unlock: ({ socketId }) => ({
    ...status('UnlockConnector', placeOf(socketId)),
    issues: issuesOf(socketId),
  }),
  changeAvailability: ({ socketId, evseId, type }) => ({
    ...status('ChangeAvailability', {
      operationalStatus: type,
      ...(evseId === undefined ? evseOf(socketId) : { evse: { id: evseId } }),
    }),
    issues: [
      ...issuesOf(socketId),
      ...(socketId !== undefined && evseId !== undefined ? [{ path: '/evseId', message: 'excludes socketId' }] : []),
    ],
  }),
  triggerMessage: ({ message, socketId, customTrigger }) => ({
    ...status('TriggerMessage', {
      requestedMessage: RENAMED[message] ?? message,
      ...evseOf(socketId),
      ...given('customTrigger', customTrigger),
    }),
    issues: [
      ...issuesOf(socketId),
      // OCPP 2.0.1, F06.FR.12.
      ...(message === 'StatusNotification' && (socketId ?? 0) === 0
        ? [{ path: '/socketId', message: 'names a connector in OCPP 2.x for the message StatusNotification' }]
        : []),
    ],
  }),
  clearCache: () => status('ClearCache', {}),
  transferData: ({ vendorId, messageId, data }) =>
    call('DataTransfer', { vendorId, ...given('messageId', messageId), ...given('data', data) }, (answer) => ({
      status: answer.status,
      data: textOf(answer.data),
    })),
};

/** The path of a field in an operation's input, by its path in the payload. */
export function operationPath2(operation: string, path: string, input: object): string {
  const parts = path.split('/').slice(1);
  const own = PATHS_OF[operation];
  if (own !== undefined) return own(parts);
  const [first = '', second = ''] = parts;
  if (first === 'chargingProfile') return profilePath(parts, input);
  if (NESTED.has(first)) return `/${PATHS[second] ?? second}`;
  return `/${PATHS[first] ?? first}${second === '' || WHOLE.has(first) ? '' : `/${second}`}`;
}

const PATHS_OF: Readonly<Record<string, (parts: readonly string[]) => string>> = {
  changeConfiguration: (parts) => (parts.at(-1) === 'attributeValue' ? '/configValue' : '/configName'),
  getConfiguration: ([, at = '0']) => `/configNames/${at}`,
  getChargingProfiles: ([field = '', ...rest]) =>
    `/${field === 'evseId' ? 'socketId' : [...rest, field].slice(0, 1).join('')}`,
  sendLocalList: listPath,
  getVariables: variablePath,
  setVariables: variablePath,
  installCertificate: certificatePath,
  deleteCertificate: certificatePath,
  listCertificates: certificatePath,
  setNetworkProfile: networkPath,
  requestReport: reportPath,
  customerInformation: customerPath,
  setDisplayMessage: displayPath,
  listDisplayMessages: displayPath,
  clearDisplayMessage: displayPath,
  setMonitors: monitorPath,
  adjustEventStream: (parts) => `/${parts.at(-1) ?? ''}`,
  updateDynamicSchedule: (parts) => `/${parts.at(-1) ?? ''}`,
};

/** Objects of the payload whose fields are fields of the input. */
const NESTED: ReadonlySet<string> = new Set(['log', 'firmware', 'chargingProfileCriteria']);
/** Objects of the payload that are one field of the input. */
const WHOLE: ReadonlySet<string> = new Set(['evse', 'idToken', 'groupIdToken']);

const PATHS: Readonly<Record<string, string>> = {
  evse: 'socketId',
  evseId: 'socketId',
  connectorId: 'socketId',
  operationalStatus: 'type',
  requestedMessage: 'message',
  idToken: 'rfidTag',
  groupIdToken: 'parentRfidTag',
  id: 'reservationId',
  expiryDateTime: 'expiresAt',
  versionNumber: 'listVersion',
  duration: 'durationS',
  remoteLocation: 'location',
  oldestTimestamp: 'startTime',
  latestTimestamp: 'stopTime',
  retryInterval: 'retryIntervalS',
  retrieveDateTime: 'retrieveAt',
  installDateTime: 'installAt',
};

function listPath([list = '', at = '0', field = '', part = '']: readonly string[]): string {
  if (list !== 'localAuthorizationList') return `/${PATHS[list] ?? list}`;
  const named: Readonly<Record<string, string>> = {
    status: 'status',
    cacheExpiryDateTime: 'expiringDate',
    groupIdToken: 'parentRfidTag',
  };
  return `/tags/${at}/${field === 'idTokenInfo' ? (named[part] ?? part) : 'rfidTag'}`;
}

/** Where the input has one schedule and no list, its number in 2.x is none of the input. */
function profilePath(parts: readonly string[], input: { readonly chargingProfile?: ChargingProfile }): string {
  const isOne = input.chargingProfile !== undefined && !hasList(input.chargingProfile);
  const own = parts.flatMap((part, n) => (n === 2 && parts[1] === 'chargingSchedule' && isOne ? [] : [part]));
  return `/${own.map((part, n) => (n === 1 && part === 'id' ? 'chargingProfileId' : part)).join('/')}`;
}
