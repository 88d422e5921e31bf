import type { CallOutcome } from '@busbar/contracts';
import { type Charger } from '@busbar/domain/chargers';
import { isOpen, type Session } from '@busbar/domain/sessions';
import { tagKey } from '@busbar/domain/tags';
import { awaitStart, awaitStop } from '../shared/awaited';
import { isAfter, withReported, type HandlerContext, type Report } from '../../pipeline/contract';
import { installProfileOfStart } from './charging-profiles';
import { sessionOf } from './meter-values';
import type { OutcomeHandler } from './route';

/**
 * The time before its CALLRESULT in which a charger may have reported the start or stop: some act first and respond
 * then.
 */
const OVERTAKEN_WITHIN_MS = 60_000;

/** The charger may have got the command, and may execute it. */
const UNKNOWN_OUTCOMES: readonly CallOutcome['outcome'][] = ['timeout', 'disconnected', 'invalid_answer'];

/** The result of a RemoteStartTransaction (OCPP 1.6 5.11). Correlates the session that it begins with the command. */
export const remoteStartOutcome: OutcomeHandler<'RemoteStartTransaction'> = {
  prepare(needs, charger, { payload: { request } }) {
    if (request?.chargingProfile !== undefined) needs.deviceStates(charger.chargerId);
    for (const { transactionId } of Object.values(charger.reported.ongoing)) needs.transaction(transactionId);
  },
  apply(charger, report, context) {
    const { commandId, receivedAt } = report;
    const { request, result, status } = report.payload;
    const mayStart = status === 'Accepted' || UNKNOWN_OUTCOMES.includes(result.outcome);
    if (!mayStart || request === undefined || commandId === undefined) return { charger };
    const { idTag, connectorId } = request;
    if (status === 'Accepted') installProfileOfStart(charger, report, context, request);
    const start = { commandId, idTagKey: tagKey(idTag), socketId: connectorId ?? null, at: receivedAt };
    const overtaker = startThatOvertook(charger, report, start, context);
    if (overtaker === undefined) return { charger: awaitStart(charger, start) };
    context.rows.correlations.push({ sessionId: overtaker.sessionId, commandId });
    context.lookups.put({ ...overtaker, commandId, startedBy: 'remote' });
    return { charger: withOngoingCommand(charger, overtaker, commandId) };
  },
};

/** The result of a RemoteStopTransaction (OCPP 1.6 5.12). Correlates the stop that follows with the command. */
export const remoteStopOutcome: OutcomeHandler<'RemoteStopTransaction'> = {
  prepare(needs, _charger, { payload: { request } }) {
    if (request !== undefined) needs.transaction(request.transactionId);
  },
  apply(charger, report, context) {
    const { commandId, receivedAt } = report;
    const { request, status } = report.payload;
    if (request === undefined || status !== 'Accepted' || commandId === undefined) return { charger };
    const { transactionId } = request;
    const session = sessionOf(charger, context.lookups.sessionOfTransaction(transactionId));
    if (session === undefined) return { charger };
    if (isOpen(session)) return { charger: awaitStop(charger, { commandId, transactionId, at: receivedAt }) };
    if (session.stopCommandId === undefined && session.stopReason === 'Remote' && isJust(session.endTime, receivedAt)) {
      context.rows.correlations.push({ sessionId: session.sessionId, stopCommandId: commandId });
      context.lookups.put({ ...session, stopCommandId: commandId });
    }
    return { charger };
  },
};

function withOngoingCommand(charger: Charger, { socketId }: Session, commandId: string): Charger {
  const before = charger.reported.ongoing[String(socketId)];
  if (before === undefined) return charger;
  return withReported(charger, {
    ongoing: { ...charger.reported.ongoing, [String(socketId)]: { ...before, commandId } },
  });
}

/**
 * The session that the charger reported after the command was sent and before its CALLRESULT. Positions decide, except for a
 * start of long ago that is reported just then.
 */
function startThatOvertook(
  charger: Charger,
  report: Report<unknown>,
  { commandId, idTagKey, socketId }: { commandId: string; idTagKey: string; socketId: number | null },
  { lookups, position }: HandlerContext,
): Session | undefined {
  const { order, sentAfter } = report;
  if (sentAfter === undefined) return undefined;
  return Object.values(charger.reported.ongoing)
    .filter((ongoing) => isAfter(position, ongoing.position) && isAfter(ongoing.position, [order, sentAfter]))
    .filter((ongoing) => socketId === null || ongoing.socketId === socketId)
    .map((ongoing) => lookups.sessionOfTransaction(ongoing.transactionId))
    .find(
      (session) =>
        session?.idTagKey === idTagKey &&
        (session.commandId ?? commandId) === commandId &&
        // The clock does not matter where the pending command authorized the start.
        (session.authorizedBy === 'remote_start' || isJust(session.startTime, report.receivedAt)),
    );
}

function isJust(at: string | null, receivedAt: string): boolean {
  return at !== null && Math.abs(Date.parse(receivedAt) - Date.parse(at)) <= OVERTAKEN_WITHIN_MS;
}
