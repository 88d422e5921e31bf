// The table of operations in OCPP 2.0.1 and 2.1: socket → EVSE and connector, options → actions. An operation that is absent is
// not built yet.
import { randomInt } from 'node:crypto';
import type {
  ChargingProfile,
  InputIssue,
  OperationTable,
  Status,
  TriggeredMessage,
  VersionCall,
} from '../operations/operation';
import type { V2Action, V2Requests, V2Responses } from './payloads';
import { placeOfSocket, type ConnectorPlace } from './sockets';

/** Messages that 2.x names otherwise. */
const RENAMED: Partial<Readonly<Record<TriggeredMessage, string>>> = {
  DiagnosticsStatusNotification: 'LogStatusNotification',
  SignChargePointCertificate: 'SignChargingStationCertificate',
};

/** `remoteStartId` is a signed integer of 32 bits. */
const MAX_REMOTE_START_ID = 2 ** 31 - 1;
/** IdTokenEnumType: a token of the service, whatever the reader of the charger. */
const OWN_TOKEN = 'Central';

export const operations2: OperationTable = {
  startCharging: ({ socketId, rfidTag, chargingProfile }) => ({
    ...status('RequestStartTransaction', {
      idToken: { idToken: rfidTag, type: OWN_TOKEN },
      remoteStartId: randomInt(1, MAX_REMOTE_START_ID),
      ...evseIdOf(socketId),
      ...(chargingProfile === undefined ? {} : { chargingProfile: profileOf(chargingProfile) }),
    }),
    issues: issuesOf(socketId),
  }),
  stopTransaction: (_input, { deviceTransactionId: transactionId }) =>
    transactionId === undefined ? undefined : status('RequestStopTransaction', { transactionId }),
  reset: ({ type }) => status('Reset', { type: type === 'Soft' ? 'OnIdle' : 'Immediate' }),
  unlock: ({ socketId }) => ({
    ...status('UnlockConnector', placeOf(socketId)),
    issues: issuesOf(socketId),
  }),
  changeAvailability: ({ socketId, type }) => ({
    ...status('ChangeAvailability', { operationalStatus: type, ...evseOf(socketId) }),
    issues: issuesOf(socketId),
  }),
  triggerMessage: ({ message, socketId }) => ({
    ...status('TriggerMessage', { requestedMessage: RENAMED[message] ?? message, ...evseOf(socketId) }),
    issues: issuesOf(socketId),
  }),
  clearCache: () => status('ClearCache', {}),
  transferData: ({ vendorId, messageId, data }) =>
    call(
      'DataTransfer',
      { vendorId, ...(messageId === undefined ? {} : { messageId }), ...(data === undefined ? {} : { data }) },
      (answer) => ({ status: answer.status, data: textOf(answer.data) }),
    ),
};

/** The path of a field in an operation's input, by its path in the payload. */
export function operationPath2(_operation: string, path: string): string {
  const [first = '', second = ''] = path.split('/').slice(1);
  return `/${PATHS[first] ?? first}${second === '' || first === 'evse' ? '' : `/${second}`}`;
}

const PATHS: Readonly<Record<string, string>> = {
  evse: 'socketId',
  idToken: 'rfidTag',
  evseId: 'socketId',
  connectorId: 'socketId',
  operationalStatus: 'type',
  requestedMessage: 'message',
};

const FIRST_PLACE: ConnectorPlace = { evseId: 1, connectorId: 1 };

/** A number that is no socket has its issue, and any place here. */
function placeOf(socketId: number): ConnectorPlace {
  return placeOfSocket(socketId) ?? FIRST_PLACE;
}

/** Socket 0 or none: the whole charger. */
function evseOf(socketId: number | undefined): Pick<V2Requests['ChangeAvailability'], 'evse'> {
  if (socketId === undefined || socketId === 0) return {};
  const { evseId, connectorId } = placeOf(socketId);
  return { evse: { id: evseId, connectorId } };
}

/** Socket 0 or none: any EVSE. */
function evseIdOf(socketId: number | undefined): { readonly evseId?: number } {
  return socketId === undefined || socketId === 0 ? {} : { evseId: placeOf(socketId).evseId };
}

/** Without its transaction, whose id is the charger's own. */
function profileOf({ chargingProfileId, chargingProfilePurpose, chargingSchedule, ...profile }: ChargingProfile) {
  const { stackLevel, chargingProfileKind, recurrencyKind, validFrom, validTo } = profile;
  const { chargingSchedulePeriod, ...schedule } = chargingSchedule;
  const isOfCharger = chargingProfilePurpose === 'ChargePointMaxProfile';
  return {
    id: chargingProfileId,
    stackLevel,
    chargingProfilePurpose: isOfCharger ? ('ChargingStationMaxProfile' as const) : chargingProfilePurpose,
    chargingProfileKind,
    ...(recurrencyKind === undefined ? {} : { recurrencyKind }),
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validTo === undefined ? {} : { validTo }),
    chargingSchedule: [{ id: 1, ...schedule, chargingSchedulePeriod: [...chargingSchedulePeriod] }],
  };
}

function issuesOf(socketId: number | undefined): InputIssue[] {
  const isSocket = socketId === undefined || socketId === 0 || placeOfSocket(socketId) !== undefined;
  return isSocket ? [] : [{ path: '/socketId', message: 'is not the number of a socket' }];
}

/** Data of 2.x is any JSON. */
function textOf(data: unknown): string | null {
  if (data === undefined || data === null) return null;
  return typeof data === 'string' ? data : JSON.stringify(data);
}

/** The gateway has validated the answer against its schema, so it is of the action's type. */
function call<A extends V2Action, Answer>(
  action: A,
  payload: V2Requests[A],
  read: (answer: V2Responses[A]) => Answer,
): VersionCall<Answer> {
  return { action, payload, read: read as VersionCall<Answer>['read'] };
}

type WithStatus = { [A in V2Action]: V2Responses[A] extends Status ? A : never }[V2Action];

function status<A extends WithStatus>(action: A, payload: V2Requests[A]): VersionCall<Status> {
  return call(action, payload, (answer) => ({ status: answer.status }));
}
