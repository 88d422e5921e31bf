import type { CallOutcome, PendingStart } from '@busbar/contracts';
import { type Charger } from '@busbar/domain/chargers';
import { isOpen, type Session } from '@busbar/domain/sessions';
import { tagKey } from '@busbar/domain/tags';
import { awaitStart, awaitStop } from '../shared/awaited';
import { isAfter, withReported, type Handler, type HandlerContext, type Report } from '../handler';
import { installProfileOfStart } from './charging-profiles';
import { exchangeOf, requestOf } from './exchange';
import { sessionOf } from './meter-values';

/** How long before its answer to our CALL a charger may have told of what came of it: some act first and answer then. */
const OVERTAKEN_WITHIN_MS = 60_000;

/** The charger has the command, and nobody knows whether it does what it says. */
const UNKNOWN_OUTCOMES: readonly CallOutcome['outcome'][] = ['timeout', 'disconnected', 'invalid_answer'];

/** How our RemoteStartTransaction ended (OCPP 1.6 5.11): the session that comes of it is tied to the command. */
export const remoteStartOutcome: Handler<CallOutcome> = {
  prepare(needs, charger, report) {
    if (exchangeOf('RemoteStartTransaction', report)?.request.chargingProfile) needs.deviceStates(charger.chargerId);
    for (const { transactionId } of Object.values(charger.reported.ongoing)) needs.transaction(transactionId);
  },
  apply(charger, report, context) {
    const { commandId, receivedAt } = report;
    const request = requestOf('RemoteStartTransaction', report.request);
    const status = exchangeOf('RemoteStartTransaction', report)?.status;
    const mayStart = status === 'Accepted' || UNKNOWN_OUTCOMES.includes(report.payload.outcome);
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

/** The tag and the socket of a remote start that the charger has not answered yet. */
export function pendingStartOf(
  start: PendingStart | undefined,
): { idTagKey: string; socketId: number | null } | undefined {
  return start && { idTagKey: tagKey(start.idTag), socketId: start.connectorId ?? null };
}

/** How our RemoteStopTransaction ended (OCPP 1.6 5.12): the stop that comes of it is tied to the command. */
export const remoteStopOutcome: Handler<CallOutcome> = {
  prepare(needs, _charger, report) {
    const transactionId = exchangeOf('RemoteStopTransaction', report)?.request.transactionId;
    if (transactionId !== undefined) needs.transaction(transactionId);
  },
  apply(charger, report, context) {
    const { commandId, receivedAt } = report;
    const exchange = exchangeOf('RemoteStopTransaction', report);
    if (exchange?.status !== 'Accepted' || commandId === undefined) return { charger };
    const { transactionId } = exchange.request;
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
 * A session that the charger told of before it answered the command, and after the command was sent to it: one that was under
 * way already did not come of it. No clock decides, but for a start of long ago that is told of just then.
 */
function startThatOvertook(
  charger: Charger,
  report: Report<CallOutcome>,
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
        // A start that the pending order authorized is its own, whatever the charger's clock says.
        (session.authorizedBy === 'remote_start' || isJust(session.startTime, report.receivedAt)),
    );
}

function isJust(at: string | null, receivedAt: string): boolean {
  return at !== null && Math.abs(Date.parse(receivedAt) - Date.parse(at)) <= OVERTAKEN_WITHIN_MS;
}
