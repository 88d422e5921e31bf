// Reads and makes the few CALLs that have an effect beyond the charger.
import type { PendingStart } from '@busbar/contracts';
import { ALL_SOCKETS, NO_SOCKETS, type ActionCall, type Protocol, type TransactionChange } from '../protocol';
import type { V16Action, V16Requests } from './payloads';

/** Longer than any tag that a charger can start with. */
const MAX_TAG_CHARACTERS = 255;
/** The configuration key of the password, whose names have no case (OCPP 1.6, 9). */
const AUTHORIZATION_KEY = 'authorizationkey';

/** OCPP 1.6, 5.11. */
export function remoteStartOf({ action, payload }: ActionCall): PendingStart | undefined {
  if (action !== ('RemoteStartTransaction' satisfies V16Action)) return undefined;
  const { idTag, connectorId } = payload;
  if (typeof idTag !== 'string' || idTag.length > MAX_TAG_CHARACTERS) return undefined;
  if (connectorId === undefined) return { rfidTag: idTag };
  const isSocket = typeof connectorId === 'number' && Number.isInteger(connectorId);
  return isSocket ? { rfidTag: idTag, socketId: connectorId } : undefined;
}

/** OCPP 1.6, 4.1 and 4.8. The payload has passed its schema. */
export const tagQuestionOf: Protocol['tagQuestionOf'] = ({ action, payload }) => {
  switch (action) {
    case 'Authorize' satisfies V16Action: {
      const { idTag } = payload as V16Requests['Authorize'];
      return { action: 'authorize', rfidTag: idTag, socketId: null, timestamp: undefined };
    }
    case 'StartTransaction' satisfies V16Action: {
      const { idTag, connectorId, timestamp } = payload as V16Requests['StartTransaction'];
      return { action: 'start', rfidTag: idTag, socketId: connectorId, timestamp };
    }
    default:
      return undefined;
  }
};

/** OCPP 1.6, 5.3. */
export const newKeysOf: Protocol['newKeysOf'] = ({ action, payload }) => {
  if (action !== ('ChangeConfiguration' satisfies V16Action)) return [];
  const { key, value } = payload;
  if (typeof key !== 'string' || key.toLowerCase() !== AUTHORIZATION_KEY) return [];
  return [{ value: typeof value === 'string' ? value : '', path: '/value' }];
};

/** OCPP 1.6, 4.9. */
export const statusSocketsOf: Protocol['statusSocketsOf'] = ({ action, payload }) => {
  if (action !== ('StatusNotification' satisfies V16Action)) return NO_SOCKETS;
  if (typeof payload !== 'object' || payload === null || !('connectorId' in payload)) return [ALL_SOCKETS];
  const { connectorId } = payload;
  const isSocket = typeof connectorId === 'number' && Number.isInteger(connectorId) && connectorId >= 0;
  return [isSocket ? connectorId : ALL_SOCKETS];
};

/**
 * OCPP 1.6, 4.8 and 4.10. A start that is refused counts too: the charger stops such a transaction with its own message, or charges
 * despite the refusal.
 */
export const transactionChangeOf: Protocol['transactionChangeOf'] = ({ action, payload }, answer) => {
  if (action === ('StartTransaction' satisfies V16Action)) return changeTo('began', answer);
  return action === ('StopTransaction' satisfies V16Action) ? changeTo('ended', payload) : undefined;
};

function changeTo(kind: TransactionChange['kind'], from: unknown): TransactionChange | undefined {
  if (typeof from !== 'object' || from === null || !('transactionId' in from)) return undefined;
  return { kind, transactionId: String(from.transactionId) };
}

/** OCPP 1.6, 5.17. It cannot name connector 0, so a request for the charger itself names none and asks for all. */
export function refreshCall(socket: number): ActionCall {
  const payload: V16Requests['TriggerMessage'] = {
    requestedMessage: 'StatusNotification',
    ...(socket > 0 ? { connectorId: socket } : {}),
  };
  return { action: 'TriggerMessage' satisfies V16Action, payload };
}
