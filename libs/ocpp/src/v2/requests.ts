// Reads and makes the few CALLs that have an effect beyond the charger.
import type { PendingStart } from '@busbar/contracts';
import { ALL_SOCKETS, NO_SOCKETS, type ActionCall, type Protocol, type TransactionChange } from '../protocol';
import type { V2Action, V2Requests } from './payloads';
import { placeOfSocket, socketIdOf } from './sockets';

/** Longer than any tag that a charger can start with. */
const MAX_TAG_CHARACTERS = 255;

type Fields = Readonly<Record<string, unknown>>;

/** OCPP 2.0.1, F01. A request names an EVSE; its first connector stands for it. */
export function remoteStartOf({ action, payload }: ActionCall): PendingStart | undefined {
  if (action !== ('RequestStartTransaction' satisfies V2Action)) return undefined;
  const rfidTag = fieldsOf(payload['idToken'])['idToken'];
  if (typeof rfidTag !== 'string' || rfidTag.length > MAX_TAG_CHARACTERS) return undefined;
  const { evseId, remoteStartId } = payload;
  const start = Number.isSafeInteger(remoteStartId) ? { rfidTag, remoteStartId: Number(remoteStartId) } : { rfidTag };
  if (evseId === undefined) return start;
  const socketId = typeof evseId === 'number' ? socketIdOf({ evseId, connectorId: 1 }) : undefined;
  return socketId === undefined ? undefined : { ...start, socketId };
}

/** OCPP 2.0.1, C01 and E01. A token that ends a transaction, and one that the charger vouches for, need no verdict. */
export const tagQuestionOf: Protocol['tagQuestionOf'] = ({ action, payload }) => {
  const { idToken, eventType, triggerReason, timestamp, evse } = fieldsOf(payload);
  const { idToken: rfidTag, type } = fieldsOf(idToken);
  if (typeof rfidTag !== 'string' || UNJUDGED_TYPES.has(type)) return undefined;
  if (action === ('Authorize' satisfies V2Action)) {
    return { action: 'authorize', rfidTag, socketId: null, timestamp: undefined };
  }
  if (action !== ('TransactionEvent' satisfies V2Action)) return undefined;
  if (eventType === 'Ended' || triggerReason === 'StopAuthorized' || typeof timestamp !== 'string') return undefined;
  const { id, connectorId } = fieldsOf(evse);
  const socketId = socketOf({ evseId: id, connectorId: connectorId ?? 1 });
  return { action: 'start', rfidTag, socketId: socketId > 0 ? socketId : null, timestamp };
};

const UNJUDGED_TYPES: ReadonlySet<unknown> = new Set(['NoAuthorization', 'Local']);

/** OCPP 2.0.1, A01: the password is a variable, whose names have no case. */
export const newKeysOf: Protocol['newKeysOf'] = ({ action, payload }) => {
  if (action !== ('SetVariables' satisfies V2Action)) return [];
  const { setVariableData } = payload;
  if (!Array.isArray(setVariableData)) return [];
  return setVariableData.map(fieldsOf).flatMap((variable, at) => {
    if (!isPassword(variable)) return [];
    const { attributeValue: value } = variable;
    return [{ value: typeof value === 'string' ? value : '', path: `/setVariableData/${String(at)}/attributeValue` }];
  });
};

function isPassword({ component, variable }: Fields): boolean {
  return isNamed(component, 'securityctrlr') && isNamed(variable, 'basicauthpassword');
}

function isNamed(of: unknown, lowerCaseName: string): boolean {
  const { name } = fieldsOf(of);
  return typeof name === 'string' && name.toLowerCase() === lowerCaseName;
}

/** OCPP 2.0.1, G01: a status, or 2.1's preferred way, an event of a connector's AvailabilityState. */
export const statusSocketsOf: Protocol['statusSocketsOf'] = ({ action, payload }) => {
  if (action === ('StatusNotification' satisfies V2Action)) return [socketOf(fieldsOf(payload))];
  if (action !== ('NotifyEvent' satisfies V2Action)) return NO_SOCKETS;
  const { eventData } = fieldsOf(payload);
  if (!Array.isArray(eventData)) return NO_SOCKETS;
  return [...new Set(eventData.map(fieldsOf).filter(isAvailability).map(socketOfEvent))];
};

function isAvailability({ component, variable }: Fields): boolean {
  return isNamed(component, 'connector') && isNamed(variable, 'availabilitystate');
}

function socketOfEvent({ component }: Fields): number {
  const { id, connectorId } = fieldsOf(fieldsOf(component)['evse']);
  return socketOf({ evseId: id, connectorId });
}

function socketOf({ evseId, connectorId }: Fields): number {
  if (typeof evseId !== 'number' || typeof connectorId !== 'number') return ALL_SOCKETS;
  if (evseId === 0 || connectorId === 0) return 0;
  return socketIdOf({ evseId, connectorId }) ?? ALL_SOCKETS;
}

/** OCPP 2.0.1, E01 and E06. */
export const transactionChangeOf: Protocol['transactionChangeOf'] = ({ action, payload }) => {
  if (action !== ('TransactionEvent' satisfies V2Action)) return undefined;
  const { eventType, transactionInfo } = fieldsOf(payload);
  const { transactionId } = fieldsOf(transactionInfo);
  const kind = KINDS.get(eventType);
  return kind === undefined || typeof transactionId !== 'string' ? undefined : { kind, transactionId };
};

const KINDS: ReadonlyMap<unknown, TransactionChange['kind']> = new Map([
  ['Started', 'began'],
  ['Ended', 'ended'],
]);

/** OCPP 2.0.1, F06: a status is asked for with its connector. There is no request for the charger itself, and none for all. */
export function refreshCall(socket: number): ActionCall | undefined {
  const place = placeOfSocket(socket);
  if (place === undefined) return undefined;
  const payload: V2Requests['TriggerMessage'] = {
    requestedMessage: 'StatusNotification',
    evse: { id: place.evseId, connectorId: place.connectorId },
  };
  return { action: 'TriggerMessage' satisfies V2Action, payload };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
