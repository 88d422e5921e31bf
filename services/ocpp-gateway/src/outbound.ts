// Commands to chargers, and orders to close a socket: what other services ask of this gateway, under its current id.
import type { Broker, Subscription } from '@busbar/broker';
import {
  channels,
  type CloseConnection,
  type CommandAnswer,
  type CommandRequest,
  type ConnectionClosed,
} from '@busbar/contracts';
import type { Logger } from '@busbar/core';
import { maskFrame, type CallEnd, type CallOutcome } from '@busbar/ocpp';
import type { Connection } from './connection';
import type { Publisher } from './publisher';
import type { Registry } from './registry';

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

function command(deps: OutboundDeps, request: CommandRequest): Promise<CommandAnswer> {
  const connection = deps.registry.get(request.chargerId);
  if (connection?.incarnationId !== request.incarnationId) return Promise.resolve({ outcome: 'not_here' });
  return new Promise((resolve) => callCharger(deps.publisher, connection, request, resolve));
}

export type CallRequest = Pick<CommandRequest, 'commandId' | 'action' | 'payload' | 'timeoutMs'> &
  Partial<Pick<CommandRequest, 'waitMs'>>;

/** Makes a CALL in its turn. charger-state learns how it ended before `done` does: it alone applies what a command changed. */
export function callCharger(
  publisher: Pick<Publisher, 'publish'>,
  connection: Connection,
  request: CallRequest,
  done: (answer: CommandAnswer) => void,
): void {
  const { action, payload, timeoutMs, waitMs } = request;
  const call = { action, payload, timeoutMs, ...(waitMs === undefined ? {} : { waitMs }) };
  connection.calls.call(call, (end) => {
    const answer = answerOf(end.outcome);
    if (end.sent === undefined) done(answer);
    else publishOutcome(publisher, connection, { request, end, answer }, () => done(answer));
  });
}

interface EndedCommand {
  readonly request: CallRequest;
  readonly end: CallEnd;
  readonly answer: CommandAnswer;
}

function publishOutcome(
  publisher: Pick<Publisher, 'publish'>,
  connection: Connection,
  { request, end, answer }: EndedCommand,
  done: () => void,
): void {
  const came = ['answered', 'error', 'invalid_answer'].includes(answer.outcome);
  const deviations = end.outcome.outcome === 'answered' ? end.outcome.deviations : [];
  const part = {
    action: request.action,
    messageId: messageIdOf(end.sent ?? ''),
    payload: answer,
    raw: came ? maskFrame(connection.lastResult) : '',
    request: maskFrame(end.sent ?? ''),
    commandId: request.commandId,
    sentAfter: connection.sentAfter,
    ...(deviations.length === 0 ? {} : { deviations }),
  };
  publisher.publish(connection, 'outcome', part, done);
}

function answerOf(outcome: CallOutcome): CommandAnswer {
  if (outcome.outcome !== 'answered') return outcome;
  return { outcome: 'answered', payload: outcome.payload };
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
