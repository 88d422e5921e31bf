import type { Charger, OngoingTransaction, Session, StoredPosition } from '@busbar/domain';
import { frameIfInexact } from '../exact';
import { withReported, type Handler } from '../handler';
import { contentRowId } from '../row-id';

interface MeterValues {
  readonly connectorId: number;
  readonly transactionId?: number;
  readonly meterValue: readonly { readonly timestamp?: string }[];
}

/** OCPP 1.6 4.7. Kept exactly as sent, whatever the transaction id says (rule 57). */
export const meterValues: Handler<MeterValues> = {
  prepare(needs, _charger, { payload }) {
    if (payload.transactionId !== undefined) needs.transaction(payload.transactionId);
  },
  apply(charger, report, context) {
    const { payload } = report;
    const session = sessionOf(charger, context.lookups.sessionOfTransaction(payload.transactionId));
    context.rows.meterValues.push({
      rowId: contentRowId(report, payload, payload.meterValue[0]?.timestamp !== undefined),
      chargerId: charger.chargerId,
      incarnationId: charger.incarnationId,
      clientId: charger.clientId,
      socketId: payload.connectorId,
      sessionId: session?.sessionId ?? null,
      receivedAt: report.receivedAt,
      payload: { ...payload },
      ...frameIfInexact(report.raw, payload.transactionId),
    });
    return { charger: withOngoing(charger, session, context.position) };
  },
};

/** Only a session of this very charger: a number that belongs to another's is not believed. */
export function sessionOf(charger: Charger, session: Session | undefined): Session | undefined {
  return session?.incarnationId === charger.incarnationId ? session : undefined;
}

/** A session under way as the record shows it. */
export function ongoingOf(session: Session, position: StoredPosition): OngoingTransaction {
  const { socketId, transactionId, sessionId, idTag, commandId } = session;
  return { socketId, transactionId, sessionId, idTag, position, ...(commandId === undefined ? {} : { commandId }) };
}

/** A session that is under way but stands nowhere in the record (its start came through an older connection) is put there. */
function withOngoing(
  charger: Charger,
  session: Session | undefined,
  position: Charger['reported']['lastPosition'],
): Charger {
  if (session?.state !== 'ongoing') return charger;
  const key = String(session.socketId);
  if (charger.reported.ongoing[key] !== undefined) return charger;
  return withReported(charger, { ongoing: { ...charger.reported.ongoing, [key]: ongoingOf(session, position) } });
}
