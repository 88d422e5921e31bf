import { type Charger } from '@busbar/domain/chargers';
import { isOpen, type Session } from '@busbar/domain/sessions';
import { tagKey } from '@busbar/domain/tags';
import { commandOfStart, withoutAwaitedStart } from '../shared/awaited';
import { hasBootedSince, isSetBackSince } from '../shared/boots';
import { checkTime } from '../shared/clock-check';
import { isAfter, withReported, type HandlerContext, type Report, type StartRefusal } from '../../pipeline/contract';
import { isContested, judgeStart, startVerdictOf } from '../shared/judge-start';
import { emitGivenUp, emitStarted } from '../shared/session-events';
import { hashOf } from '../shared/row-id';
import { isWithinLimit } from '../shared/row-limit';
import { dayOf, isOverStartLimit, withStartCounted, withStartRefused } from '../shared/start-budget';
import { supersedeOngoing } from '../shared/supersede-ongoing';
import { useReservation } from '../shared/use-reservation';
import { ongoingOf } from './meter-values';
import { idTagInfo, statusOf } from './id-tag-info';
import type { CallHandler, RequestOf } from './route';

type StartTransaction = RequestOf<'StartTransaction'>;

/** A start that is reported later than this was made while the charger had no connection. */
const OFFLINE_AFTER_MS = 60_000;

/**
 * OCPP 1.6 4.8. The answer always has a new transaction id, also for a refused tag (rule 53). The same start sent again is the
 * same session (rule 55) and gets the same answer. Beyond the limits of a day there is no answer: the gateway sends a CALLERROR
 * and the charger retries, so that no transaction is lost.
 */
export const startTransaction: CallHandler<'StartTransaction'> = {
  beginsSession: true,
  prepare(needs, charger, { payload, incarnationId, receivedAt }) {
    const key = tagKey(payload.idTag);
    needs.tag(charger.clientId, key);
    needs.ongoingWithTag(charger.clientId, key);
    const isOver = isOverStartLimit(charger, receivedAt, needs.maxStartsPerDay);
    const taker = isOver ? undefined : { clientId: charger.clientId, day: dayOf(receivedAt) };
    needs.start(sessionIdOf(incarnationId, payload), taker);
    // It may be superseded.
    const before = charger.reported.ongoing[String(payload.connectorId)];
    if (before !== undefined) needs.transaction(before.transactionId);
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
    const counted = withStartCounted(charger, session, report.receivedAt);
    supersede(charger, session, context);
    if (counted !== charger) emitStarted(context.events, session);
    // Given up before the record has ever shown it.
    if (counted !== charger && session.state === 'superseded') emitGivenUp(context.events, session);
    if (isContested(session)) context.contested.push(session);
    useReservation(charger, report.payload.reservationId, session, context);
    return {
      charger: withoutAwaitedStart(
        isShown(charger, session, context) ? withOngoing(counted, session, context) : counted,
        session.commandId,
      ),
      answer: {
        transactionId: session.transactionId,
        idTagInfo: idTagInfo(
          statusOf(session.verdict ?? startVerdictOf(session, report, lookups)),
          lookups.tag(charger.clientId, session.idTagKey),
          report.authorization,
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

function judged(
  charger: Charger,
  begun: Session,
  report: Report<StartTransaction>,
  { lookups }: HandlerContext,
): Session {
  const judgement = judgeStart(charger, begun, report, lookups);
  return { ...begun, ...judgement, ...(judgement.verdict === 'accepted' ? {} : { state: 'refused' }) };
}

/** A refused session too: the charger may charge with it all the same. */
function isShown(charger: Charger, session: Session, context: HandlerContext): boolean {
  if (session.state !== 'refused' || !isOpen(session)) return session.state === 'ongoing';
  const now = charger.reported.ongoing[String(session.socketId)];
  // A start that is sent again does not replace a later one.
  const isLater = now !== undefined && now.transactionId > session.transactionId;
  return !isLater && !isStaleStart(charger, session.socketId, context) && !isFreeAgain(charger, session, context);
}

/**
 * Returns whether its socket has been Available since, so no later status may release the tag. That status came through
 * a newer connection, or the charger queued the start while it was offline and was Available after it.
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

/** Reported late, by an older connection, while another transaction has begun at the socket. */
function isStaleStart(charger: Charger, socketId: number, { position }: HandlerContext): boolean {
  const now = charger.reported.ongoing[String(socketId)];
  return now !== undefined && !isAfter(position, now.position);
}

/**
 * A second start at a socket means that the first one's stop was lost. Repeated when the second session is stored already: the
 * process that stored it may have died before this.
 */
function supersede(charger: Charger, session: Session, context: HandlerContext): void {
  const before = charger.reported.ongoing[String(session.socketId)];
  if (before === undefined || before.sessionId === session.sessionId || !isShown(charger, session, context)) return;
  // Transaction ids ascend: a start that is sent again does not end a later session.
  if (before.transactionId <= session.transactionId) supersedeOngoing(before, context);
}

function withOngoing(charger: Charger, session: Session, context: HandlerContext): Charger {
  if (!isWithinLimit(charger.reported.ongoing, session.socketId, 1)) return charger;
  const key = String(session.socketId);
  const now = charger.reported.ongoing[key];
  // A late copy of its start makes it no older than the copy that came before: a late start between them stays behind it.
  const isLateCopy = now?.sessionId === session.sessionId && isAfter(now.position, context.position);
  const ongoing = ongoingOf(session, isLateCopy ? now.position : context.position);
  return withReported(charger, { ongoing: { ...charger.reported.ongoing, [key]: ongoing } });
}
