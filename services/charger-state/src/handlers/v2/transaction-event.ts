// TransactionEvent of OCPP 2.x: the only message of a transaction. Its events come in any order and more than once; each is folded into
// the facts of its session.
import { hasSequence } from '@busbar/domain';
import type { Charger } from '@busbar/domain/chargers';
import type { Session } from '@busbar/domain/sessions';
import { tagKey } from '@busbar/domain/tags';
import { socketIdOf } from '@busbar/ocpp';
import type { Handled, HandlerContext, IdTaker, StartRefusal } from '../../pipeline/contract';
import { commandOfStop, commandOfTransaction, withoutAwaitedStart, withoutAwaitedStops } from '../shared/awaited';
import { isContested } from '../shared/judge-start';
import { emitEnded, emitGivenUp, emitStarted } from '../shared/session-events';
import { dayOf, isOverStartLimit, withStartCounted, withStartRefused } from '../shared/start-budget';
import { useReservation } from '../shared/use-reservation';
import { withJoinedState } from './connector-state';
import { idTokenInfo, standingAt } from './id-token-info';
import { storeMeterValues } from './meter-rows';
import type { CallHandler, ResponseOf } from './route';
import { announceEnd, isEndStoredAlone, isOtherEnd, unchanged, type Changed } from './transactions/end-announced';
import { eventRow } from './transactions/event-row';
import { showOngoing } from './transactions/ongoing-sessions';
import { readEvent, type TransactionReport } from './transactions/read-event';
import { putTransaction } from './transactions/put-transaction';
import { hasTag, isTag, verdictOn, withOtherVerdicts, withVerdict } from './transactions/token-verdict';
import { mayBegin, withEvent, type TransactionEvent } from './transactions/transaction-facts';
import {
  causeOfStop,
  factsOf,
  laterSessionIdOf,
  sessionOfEvent,
  stateOf,
  transactionKeyOf,
  withFacts,
  type TransactionSession,
} from './transactions/transaction-session';

/**
 * OCPP 2.0.1, E. What a session stores depends on the set of its events alone (rule 140). An event that came before changes nothing and
 * has the same answer (rule 141).
 */
export const transactionEvent: CallHandler<'TransactionEvent'> = {
  beginsSession: true,
  prepare(needs, charger, report) {
    const { payload, incarnationId } = report;
    const { event } = readEvent(report);
    const key = transactionKeyOf(incarnationId, payload.transactionInfo.transactionId);
    const startTime = event.timestamp;
    needs.deviceTransaction({
      key,
      sessionId: key,
      ...(mayBegin(event) ? { startsAgain: { sessionId: laterSessionIdOf(key, startTime), startTime } } : {}),
      ...(event.eventType === 'Ended' ? { endTime: startTime } : {}),
      taker: takerOf(charger, report, needs.maxStartsPerDay),
    });
    if (event.idToken !== undefined) {
      const idTagKey = tagKey(event.idToken.idToken);
      needs.tag(charger.clientId, idTagKey);
      if (isTag(event.idToken)) needs.ongoingWithTag(charger.clientId, idTagKey);
    }
    // Those that it may supersede, or that superseded it.
    const ongoing = Object.values(charger.reported.ongoing);
    const isShown = ongoing.some(({ device }) => device?.id === payload.transactionInfo.transactionId);
    if (!isShown || event.eventType === 'Started' || event.evse !== undefined) {
      for (const { transactionId } of ongoing) needs.transaction(transactionId);
    }
    if (event.reservationId !== undefined) needs.deviceStates(charger.chargerId);
  },
  apply(charger, report, context) {
    const { event, time } = readEvent(report);
    const known = knownSession(report, event, context);
    const begun = known ?? beginSession(charger, report, event, context);
    if (typeof begun === 'string') {
      const refused = withStartRefused(charger, report.receivedAt);
      return { charger: refused, startRefused: begun, deviations: time.deviations };
    }
    const { session, ends } = afterEvent(charger, begun, { report, event, isNew: known === undefined }, context);
    if (event.idToken !== undefined && hasTag(session) && isContested(session)) context.contested.push(session);
    if (event.eventType === 'Started') useReservation(charger, event.reservationId, session, context);
    const counted = withStartCounted(charger, session, report.receivedAt);
    const isFirst = counted !== charger;
    if (isFirst) emitStarted(context.events, session);
    context.rows.transactionEvents.push(eventRow(report, event, time, session));
    storeValues(charger, report, session, context);
    if (ends) emitEnded(context.events, session, false);
    const shown = showOngoing(counted, session, { isFirst }, context);
    if (shown.isSuperseded) giveUp(session, { isFirst }, context);
    const change = { report, time, content: report.payload };
    const joined = shown.sockets.reduce((each, socketId) => {
      const endedAt = socketId === session.socketId ? (session.endTime ?? undefined) : undefined;
      const hasLeft = socketId === shown.leftSocket;
      return withJoinedState(each, socketId, { ...change, endedAt, hasLeft }, context);
    }, shown.charger);
    return {
      charger: withoutAwaited(joined, session),
      answer: answerOf(charger, report, session, context),
      deviations: [...time.deviations, ...placeDeviations(event), ...reuseDeviations(session, known, event)],
    };
  },
};

/** A session that a later one has superseded. Also where its row was stored so, and the record was not. */
function giveUp(
  session: TransactionSession,
  { isFirst }: { readonly isFirst: boolean },
  context: HandlerContext,
): void {
  if (session.endTime !== null || session.state === 'refused') return;
  const isChange = session.state === 'ongoing';
  if (isChange) putTransaction({ ...session, state: 'superseded' }, { before: session }, context);
  if (isChange || isFirst) emitGivenUp(context.events, session);
}

/**
 * Undefined beyond the charger's limit of the day. An event without a token is a report (rule 128): the gateway has answered it, so that
 * refusing it would lose the session.
 */
function takerOf(charger: Charger, { payload, receivedAt }: TransactionReport, maxPerDay: number): IdTaker | undefined {
  const taker = { clientId: charger.clientId, day: dayOf(receivedAt) };
  if (payload.idToken === undefined) return { ...taker, mayExceed: true };
  return isOverStartLimit(charger, receivedAt, maxPerDay) ? undefined : taker;
}

function knownSession(
  { payload, incarnationId }: TransactionReport,
  event: TransactionEvent,
  { lookups }: HandlerContext,
): TransactionSession | undefined {
  const key = transactionKeyOf(incarnationId, payload.transactionInfo.transactionId);
  return sessionOfEvent(lookups.sessionsOfDevice(key), event);
}

/** A session without facts, or why there can be none. */
function beginSession(
  charger: Charger,
  report: TransactionReport,
  event: TransactionEvent,
  { lookups, maxStartsPerDay = 0 }: HandlerContext,
): TransactionSession | StartRefusal {
  const { transactionId: id } = report.payload.transactionInfo;
  const key = transactionKeyOf(report.incarnationId, id);
  const isReused = lookups.sessionsOfDevice(key).length > 0;
  const sessionId = isReused ? laterSessionIdOf(key, event.timestamp) : key;
  if (takerOf(charger, report, maxStartsPerDay) === undefined) return 'too_many_starts';
  const transactionId = lookups.newTransactionId(sessionId) ?? 'out_of_ids';
  if (typeof transactionId === 'string') return transactionId;
  return {
    sessionId,
    transactionId,
    socketId: 0,
    idTag: '',
    idTagKey: '',
    chargerId: charger.chargerId,
    incarnationId: charger.incarnationId,
    clientId: charger.clientId,
    siteId: charger.registered.siteId,
    startTime: event.timestamp,
    recordedAt: report.receivedAt,
    startedOffline: false,
    state: 'ongoing',
    meterStart: null,
    endTime: null,
    meterStop: null,
    consumptionWh: null,
    stopReason: null,
    startedBy: 'local',
    device: {
      id,
      key,
      evseId: null,
      connectorId: null,
      idTokenType: null,
      chargingState: null,
      timeSpentChargingS: null,
      startKnown: false,
      missingEvents: [],
      facts: undefined,
      revision: 0,
    },
  };
}

interface NewEvent {
  readonly report: TransactionReport;
  readonly event: TransactionEvent;
  readonly isNew: boolean;
}

/** The session with the event, stored where it says anything new. */
function afterEvent(
  charger: Charger,
  before: TransactionSession,
  { report, event, isNew }: NewEvent,
  context: HandlerContext,
): Changed {
  const known = isNew ? undefined : factsOf(before);
  const facts = withEvent(known, event);
  const isUnannounced = isEndStoredAlone(charger, before, report);
  if (facts === known) return isUnannounced ? announceEnd(before, report, context) : unchanged(before, report);
  const folded = withFacts(charger, before, facts);
  const isOtherToken = !isNew && before.idTagKey !== folded.idTagKey;
  const own = withVerdict(charger, withCommands(charger, folded), { report, isOtherToken }, context);
  const judged = withOtherVerdicts(charger, own, { before: isNew ? undefined : before, report }, context);
  const state = stateOf(judged);
  const ends = isUnannounced || isOtherEnd(before, judged);
  const session = { ...judged, state, ...(ends ? { stopReportId: report.id } : {}) };
  putTransaction(session, isNew ? {} : { before }, context);
  return { session, ends };
}

/** The commands that began and ended it. */
function withCommands(charger: Charger, session: TransactionSession): TransactionSession {
  const startedBy =
    session.commandId ?? commandOfTransaction(charger, factsOf(session).remoteStartId?.value, session.device.id);
  const stoppedBy =
    session.stopCommandId ??
    (session.endTime === null ? undefined : commandOfStop(charger, session.transactionId, causeOfStop(session)));
  return {
    ...session,
    ...(startedBy === undefined ? {} : { commandId: startedBy, startedBy: 'remote' as const }),
    ...(stoppedBy === undefined ? {} : { stopCommandId: stoppedBy }),
  };
}

function storeValues(
  charger: Charger,
  report: TransactionReport,
  { socketId, transactionId, sessionId }: Session,
  context: HandlerContext,
): void {
  const { meterValue = [] } = report.payload;
  if (meterValue.length > 0)
    storeMeterValues(charger, report, { socketId, transactionId, sessionId, meterValue }, context);
}

function answerOf(
  charger: Charger,
  report: TransactionReport,
  session: TransactionSession,
  context: HandlerContext,
): ResponseOf<'TransactionEvent'> {
  const { idToken } = report.payload;
  if (idToken === undefined) return {};
  const verdict = verdictOn(idToken, session, () => standingAt(charger, idToken, report, context));
  const tag = context.lookups.tag(charger.clientId, tagKey(idToken.idToken));
  return { idTokenInfo: idTokenInfo(verdict, idToken.type, tag, report) };
}

function withoutAwaited(charger: Charger, session: TransactionSession): Charger {
  // The order still authorizes the token of a session that has none yet.
  const isDone = session.verdict !== undefined || session.endTime !== null;
  const started = isDone ? withoutAwaitedStart(charger, session.commandId) : charger;
  // One of the missing events may yet name the remote stop as its trigger (rule 140).
  const { startKnown, missingEvents } = session.device;
  const mayFollow = session.stopCommandId === undefined && (!startKnown || missingEvents.length > 0);
  return session.endTime === null || mayFollow ? started : withoutAwaitedStops(started, session.transactionId);
}

/** Not of an event that was sent before: it changed nothing. */
function reuseDeviations(
  session: TransactionSession,
  known: TransactionSession | undefined,
  { seqNo }: TransactionEvent,
): Handled['deviations'] & object {
  if (known === undefined) return session.sessionId === session.device.key ? [] : ['reused_transaction_id'];
  // The session is another one too where its end is announced once more.
  const isOther = session.device.facts !== known.device.facts;
  return isOther && hasSequence(factsOf(known).sequences, seqNo) ? ['reused_seq_no'] : [];
}

/** A place beyond 99 has no socket (rule 132). */
function placeDeviations({ evse }: TransactionEvent): Handled['deviations'] & object {
  if (evse === undefined) return [];
  return socketIdOf({ evseId: evse.id, connectorId: evse.connectorId ?? 1 }) === undefined ? ['surplus_connector'] : [];
}
