// TransactionEvents as a session lists them: one row an event, however often it is sent.
import { hash } from 'node:crypto';
import type { Session, TransactionEventRow } from '@busbar/domain/sessions';
import type { CheckedTime } from '../../shared/clock-check';
import { timedRowId } from '../../shared/row-id';
import type { TransactionReport } from './read-event';
import { TYPE_ORDER, type TransactionEvent } from './transaction-facts';

/** The row of an event that belongs to this session. */
export function eventRow(
  { payload, incarnationId, receivedAt }: TransactionReport,
  event: TransactionEvent,
  { statedMs = NaN }: Pick<CheckedTime, 'statedMs'>,
  { sessionId, chargerId, clientId }: Session,
): TransactionEventRow {
  const digest = hash('sha256', [incarnationId, payload.transactionInfo.transactionId, event.content].join('\n'));
  return {
    // Of the charger's own time: the receipt of the same event is another each time.
    rowId: timedRowId(statedMs, `${String(TYPE_ORDER[event.eventType])}${digest}`),
    chargerId,
    incarnationId,
    clientId,
    sessionId,
    receivedAt,
    seqNo: event.seqNo,
    eventType: payload.eventType,
    triggerReason: payload.triggerReason,
    chargingState: event.chargingState ?? null,
    offline: event.offline,
    timestamp: event.timestamp,
  };
}
