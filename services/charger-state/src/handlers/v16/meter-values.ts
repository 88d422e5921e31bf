import type { Position } from '@busbar/contracts';
import { type Charger } from '@busbar/domain/chargers';
import { isOpen, type OngoingTransaction, type Session } from '@busbar/domain/sessions';
import { chargingAt, resumeRefused } from '../shared/charging-despite-refusal';
import { statedMsOf } from '../shared/clock-check';
import { frameIfInexact } from '../shared/exact';
import { withReported, type HandlerContext, type Report } from '../../pipeline/contract';
import { emitStarted } from '../shared/session-events';
import { withStartSeen } from '../shared/start-budget';
import { isWithinLimit } from '../shared/row-limit';
import { contentRowId } from '../shared/row-id';
import { emitMeterValues } from './meter-events';
import type { CallHandler } from './route';

/** OCPP 1.6 4.7. Stored exactly as sent, also for an unknown transaction id (rule 57). */
export const meterValues: CallHandler<'MeterValues'> = {
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
    const { transactionId = null, connectorId, meterValue } = payload;
    emitMeterValues(context.events, { transactionId, socketId: connectorId, meterValue });
    const isCharging = session !== undefined && isOpen(session) && session.state !== 'superseded';
    return { charger: isCharging ? charging(charger, report, session, context) : charger };
  },
};

/** Only a session of this charger: the transaction id of another charger's session is ignored. */
export function sessionOf(charger: Charger, session: Session | undefined): Session | undefined {
  return session?.incarnationId === charger.incarnationId ? session : undefined;
}

/** An ongoing session as the record contains it. */
export function ongoingOf(session: Session, position: Position): OngoingTransaction {
  const { socketId, transactionId, sessionId, idTag, startTime, commandId } = session;
  return {
    socketId,
    transactionId,
    sessionId,
    idTag,
    startTime,
    position,
    ...(session.tagReleased === true ? { tagReleased: true } : {}),
    ...(commandId === undefined ? {} : { commandId }),
    ...(session.state === 'refused' ? { refused: true } : {}),
  };
}

/**
 * Values of an ongoing session show that the charger charges with it, also if it was refused. A session that the record lacks
 * (its start came through an older connection) is added.
 */
function charging(
  charger: Charger,
  { receivedAt }: Report<unknown>,
  session: Session,
  context: HandlerContext,
): Charger {
  const key = String(session.socketId);
  const inRecord = charger.reported.ongoing[key];
  if (inRecord?.sessionId === session.sessionId) return chargingAt(charger, session.socketId, context);
  // Late values of a refused session do not restore it beside another.
  if (inRecord !== undefined || !isWithinLimit(charger.reported.ongoing, session.socketId, 1)) return charger;
  const now = session.state === 'refused' ? (resumeRefused(session, context) ?? session) : session;
  const ongoing = ongoingOf(now, context.position);
  const shown = withReported(charger, { ongoing: { ...charger.reported.ongoing, [key]: ongoing } });
  const seen = withStartSeen(shown, now, receivedAt);
  if (seen !== shown) emitStarted(context.events, now);
  return seen;
}
