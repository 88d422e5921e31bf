// The results of remote starts and stops of OCPP 2.x: a session and its end are correlated with the command that caused them.
import type { CallOutcome } from '@busbar/contracts';
import type { AwaitedStart, Charger } from '@busbar/domain/chargers';
import { isOpen, ongoingKey } from '@busbar/domain/sessions';
import { tagKey } from '@busbar/domain/tags';
import { socketIdOf } from '@busbar/ocpp';
import { withReported, type HandlerContext } from '../../pipeline/contract';
import { awaitStart, awaitStop } from '../shared/awaited';
import { installProfileOfStart } from './charging-profiles';
import type { OutcomeHandler, RequestOf } from './route';
import {
  causeOfStop,
  factsOf,
  isTransactionSession,
  transactionKeyOf,
  type TransactionSession,
} from './transactions/transaction-session';

/** The charger may have got the command, and may execute it. */
const UNKNOWN_OUTCOMES: readonly CallOutcome['outcome'][] = ['timeout', 'disconnected', 'invalid_answer'];

/** OCPP 2.0.1, F01 and F02. The session names the `remoteStartId`; some chargers send it before their CALLRESULT. */
export const remoteStartOutcome: OutcomeHandler<'RequestStartTransaction'> = {
  prepare(needs, charger, { payload: { request } }) {
    if (request?.chargingProfile !== undefined) needs.deviceStates(charger.chargerId);
    for (const { transactionId } of Object.values(charger.reported.ongoing)) needs.transaction(transactionId);
  },
  apply(charger, report, context) {
    const { commandId, receivedAt } = report;
    const { request, result, status, response } = report.payload;
    const mayStart = status === 'Accepted' || UNKNOWN_OUTCOMES.includes(result.outcome);
    if (!mayStart || request === undefined || commandId === undefined) return { charger };
    if (status === 'Accepted') installProfileOfStart(charger, report, context, request);
    const { remoteStartId } = request;
    const begun = begunBy(charger, { commandId, remoteStartId, transactionId: response?.transactionId }, context);
    const start = { commandId, at: receivedAt, ...orderOf(request, response?.transactionId) };
    if (begun === undefined) return { charger: awaitStart(charger, start) };
    context.rows.correlations.push({ sessionId: begun.sessionId, commandId });
    context.lookups.put({ ...begun, commandId, startedBy: 'remote' });
    const correlated = withOngoingCommand(charger, begun, commandId);
    // Its token comes later, and the order authorizes it.
    return { charger: begun.verdict === undefined ? awaitStart(correlated, start) : correlated };
  },
};

function orderOf(
  { remoteStartId, idToken, evseId }: RequestOf<'RequestStartTransaction'>,
  deviceTransactionId: string | undefined,
): Omit<AwaitedStart, 'commandId' | 'at'> {
  const socketId = evseId === undefined ? null : (socketIdOf({ evseId, connectorId: 1 }) ?? null);
  const order = { remoteStartId, idTagKey: tagKey(idToken.idToken), socketId };
  return deviceTransactionId === undefined ? order : { ...order, deviceTransactionId };
}

/** OCPP 2.0.1, F03. */
export const remoteStopOutcome: OutcomeHandler<'RequestStopTransaction'> = {
  prepare(needs, _charger, { payload: { request }, incarnationId }) {
    if (request === undefined) return;
    const key = transactionKeyOf(incarnationId, request.transactionId);
    // It begins no session.
    needs.deviceTransaction({ key, sessionId: key, taker: undefined });
  },
  apply(charger, { payload: { request, status }, incarnationId, commandId, receivedAt }, context) {
    if (request === undefined || status !== 'Accepted' || commandId === undefined) return { charger };
    const sessions = context.lookups.sessionsOfDevice(transactionKeyOf(incarnationId, request.transactionId));
    const session = sessions.filter(isTransactionSession).at(-1);
    if (session === undefined) return { charger };
    const { sessionId, transactionId, stopCommandId } = session;
    if (isOpen(session)) return { charger: awaitStop(charger, { commandId, transactionId, at: receivedAt }) };
    if (stopCommandId === undefined && causeOfStop(session) === 'Remote') {
      context.rows.correlations.push({ sessionId, stopCommandId: commandId });
      context.lookups.put({ ...session, stopCommandId: commandId });
    }
    return { charger };
  },
};

interface Begun {
  readonly commandId: string;
  readonly remoteStartId: number;
  /** Named in the answer where the transaction had begun before it, such as with the cable plugged in. */
  readonly transactionId: string | undefined;
}

function begunBy(
  { reported }: Charger,
  { commandId, remoteStartId, transactionId }: Begun,
  { lookups }: HandlerContext,
): TransactionSession | undefined {
  return Object.values(reported.ongoing)
    .map((ongoing) => lookups.sessionOfTransaction(ongoing.transactionId))
    .filter(isTransactionSession)
    .find(
      (session) =>
        // Its own, where the row was stored before and the record was not.
        (session.commandId ?? commandId) === commandId &&
        (factsOf(session).remoteStartId?.value === remoteStartId || session.device.id === transactionId),
    );
}

function withOngoingCommand(charger: Charger, session: TransactionSession, commandId: string): Charger {
  const key = ongoingKey(session);
  const before = charger.reported.ongoing[key];
  if (before?.sessionId !== session.sessionId) return charger;
  return withReported(charger, { ongoing: { ...charger.reported.ongoing, [key]: { ...before, commandId } } });
}
