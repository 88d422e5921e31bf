import { type Charger } from '@busbar/domain/chargers';
import { awaitsMeter, isOpen, wasRefused, type Session } from '@busbar/domain/sessions';
import { tagKey, type TagVerdict } from '@busbar/domain/tags';
import { commandOfStop, withoutAwaitedStops } from '../shared/awaited';
import { checkTime } from '../shared/clock-check';
import { emitEnded, isEndUnannounced } from '../shared/session-events';
import { frameIfInexact } from '../shared/exact';
import { withReported, type HandlerContext, type Report } from '../../pipeline/contract';
import { hashOf } from '../shared/row-id';
import { authorizationOf, idTagInfo, statusOf } from './id-tag-info';
import { emitMeterValues } from './meter-events';
import { sessionOf } from './meter-values';
import type { CallHandler, RequestOf, ResponseOf } from './route';

type StopTransaction = RequestOf<'StopTransaction'>;

/** A missing reason means Local (OCPP 1.6 6.49). */
const DEFAULT_REASON = 'Local';

/**
 * OCPP 1.6 4.10. Always answered. A stop without a session of this charger is stored as an orphan (rule 56). A second stop
 * changes nothing (rule 58).
 */
export const stopTransaction: CallHandler<'StopTransaction'> = {
  prepare(needs, charger, { payload }) {
    needs.transaction(payload.transactionId);
    if (payload.idTag !== undefined) needs.tag(charger.clientId, tagKey(payload.idTag));
  },
  apply(charger, report, context) {
    const { payload } = report;
    const { at, deviations } = checkTime(payload.timestamp, report.receivedAt);
    const session = sessionOf(charger, context.lookups.sessionOfTransaction(payload.transactionId));
    storeTransactionData(charger, report, session, context);
    if (session === undefined) storeOrphan(charger, report, at, context);
    else if (isOpen(session) || awaitsMeter(session)) stop(charger, session, { report, endTime: at }, context);
    // The row was stored before, and the record was not. A record does not show each session, so the row names the report.
    else if (session.stopReportId === report.id || isEndUnannounced(charger, session)) {
      emitEnded(context.events, session, false);
    }
    const answer = answerOf(charger, report, session, context);
    return { charger: session ? afterStop(charger, session) : charger, answer, deviations };
  },
};

function stop(
  charger: Charger,
  session: Session,
  { report, endTime }: { readonly report: Report<StopTransaction>; readonly endTime: string },
  context: HandlerContext,
): void {
  const { payload } = report;
  const stopCommandId = commandOfStop(charger, session.transactionId, payload.reason);
  const consumptionWh = Math.max(0, payload.meterStop - (session.meterStart ?? 0));
  const stopped = {
    sessionId: session.sessionId,
    state: hasCharged(session, consumptionWh, payload.reason) ? ('ended' as const) : ('refused' as const),
    endTime,
    meterStop: payload.meterStop,
    consumptionWh,
    stopReason: payload.reason ?? DEFAULT_REASON,
    stopReportId: report.id,
    ...(stopCommandId === undefined ? {} : { stopCommandId }),
  };
  context.rows.stops.push(stopped);
  const { state, meterStop, stopReportId } = stopped;
  const known = isOpen(session)
    ? { ...stopped, endedBy: 'charger' as const }
    : { state, meterStop, consumptionWh, stopReportId };
  const ended = { ...session, ...known };
  context.lookups.put(ended);
  emitEnded(context.events, ended, false);
}

/** A charger that stops because of the refusal has not charged, also if its meter counted a little. */
function hasCharged(session: Session, consumptionWh: number, reason: string | undefined): boolean {
  if (!wasRefused(session)) return true;
  return consumptionWh > 0 && (session.state !== 'refused' || reason !== 'DeAuthorized');
}

function storeOrphan(
  charger: Charger,
  report: Report<StopTransaction>,
  endTime: string,
  context: HandlerContext,
): void {
  const { transactionId, meterStop, timestamp, reason } = report.payload;
  context.rows.orphanStops.push({
    orphanId: hashOf(report.incarnationId, 'stop', String(transactionId), timestamp, String(meterStop)),
    chargerId: charger.chargerId,
    incarnationId: charger.incarnationId,
    clientId: charger.clientId,
    transactionId,
    endTime,
    meterStop,
    stopReason: reason ?? DEFAULT_REASON,
    receivedAt: report.receivedAt,
    ...frameIfInexact(report.raw, transactionId),
  });
}

function storeTransactionData(
  charger: Charger,
  report: Report<StopTransaction>,
  session: Session | undefined,
  context: HandlerContext,
): void {
  const { transactionData, transactionId } = report.payload;
  if (transactionData === undefined || transactionData.length === 0) return;
  emitMeterValues(context.events, { transactionId, socketId: session?.socketId ?? null, meterValue: transactionData });
  context.rows.meterValues.push({
    rowId: hashOf(report.incarnationId, 'transactionData', String(transactionId), JSON.stringify(transactionData)),
    chargerId: charger.chargerId,
    incarnationId: charger.incarnationId,
    clientId: charger.clientId,
    socketId: session?.socketId ?? null,
    sessionId: session?.sessionId ?? null,
    receivedAt: report.receivedAt,
    payload: { transactionId, meterValue: transactionData },
    ...frameIfInexact(report.raw, transactionId),
  });
}

/** idTagInfo only where the charger named a tag. A refused tag does not undo the stop. */
function answerOf(
  charger: Charger,
  report: Report<StopTransaction>,
  session: Session | undefined,
  { lookups }: HandlerContext,
): ResponseOf<'StopTransaction'> {
  const { idTag } = report.payload;
  if (idTag === undefined) return {};
  const tag = lookups.tag(charger.clientId, tagKey(idTag));
  const asked = tag === undefined ? askedVerdictOf(session, idTag) : undefined;
  const status = asked === undefined ? authorizationOf(charger, idTag, report.receivedAt, lookups) : statusOf(asked);
  return { idTagInfo: idTagInfo(status, tag) };
}

/** Nobody is asked for a stop. The verdict of the start counts, so that the charger does not remember its tag as unknown. */
function askedVerdictOf(session: Session | undefined, idTag: string): TagVerdict | undefined {
  if (session?.authorizedBy !== 'endpoint' && session?.authorizedBy !== 'fallback') return undefined;
  return session.idTagKey === tagKey(idTag) ? session.verdict : undefined;
}

function afterStop(charger: Charger, session: Session): Charger {
  return withoutAwaitedStops(withoutOngoing(charger, session), session.transactionId);
}

function withoutOngoing(charger: Charger, session: Session): Charger {
  const entries = Object.entries(charger.reported.ongoing);
  const left = entries.filter(([, ongoing]) => ongoing.transactionId !== session.transactionId);
  if (left.length === entries.length) return charger;
  return withReported(charger, { ongoing: Object.fromEntries(left) });
}
