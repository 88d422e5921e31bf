// Serves what other services request of this gateway under its current id: commands to chargers, and closing a socket.
import type { Broker, Subscription } from '@busbar/broker';
import {
  channels,
  type CloseConnection,
  type CallOutcome,
  type CommandRequest,
  type ConnectionClosed,
} from '@busbar/contracts';
import type { Logger } from '@busbar/core';
import type { TraceSpan, Tracing } from '@busbar/runtime';
import { storedFrame, oversize, type CallEnd, type CallResult } from '@busbar/ocpp';
import { closeSocket } from '../connection/close';
import type { Connection } from '../connection/connection';
import type { Registry } from '../connection/registry';
import type { ReportPublisher } from '../connection/report-publisher';

export interface CommandsDeps {
  readonly broker: Broker;
  readonly registry: Registry;
  readonly publisher: Pick<ReportPublisher, 'publish'>;
  readonly logger: Logger;
  readonly tracing?: Tracing | undefined;
}

/** Serves commands and close requests for one gateway id until its subscription is closed. */
export async function serveCommands(gatewayId: string, deps: CommandsDeps): Promise<Subscription> {
  const subscriptions = await Promise.all([
    deps.broker.respond(channels.commands, gatewayId, (request) => command(deps, request)),
    deps.broker.respond(channels.closings, gatewayId, (request) => Promise.resolve(closeConnection(deps, request))),
  ]);
  return {
    async close() {
      await Promise.all(subscriptions.map((subscription) => subscription.close()));
    },
  };
}

function command(deps: CommandsDeps, request: CommandRequest): Promise<CallOutcome> {
  const { chargerId, commandId, requestId, action } = request;
  const logEnd = ({ outcome }: CallOutcome): void => {
    const fields = { chargerId, commandId, action, outcome };
    deps.logger.info(requestId === undefined ? fields : { ...fields, requestId }, 'a command ended');
  };
  const connection = deps.registry.get(chargerId);
  if (connection?.incarnationId !== request.incarnationId || !fits(connection, request)) {
    logEnd({ outcome: 'not_here' });
    return Promise.resolve({ outcome: 'not_here' });
  }
  return new Promise((resolve) =>
    callCharger(deps, connection, request, (answer) => {
      logEnd(answer);
      resolve(answer);
    }),
  );
}

/**
 * False for a CALL of another version of OCPP: the charger has connected with another one since its sender read the record, which then
 * reads it again.
 */
function fits({ protocol }: Connection, { action }: CommandRequest): boolean {
  return protocol.sent.has(action);
}

export type CallRequest = Pick<CommandRequest, 'commandId' | 'action' | 'payload' | 'timeoutMs'> &
  Partial<Pick<CommandRequest, 'waitMs' | 'requestId'>>;

/** Queues a CALL. Its outcome is published before `done` runs: charger-state alone applies what a command changed. */
export function callCharger(
  { publisher, tracing }: Pick<CommandsDeps, 'publisher' | 'tracing'>,
  connection: Connection,
  request: CallRequest,
  done: (answer: CallOutcome) => void,
): void {
  const { action, payload, timeoutMs, waitMs } = request;
  const call = { action, payload, timeoutMs, ...(waitMs === undefined ? {} : { waitMs }) };
  const span = tracing?.child(`CALL ${action}`, { kind: 'client', attributes: attributesOf(connection, request) });
  connection.calls.call(call, (end) => {
    const answer = outcomeOf(connection, end.outcome);
    span?.end(answer.outcome === 'answered' ? undefined : answer.outcome);
    if (end.sent === undefined) done(answer);
    else publishOutcome(publisher, connection, { request, end, answer, span }, () => done(answer));
  });
}

function attributesOf({ version, chargerId, connectionId }: Connection, { action, commandId }: CallRequest) {
  return {
    'rpc.system': 'ocpp',
    'rpc.method': action,
    'busbar.ocpp.version': version,
    'busbar.charger.id': chargerId,
    'busbar.connection.id': connectionId,
    'busbar.command.id': commandId,
  };
}

interface EndedCommand {
  readonly request: CallRequest;
  readonly end: CallEnd;
  readonly answer: CallOutcome;
  readonly span: TraceSpan | undefined;
}

function publishOutcome(
  publisher: Pick<ReportPublisher, 'publish'>,
  connection: Connection,
  { request, end, answer, span }: EndedCommand,
  done: () => void,
): void {
  const hasResult = ['answered', 'error', 'invalid_answer'].includes(answer.outcome);
  const deviations = end.outcome.outcome === 'answered' ? end.outcome.deviations : [];
  const result = hasResult ? connection.lastResult : '';
  const stored = storedFrame(connection.masker.frame(result), oversize(result));
  const fields = {
    action: request.action,
    messageId: messageIdOf(end.sent ?? ''),
    payload: answer,
    raw: stored.text,
    rawBytes: stored.bytes,
    request: connection.masker.frame(end.sent ?? ''),
    commandId: request.commandId,
    ...(request.requestId === undefined ? {} : { requestId: request.requestId }),
    traceparent: span?.traceparent,
    sentAfter: connection.sentAfter,
    ...(deviations.length === 0 ? {} : { deviations }),
  };
  publisher.publish(connection, 'outcome', fields, done);
}

/** Secrets are masked for the requester too: nobody needs them, and the outcome is stored and shown. */
function outcomeOf({ masker }: Connection, result: CallResult): CallOutcome {
  if (result.outcome === 'answered') return { outcome: 'answered', payload: masker.payload(result.payload) };
  // A charger's CALLERROR may quote the CALL, keys included.
  return 'description' in result ? { ...result, description: masker.payload(result.description) } : result;
}

/** The message id of a CALL of ours. */
function messageIdOf(sent: string): string {
  return /^\[2,"([^"]*)"/.exec(sent)?.[1] ?? '';
}

function closeConnection(deps: CommandsDeps, request: CloseConnection): ConnectionClosed {
  const { chargerId, connectionId, reason } = request;
  const connection = deps.registry.get(chargerId);
  if (connection?.connectionId !== connectionId) return { connectionId, wasOpen: false };
  deps.logger.info({ chargerId, connectionId, reason }, 'closing a socket on request');
  closeSocket(connection, 1000, reason);
  return { connectionId, wasOpen: true };
}
