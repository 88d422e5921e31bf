// The transactions of a simulated charger that speaks OCPP 2.x: their ids, and the numbers of their events. A message that is sent again
// is the same event.
import type { V16Requests, V2Requests } from '@busbar/ocpp';
import { endOf, meterValuesOf, registerOf, tokenOf } from './messages';

export type TransactionEvent = V2Requests['TransactionEvent'];
type Start = V16Requests['StartTransaction'];
type Stop = V16Requests['StopTransaction'];
type Values = V16Requests['MeterValues'];

export interface Transaction {
  /** What the rest of the charger calls it. */
  readonly number: number;
  readonly id: string;
  seqNo: number;
  chargingState: string;
  /** The one that the last event reported. */
  reportedState: string;
  /** The next event was asked for by TriggerMessage. */
  isTriggered: boolean;
}

const CONNECTED = 'EVConnected';

export type Transactions = ReturnType<typeof createTransactions>;

/** `newId` gives the id of a transaction; `remoteStartOf` the id of the remote start of a tag. */
export function createTransactions(newId: () => string, remoteStartOf: (idTag: string) => number | undefined) {
  /** By socket: the messages of one socket are sent in order. */
  const bySocket = new Map<number, Transaction>();
  let count = 0;
  /** The outbox repeats its first message alone. */
  let last: { readonly message: object; readonly event: TransactionEvent } | undefined;

  const find = (number: number): Transaction | undefined =>
    [...bySocket.values()].find((transaction) => transaction.number === number);
  const once = (message: object, make: () => TransactionEvent): TransactionEvent => {
    if (last?.message !== message) last = { message, event: make() };
    return last.event;
  };
  const next = (transaction: Transaction): number => {
    transaction.seqNo += 1;
    return transaction.seqNo - 1;
  };

  return {
    atSocket: (socketId: number) => bySocket.get(socketId),
    withNumber: find,
    withId: (id: string) => [...bySocket.values()].find((transaction) => transaction.id === id),
    started: (start: Start): TransactionEvent =>
      once(start, () => {
        const { connectorId, idTag, meterStart, timestamp, reservationId } = start;
        const transaction = { number: (count += 1), id: newId(), seqNo: 0, isTriggered: false };
        bySocket.set(connectorId, { ...transaction, chargingState: CONNECTED, reportedState: CONNECTED });
        const remoteStartId = remoteStartOf(idTag);
        return {
          eventType: 'Started',
          timestamp,
          triggerReason: remoteStartId === undefined ? 'Authorized' : 'RemoteStart',
          seqNo: next(bySocket.get(connectorId) as Transaction),
          transactionInfo: {
            transactionId: transaction.id,
            chargingState: CONNECTED,
            ...(remoteStartId === undefined ? {} : { remoteStartId }),
          },
          idToken: tokenOf(idTag),
          evse: { id: connectorId, connectorId: 1 },
          meterValue: registerOf(timestamp, meterStart, 'Transaction.Begin'),
          ...(reservationId === undefined ? {} : { reservationId }),
        };
      }),
    /** Undefined without its transaction. */
    updated(values: Values): TransactionEvent | undefined {
      const transaction = find(values.transactionId ?? 0);
      const [first] = values.meterValue;
      if (transaction === undefined || first === undefined) return undefined;
      return once(values, () => {
        const { id: transactionId, chargingState } = transaction;
        const meterValue = meterValuesOf(values.meterValue);
        const event = {
          eventType: 'Updated',
          timestamp: first.timestamp,
          triggerReason: triggerOf(transaction),
          seqNo: next(transaction),
          transactionInfo: { transactionId, chargingState },
          ...(meterValue.length === 0 ? {} : { meterValue }),
        };
        transaction.reportedState = chargingState;
        transaction.isTriggered = false;
        return event;
      });
    },
    ended(stop: Stop): TransactionEvent | undefined {
      if (last?.message === stop) return last.event;
      const [socketId, transaction] = [...bySocket].find(([, { number }]) => number === stop.transactionId) ?? [];
      if (socketId === undefined || transaction === undefined) return undefined;
      bySocket.delete(socketId);
      return once(stop, () => {
        const { stoppedReason, triggerReason } = endOf(stop.reason);
        return {
          eventType: 'Ended',
          timestamp: stop.timestamp,
          triggerReason,
          seqNo: next(transaction),
          transactionInfo: {
            transactionId: transaction.id,
            chargingState: stop.reason === 'EVDisconnected' ? 'Idle' : CONNECTED,
            stoppedReason,
          },
          ...(stop.idTag === undefined ? {} : { idToken: tokenOf(stop.idTag) }),
          meterValue: registerOf(stop.timestamp, stop.meterStop, 'Transaction.End'),
        };
      });
    },
  };
}

function triggerOf({ isTriggered, chargingState, reportedState }: Transaction): string {
  if (isTriggered) return 'Trigger';
  return chargingState === reportedState ? 'MeterValuePeriodic' : 'ChargingStateChanged';
}
