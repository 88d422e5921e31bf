import { type Charger } from '@busbar/domain/chargers';
import { withReservationEnded } from '@busbar/domain/device-state';
import { isOpen, type Session } from '@busbar/domain/sessions';
import { tagKey } from '@busbar/domain/tags';
import { commandOfStart, isOrdered, withoutAwaitedStart } from '../shared/awaited';
import { hasBootedSince, isSetBackSince } from '../boots';
import { checkTime } from '../shared/clock-check';
import { isAfter, withReported, type Handler, type HandlerContext, type Report, type StartRefusal } from '../handler';
import { changeDeviceState } from '../shared/device-state';
import { hashOf } from '../shared/row-id';
import { isWithinLimit } from '../shared/row-limit';
import { dayOf, isOverStartLimit, withStartCounted, withStartRefused } from '../shared/start-budget';
import { ongoingOf } from './meter-values';
import { idTagInfo, startVerdictOf, statusOf } from './id-tag-info';
import { pendingStartOf } from './remote-commands';

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
 * again is the same session (rule 55), and is answered as it was the first time. Beyond the charger's starts of a day, or its
 * client's, it gets no answer: the CALLERROR that the gateway sends then makes the charger retry, so that the transaction is not lost.
 */
export const startTransaction: Handler<StartTransaction> = {
  prepare(needs, charger, { payload, incarnationId, receivedAt }) {
    const key = tagKey(payload.idTag);
    needs.tag(charger.clientId, key);
    needs.ongoingWithTag(charger.clientId, key);
    const isOver = isOverStartLimit(charger, receivedAt, needs.maxStartsPerDay);
    const taker = isOver ? undefined : { clientId: charger.clientId, day: dayOf(receivedAt) };
    needs.start(sessionIdOf(incarnationId, payload), taker);
    if (payload.reservationId !== undefined) needs.deviceStates(charger.chargerId);
  },
  apply(charger, report, context) {
    const { lookups } = context;
    const sessionId = sessionIdOf(report.incarnationId, report.payload);
    const known = lookups.session(sessionId);
    const { at, deviations } = checkTime(report.payload.timestamp, report.receivedAt);
    const transactionId = known?.transactionId ?? newTransactionIdOf(charger, report, sessionId, context);
    if (typeof transactionId === 'string')
      return { charger: withStartRefused(charger, report.receivedAt), startRefused: transactionId, deviations };
    const session = known ?? newSession(charger, report, { sessionId, transactionId, startTime: at }, context);
    if (known === undefined) {
      context.rows.sessions.push(session);
      lookups.put(session);
    }
    supersede(charger, session, context);
    if (isContested(session)) context.contested.push(session);
    useReservation(charger, report.payload.reservationId, session, context);
    return {
      charger: withoutAwaitedStart(
        withStartCounted(
          isShown(charger, session, context) ? withOngoing(charger, session, context) : charger,
          session,
          report.receivedAt,
        ),
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

function newTransactionIdOf(
  charger: Charger,
  { receivedAt }: Report<StartTransaction>,
  sessionId: string,
  { lookups, maxStartsPerDay = 0 }: HandlerContext,
): number | StartRefusal {
  if (isOverStartLimit(charger, receivedAt, maxStartsPerDay)) return 'too_many_starts';
  return lookups.newTransactionId(sessionId) ?? 'out_of_ids';
}

function newSession(
  charger: Charger,
  report: Report<StartTransaction>,
  { sessionId, transactionId, startTime }: Pick<Session, 'sessionId' | 'transactionId' | 'startTime'>,
  context: HandlerContext,
): Session {
  const { payload } = report;
  const begun: Session = {
    sessionId,
    transactionId,
    chargerId: charger.chargerId,
    incarnationId: charger.incarnationId,
    clientId: charger.clientId,
    siteId: charger.registered.siteId,
    socketId: payload.connectorId,
    idTag: payload.idTag,
    idTagKey: tagKey(payload.idTag),
    startTime,
    recordedAt: report.receivedAt,
    meterStart: payload.meterStart,
    startedOffline: Date.parse(report.receivedAt) - Date.parse(startTime) > OFFLINE_AFTER_MS,
    state: isStaleStart(charger, payload.connectorId, context) ? 'superseded' : 'ongoing',
    endTime: null,
    meterStop: null,
    consumptionWh: null,
    stopReason: null,
    startedBy: 'local',
  };
  const judgement = judged(charger, begun, report, context);
  const isReleased = judgement.state === 'ongoing' && isFreeAgain(charger, judgement, context);
  const session: Session = isReleased ? { ...judgement, tagReleased: true } : judgement;
  const commandId = commandOfStart(charger, session, report.receivedAt);
  return commandId === undefined ? session : { ...session, startedBy: 'remote', commandId };
}

/** A start that the owner ordered is accepted whatever the tag's standing, unless the tag is blocked or expired. */
function judged(
  charger: Charger,
  begun: Session,
  { receivedAt, pendingStart }: Report<StartTransaction>,
  { lookups }: HandlerContext,
): Session {
  const verdict = startVerdictOf(begun, receivedAt, lookups);
  const use = { idTagKey: begun.idTagKey, start: begun, receivedAt, pending: pendingStartOf(pendingStart) };
  if (verdict !== 'blocked' && verdict !== 'expired' && isOrdered(charger, use)) {
    return { ...begun, verdict: 'accepted', authorizedBy: 'remote_start' };
  }
  const isListed = lookups.tag(begun.clientId, begun.idTagKey) !== undefined;
  const authorizedBy = verdict === 'accepted' && !isListed ? 'open' : 'own';
  return { ...begun, verdict, authorizedBy, ...(verdict === 'accepted' ? {} : { state: 'refused' }) };
}

/** Also one that was refused: what the charger does at the socket next may be with it. */
function isShown(charger: Charger, session: Session, context: HandlerContext): boolean {
  if (session.state !== 'refused' || !isOpen(session)) return session.state === 'ongoing';
  const now = charger.reported.ongoing[String(session.socketId)];
  // One that is sent again takes the place of none that came after it.
  const isLater = now !== undefined && now.transactionId > session.transactionId;
  return !isLater && !isStaleStart(charger, session.socketId, context) && !isFreeAgain(charger, session, context);
}

/**
 * Whether its socket has been Available since, so that no status need follow that releases the tag: that status came through a
 * newer connection, or the charger queued the start while it was offline and was Available after it.
 */
function isFreeAgain(charger: Charger, session: Session, { position }: HandlerContext): boolean {
  const status = charger.reported.sockets[String(session.socketId)];
  if (status?.state !== 'Available') return false;
  const { ownAt } = status;
  if (isAfter(status.position, position)) {
    return ownAt === undefined || hasBootedSince(charger, position) || ownAt >= session.startTime;
  }
  if (!session.startedOffline || ownAt === undefined || hasBootedSince(charger, status.position)) return false;
  return (
    ownAt > session.startTime || isSetBackSince(charger, session.startTime, { ...status, ownAt }, session.recordedAt)
  );
}

/**
 * Whether a start elsewhere in the same moment may take the tag from it: what began without a connection keeps its own, and so
 * does what the owner ordered, and one that is sent again when its socket is free already.
 */
function isContested({ verdict, state, startedOffline, authorizedBy, tagReleased }: Session): boolean {
  if (verdict !== 'accepted' || state !== 'ongoing' || tagReleased === true) return false;
  return !startedOffline && authorizedBy !== 'remote_start';
}

/** Told late, by an older connection, of a socket at which another transaction has begun since. */
function isStaleStart(charger: Charger, socketId: number, { position }: HandlerContext): boolean {
  const now = charger.reported.ongoing[String(socketId)];
  return now !== undefined && !isAfter(position, now.position);
}

/**
 * A second start on one socket means that the first one's stop got lost. Also where the second session is in the store already:
 * whoever wrote it may have died before this.
 */
function supersede(charger: Charger, session: Session, context: HandlerContext): void {
  const { rows, lookups } = context;
  const before = charger.reported.ongoing[String(session.socketId)];
  if (before === undefined || before.sessionId === session.sessionId || !isShown(charger, session, context)) return;
  // The numbers are given in the order in which sessions begin: one that is sent again ends none that came after it. One that
  // was refused stays so.
  if (before.transactionId > session.transactionId || before.refused === true) return;
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
  changeDeviceState(charger, context, ({ reservations }) => ({
    reservations: withReservationEnded(reservations, reservationId, used),
  }));
}

function withOngoing(charger: Charger, session: Session, context: HandlerContext): Charger {
  if (!isWithinLimit(charger.reported.ongoing, session.socketId, 1)) return charger;
  const ongoing = ongoingOf(session, context.position);
  return withReported(charger, { ongoing: { ...charger.reported.ongoing, [String(session.socketId)]: ongoing } });
}
