// Commands to chargers, and orders to close a socket: what other services ask of this gateway, under its current id.
import type { Broker, Subscription } from '@busbar/broker';
import {
  channels,
  COMMAND_VERSION,
  type CloseConnection,
  type CallOutcome,
  type CommandRequest,
  type ConnectionClosed,
} from '@busbar/contracts';
import type { Logger } from '@busbar/core';
import { storedFrame, oversize, type CallEnd, type CallResult } from '@busbar/ocpp';
import type { Connection } from '../connection/connection';
import type { Publisher } from '../uplink/publisher';
import type { Registry } from '../connection/registry';

export interface OutboundDeps {
  readonly broker: Broker;
  readonly registry: Registry;
  readonly publisher: Publisher;
  readonly logger: Logger;
}

/** Serves commands and closings for one gateway id until closed. */
export async function serveOutbound(gatewayId: string, deps: OutboundDeps): Promise<Subscription> {
  const subscriptions = await Promise.all([
    deps.broker.respond(channels.commands, gatewayId, (request) => command(deps, request)),
    deps.broker.respond(channels.closings, gatewayId, (request) => Promise.resolve(closeOne(deps, request))),
  ]);
  return {
    async close() {
      await Promise.all(subscriptions.map((subscription) => subscription.close()));
    },
  };
}

function command(deps: OutboundDeps, request: CommandRequest): Promise<CallOutcome> {
  const { chargerId, commandId, requestId, action } = request;
  const logEnd = ({ outcome }: CallOutcome): void => {
    const fields = { chargerId, commandId, action, outcome };
    deps.logger.info(requestId === undefined ? fields : { ...fields, requestId }, 'a command ended');
  };
  if (request.v > COMMAND_VERSION) {
    const { v } = request;
    deps.logger.warn({ v, commandId, chargerId }, 'a command of a newer version was rejected; upgrade this gateway');
    logEnd({ outcome: 'unsupported_version' });
    return Promise.resolve({ outcome: 'unsupported_version' });
  }
  const connection = deps.registry.get(chargerId);
  if (connection?.incarnationId !== request.incarnationId) {
    logEnd({ outcome: 'not_here' });
    return Promise.resolve({ outcome: 'not_here' });
  }
  return new Promise((resolve) =>
    callCharger(deps.publisher, connection, request, (answer) => {
      logEnd(answer);
      resolve(answer);
    }),
  );
}

export type CallRequest = Pick<CommandRequest, 'commandId' | 'action' | 'payload' | 'timeoutMs'> &
  Partial<Pick<CommandRequest, 'waitMs' | 'requestId'>>;

/** Makes a CALL in its turn. charger-state learns how it ended before `done` does: it alone applies what a command changed. */
export function callCharger(
  publisher: Pick<Publisher, 'publish'>,
  connection: Connection,
  request: CallRequest,
  done: (answer: CallOutcome) => void,
): void {
  const { action, payload, timeoutMs, waitMs } = request;
  const call = { action, payload, timeoutMs, ...(waitMs === undefined ? {} : { waitMs }) };
  connection.calls.call(call, (end) => {
    const answer = answerOf(connection, end.outcome);
    if (end.sent === undefined) done(answer);
    else publishOutcome(publisher, connection, { request, end, answer }, () => done(answer));
  });
}

interface EndedCommand {
  readonly request: CallRequest;
  readonly end: CallEnd;
  readonly answer: CallOutcome;
}

function publishOutcome(
  publisher: Pick<Publisher, 'publish'>,
  connection: Connection,
  { request, end, answer }: EndedCommand,
  done: () => void,
): void {
  const came = ['answered', 'error', 'invalid_answer'].includes(answer.outcome);
  const deviations = end.outcome.outcome === 'answered' ? end.outcome.deviations : [];
  const result = came ? connection.lastResult : '';
  const kept = storedFrame(connection.masker.frame(result), oversize(result));
  const part = {
    action: request.action,
    messageId: messageIdOf(end.sent ?? ''),
    payload: answer,
    raw: kept.text,
    rawBytes: kept.bytes,
    request: connection.masker.frame(end.sent ?? ''),
    commandId: request.commandId,
    ...(request.requestId === undefined ? {} : { requestId: request.requestId }),
    sentAfter: connection.sentAfter,
    ...(deviations.length === 0 ? {} : { deviations }),
  };
  publisher.publish(connection, 'outcome', part, done);
}

/** Without its secrets, for whoever asked too: nobody needs them, and the answer is kept and shown. */
function answerOf({ masker }: Connection, outcome: CallResult): CallOutcome {
  if (outcome.outcome === 'answered') return { outcome: 'answered', payload: masker.payload(outcome.payload) };
  // A charger's CALLERROR may quote what it was sent, keys included.
  return 'description' in outcome ? { ...outcome, description: masker.payload(outcome.description) } : outcome;
}

/** The id of a CALL that we made ourselves. */
function messageIdOf(sent: string): string {
  return /^\[2,"([^"]*)"/.exec(sent)?.[1] ?? '';
}

function closeOne(deps: OutboundDeps, request: CloseConnection): ConnectionClosed {
  const { chargerId, connectionId, reason } = request;
  const connection = deps.registry.get(chargerId);
  if (connection?.connectionId !== connectionId) return { connectionId, wasOpen: false };
  deps.logger.info({ chargerId, connectionId, reason }, 'closing a socket as told');
  closeSoon(connection, 1000, reason);
  return { connectionId, wasOpen: true };
}

/** How long a peer has to end what either side has begun to close before the socket is cut: a half-open one never does. */
export const CLOSE_WITHIN_MS = 2_000;

/** Closes in order, and cuts where the peer does not answer. */
export function closeSoon(connection: Connection, code: number, reason: string): void {
  const { socket } = connection;
  socket.close(code, reason);
  const cut = setTimeout(() => socket.terminate(), CLOSE_WITHIN_MS);
  cut.unref();
  socket.once('close', () => clearTimeout(cut));
}
