// One connection of a simulated charger: frames, its own CALLs one at a time, and the service's CALLs answered.
import { AppError, isAppError, systemClock } from '@busbar/core';
import {
  createCallQueue,
  errorAnswer,
  parseFrame,
  protocolOf,
  serializeError,
  serializeResult,
  STRICT,
  validateRequest,
  type CallFrame,
  type CallResult,
  type Protocol,
} from '@busbar/ocpp';
import { openSocket, type ConnectOptions } from '@busbar/testing';
import type { Version } from './options';

export type Payload = Readonly<Record<string, unknown>>;

/** The reply to a CALL of the service. `then` runs after the answer was sent. */
export interface Reply {
  readonly answer: Payload | 'NotSupported' | 'NotImplemented';
  readonly then?: (() => void | Promise<void>) | undefined;
}

export interface ConnectionEvents {
  /** A valid CALL of the service. */
  readonly onCall: (action: string, payload: Payload) => Reply;
  readonly onFrame: (from: 'charger' | 'service', text: string) => void;
  /** Something failed that no caller waits for. */
  readonly onFailure: (reason: string) => void;
}

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

export interface Connection {
  /** Sends a CALL of the connection's version. */
  call(action: string, payload: Payload): Promise<CallResult>;
  /** Sends a SEND (2.1), which has no answer. Throws `charger_disconnected` where the connection has ended. */
  sendUnanswered(action: string, payload: Payload): void;
  ping(): void;
  /** With a close frame, or without one after some seconds. */
  close(code?: number): Promise<void>;
  /** Cuts the connection without a close frame. */
  terminate(): void;
  readonly ended: Promise<Closed>;
}

export type Connect = (password: string | Buffer | undefined, events: ConnectionEvents) => Promise<Connection>;

const MAX_WAITING = 200;
const MAX_WAIT_MS = 60_000;
const CALL_TIMEOUT_MS = 30_000;
const CLOSE_WITHIN_MS = 2_000;

/** Connects. Rejects with `UpgradeRejected` or the error of the socket. */
export async function openConnection(
  { version, ...options }: Omit<ConnectOptions, 'subprotocols'> & { readonly version: Version },
  events: ConnectionEvents,
): Promise<Connection> {
  const protocol = protocolOf(version);
  if (protocol === undefined) throw new AppError('internal', `This build has no ${version}.`);
  const { socket, opened } = openSocket({ ...options, subprotocols: [version] });
  // The close that follows carries the reason.
  socket.on('error', () => undefined);
  const send = (text: string): void => {
    if (socket.readyState !== socket.OPEN) throw new AppError('charger_disconnected', 'The connection has ended.');
    events.onFrame('charger', text);
    socket.send(text);
  };
  let sent = 0;
  const queue = createCallQueue({
    clock: systemClock,
    send,
    mintId: () => `m-${String((sent += 1))}`,
    protocol,
    tolerance: STRICT,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  });
  socket.on('message', (data) => {
    const text = textOf(data);
    events.onFrame('service', text);
    const frame = parseFrame(text);
    if (frame.type === 'call') serve(frame, { protocol, events, send });
    else if (frame.type === 'result' || frame.type === 'error') queue.receive(frame);
    else events.onFailure('the service sent a frame that is no OCPP message');
  });
  const ended = new Promise<Closed>((resolve) => {
    socket.on('close', (code, reason) => {
      queue.close();
      resolve({ code, reason: reason.toString('utf8') });
    });
  });
  await opened;
  return {
    call: (action, payload) =>
      new Promise((resolve) => {
        queue.call({ action, payload, timeoutMs: CALL_TIMEOUT_MS }, ({ outcome }) => resolve(outcome));
      }),
    sendUnanswered: (action, payload) => send(JSON.stringify([6, `s-${String((sent += 1))}`, action, payload])),
    ping: () => {
      if (socket.readyState === socket.OPEN) socket.ping();
    },
    async close(code = 1000) {
      const cut = setTimeout(() => socket.terminate(), CLOSE_WITHIN_MS);
      socket.close(code);
      await ended;
      clearTimeout(cut);
    },
    terminate: () => socket.terminate(),
    ended,
  };
}

interface Serving {
  readonly protocol: Protocol;
  readonly events: ConnectionEvents;
  readonly send: (text: string) => void;
}

/** Answers a CALL of the service, then runs what follows from it. */
function serve(call: CallFrame, { protocol, events, send }: Serving): void {
  const failed = (error: unknown): void => {
    // The end of the connection is reported by itself.
    if (!isAppError(error, 'charger_disconnected')) events.onFailure(`${call.action}: ${String(error)}`);
  };
  try {
    const reply = replyTo(call, protocol, events);
    send(reply.text);
    void Promise.resolve(reply.then?.()).catch(failed);
  } catch (error) {
    failed(error);
  }
}

function replyTo(
  call: CallFrame,
  protocol: Protocol,
  events: ConnectionEvents,
): { text: string; then?: Reply['then'] } {
  const action = protocol.actions.get(call.action);
  if (action === undefined) return { text: serializeError(call, 'NotImplemented', 'The action is not known.') };
  if (action.from === 'charger') return { text: serializeError(call, 'NotSupported', 'Chargers send this action.') };
  const checked = validateRequest(protocol, call.action, call.payload, STRICT);
  if (!checked.ok) return { text: errorAnswer(protocol, call, checked.situation, checked.description) ?? '' };
  try {
    const { answer, then } = events.onCall(call.action, checked.payload);
    if (typeof answer !== 'string') return { text: serializeResult(call, answer), then };
    return { text: serializeError(call, answer, 'The simulator does not support this action.') };
  } catch (error) {
    events.onFailure(`${call.action}: ${String(error)}`);
    return { text: errorAnswer(protocol, call, 'internal') ?? '' };
  }
}

function textOf(data: Buffer | ArrayBuffer | Buffer[]): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}
