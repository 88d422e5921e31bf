import { tagKey, withReservationEnded, type Charger, type Session } from '@busbar/domain';
import { commandOfStart, withoutAwaitedStart } from '../awaited';
import { checkTime } from '../clock-check';
import { isAfter, withReported, type Handler, type HandlerContext, type Report } from '../handler';
import { changeHoldings } from '../holdings';
import { hashOf } from '../row-id';
import { hasRoomFor } from '../room';
import { ongoingOf } from './meter-values';
import { idTagInfo, startVerdictOf, statusOf } from './id-tag-info';

interface StartTransaction {
  readonly connectorId: number;
  readonly idTag: string;
  readonly meterStart: number;
  readonly timestamp: string;
  readonly reservationId?: number;
}

/** A start told of later than this after it happened was made while the charger had no connection. */
const OFFLINE_AFTER_MS = 60_000;

/**
 * OCPP 1.6 4.8. Always answered with a real transaction id, whatever the tag's standing (rule 53); the same start sent
 * again is the same session (rule 55), and is answered as it was the first time.
 */
export const startTransaction: Handler<StartTransaction> = {
  prepare(needs, charger, { payload, incarnationId }) {
    const key = tagKey(payload.idTag);
    needs.tag(charger.clientId, key);
    needs.ongoingWithTag(charger.clientId, key);
    needs.start(sessionIdOf(incarnationId, payload));
    if (payload.reservationId !== undefined) needs.holdings(charger.chargerId);
  },
  apply(charger, report, context) {
    const { lookups } = context;
    const sessionId = sessionIdOf(report.incarnationId, report.payload);
    const known = lookups.session(sessionId);
    const { at, deviations } = checkTime(report.payload.timestamp, report.receivedAt);
    const session = known ?? newSession(charger, report, { sessionId, startTime: at }, context);
    if (known === undefined) {
      context.rows.sessions.push(session);
      lookups.put(session);
    }
    supersede(charger, session, context);
    if (isContested(session)) context.contested.push(session);
    useReservation(charger, report.payload.reservationId, session, context);
    return {
      charger: withoutAwaitedStart(
        session.state === 'ongoing' ? withOngoing(charger, session, context) : charger,
        session.commandId,
      ),
      answer: {
        transactionId: session.transactionId,
        idTagInfo: idTagInfo(
          statusOf(session.verdict ?? startVerdictOf(session, report.receivedAt, lookups)),
          lookups.tag(charger.clientId, session.idTagKey),
        ),
      },
      deviations,
    };
  },
};

function sessionIdOf(incarnationId: string, payload: StartTransaction): string {
  const { connectorId, idTag, timestamp, meterStart } = payload;
  return hashOf(incarnationId, 'start', String(connectorId), tagKey(idTag), timestamp, String(meterStart));
}

function newSession(
  charger: Charger,
  report: Report<StartTransaction>,
  { sessionId, startTime }: Pick<Session, 'sessionId' | 'startTime'>,
  context: HandlerContext,
): Session {
  const { payload } = report;
  const begun: Session = {
    sessionId,
    transactionId: context.lookups.newTransactionId(sessionId),
    chargerId: charger.chargerId,
    incarnationId: charger.incarnationId,
    clientId: charger.clientId,
    siteId: charger.registered.siteId,
    socketId: payload.connectorId,
    idTag: payload.idTag,
    idTagKey: tagKey(payload.idTag),
    startTime,
    meterStart: payload.meterStart,
    startedOffline: Date.parse(report.receivedAt) - Date.parse(startTime) > OFFLINE_AFTER_MS,
    state: isOutrun(charger, payload.connectorId, context) ? 'superseded' : 'ongoing',
    endTime: null,
    meterStop: null,
    consumptionWh: null,
    stopReason: null,
    startedBy: 'local',
  };
  const session = { ...begun, verdict: startVerdictOf(begun, report.receivedAt, context.lookups) };
  const commandId = commandOfStart(charger, session, report.receivedAt);
  return commandId === undefined ? session : { ...session, startedBy: 'remote', commandId };
}

/** Whether a start elsewhere in the same moment may take the tag from it: what began without a connection keeps its own. */
function isContested({ verdict, state, startedOffline }: Session): boolean {
  return verdict === 'accepted' && state === 'ongoing' && !startedOffline;
}

/** Told late, by an older connection, of a socket at which another transaction has begun since. */
function isOutrun(charger: Charger, socketId: number, { position }: HandlerContext): boolean {
  const now = charger.reported.ongoing[String(socketId)];
  return now !== undefined && !isAfter(position, now.position);
}

/**
 * A second start on one socket means that the first one's stop got lost. Also where the second session is in the store already:
 * whoever wrote it may have died before this.
 */
function supersede(charger: Charger, session: Session, { rows, lookups }: HandlerContext): void {
  const before = charger.reported.ongoing[String(session.socketId)];
  if (before === undefined || before.sessionId === session.sessionId || session.state !== 'ongoing') return;
  // The numbers are given in the order in which sessions begin: one that is sent again ends none that came after it.
  if (before.transactionId > session.transactionId) return;
  rows.superseded.push(before.sessionId);
  const known = lookups.session(before.sessionId);
  if (known?.state === 'ongoing') lookups.put({ ...known, state: 'superseded' });
}

/** A session that uses a reservation ends it (OCPP 1.6 5.13). */
function useReservation(
  charger: Charger,
  reservationId: number | undefined,
  { transactionId }: Session,
  context: HandlerContext,
): void {
  if (reservationId === undefined) return;
  const used = { end: 'used' as const, transactionId, position: context.position };
  changeHoldings(charger, context, ({ reservations }) => ({
    reservations: withReservationEnded(reservations, reservationId, used),
  }));
}

function withOngoing(charger: Charger, session: Session, context: HandlerContext): Charger {
  if (!hasRoomFor(charger.reported.ongoing, session.socketId, 1)) return charger;
  const ongoing = ongoingOf(session, context.position);
  return withReported(charger, { ongoing: { ...charger.reported.ongoing, [String(session.socketId)]: ongoing } });
}
