import { type Position } from '@busbar/contracts';
import { type Charger } from '@busbar/domain/chargers';
import { isOpen, type OngoingTransaction, type Session } from '@busbar/domain/sessions';
import { chargingAt, resumeRefused } from '../shared/charging-despite-refusal';
import { statedMsOf } from '../shared/clock-check';
import { frameIfInexact } from '../shared/exact';
import { withReported, type Handler, type HandlerContext } from '../handler';
import { isWithinLimit } from '../shared/row-limit';
import { contentRowId } from '../shared/row-id';

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
      rowId: contentRowId(report, payload, statedMsOf(payload.meterValue[0]?.timestamp)),
      chargerId: charger.chargerId,
      incarnationId: charger.incarnationId,
      clientId: charger.clientId,
      socketId: payload.connectorId,
      sessionId: session?.sessionId ?? null,
      receivedAt: report.receivedAt,
      payload: { ...payload },
      ...frameIfInexact(report.raw, payload.transactionId),
    });
    const isCharging = session !== undefined && isOpen(session) && session.state !== 'superseded';
    return { charger: isCharging ? charging(charger, session, context) : charger };
  },
};

/** Only a session of this very charger: a number that belongs to another's is not believed. */
export function sessionOf(charger: Charger, session: Session | undefined): Session | undefined {
  return session?.incarnationId === charger.incarnationId ? session : undefined;
}

/** A session under way as the record shows it. */
export function ongoingOf(session: Session, position: Position): OngoingTransaction {
  const { socketId, transactionId, sessionId, idTag, startTime, commandId } = session;
  return {
    ...{ socketId, transactionId, sessionId, idTag, startTime, position },
    ...(session.tagReleased === true ? { tagReleased: true } : {}),
    ...(commandId === undefined ? {} : { commandId }),
    ...(session.state === 'refused' ? { refused: true } : {}),
  };
}

/**
 * Values of a session that is under way: the charger charges with it, also where it was refused. One that stands nowhere in
 * the record (its start came through an older connection) is put there.
 */
function charging(charger: Charger, session: Session, context: HandlerContext): Charger {
  const key = String(session.socketId);
  const inRecord = charger.reported.ongoing[key];
  if (inRecord?.sessionId === session.sessionId) return chargingAt(charger, session.socketId, context);
  // Late values of one that was refused do not bring it back beside another.
  if (inRecord !== undefined || !isWithinLimit(charger.reported.ongoing, session.socketId, 1)) return charger;
  const now = session.state === 'refused' ? (resumeRefused(session, context) ?? session) : session;
  const ongoing = ongoingOf(now, context.position);
  return withReported(charger, { ongoing: { ...charger.reported.ongoing, [key]: ongoing } });
}
