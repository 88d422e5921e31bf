// A charger on a real socket whose every move a test (or the simulator) decides. It speaks OCPP 1.6, or 2.x by `v2`, where the
// subprotocol says so.
import { keepAliveTimers, withDeadline } from '@busbar/core';
import type { RawData } from 'ws';
import { answerTo, defaultAnswers, type Answer, type ChargerAnswer, type Payload } from './charger/charger-answers';
import { chargerMessages } from './charger/charger-messages';
import { chargerMessages2 } from './charger/charger-messages-2';
import { openSocket, type ConnectOptions, type OpeningSocket } from './charger/handshake';
import { eventually } from './eventually';

export interface ScriptedChargerOptions extends ConnectOptions {
  /** By action, over what a plain charger would answer. */
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly callTimeoutMs?: number;
  /** Called for every CALL of the service as it comes. */
  readonly onCall?: (call: ReceivedCall) => void;
  /** Number of frames and CALLs that are recorded. Default 1000. */
  readonly logLength?: number;
}

export type CallResponse = Exclude<ChargerAnswer, { kind: 'silence' }>;

export interface LoggedFrame {
  readonly from: 'charger' | 'service';
  readonly text: string;
}

export interface ReceivedCall {
  readonly messageId: string;
  readonly action: string;
  readonly payload: Payload;
}

export interface CloseEvent {
  readonly code: number;
  readonly reason: string;
}

export interface ScriptedCharger extends ReturnType<typeof chargerMessages> {
  /** The messages of OCPP 2.0.1 and 2.1. */
  readonly v2: ReturnType<typeof chargerMessages2>;
  /** Sends a SEND (2.1), which has no answer. */
  sendUnanswered(action: string, payload: Payload): void;
  /** The subprotocol that the server chose; '' for none. */
  readonly subprotocol: string;
  /** The extensions of the websocket, as the server agreed to them; '' for none. */
  readonly extensions: string;
  /** The local port of its TCP connection: a proxy identifies the connection by it. */
  readonly localPort: number | undefined;
  /** The last frames both ways, oldest first. */
  readonly frames: readonly LoggedFrame[];
  /** The last CALLs of the service, oldest first. */
  readonly received: readonly ReceivedCall[];
  /** Sends a CALL. Rejects when the connection ends first or no answer comes in time. */
  call(action: string, payload: unknown, messageId?: string): Promise<CallResponse>;
  /** As `call`, with the result's payload; rejects on a CALLERROR. */
  ask(action: string, payload: Payload): Promise<Payload>;
  /** Sends a frame unchanged: text as a text frame, bytes as a binary one by default. */
  send(frame: string | Buffer, options?: { readonly binary?: boolean; readonly fin?: boolean }): void;
  /** From now on answers this action so. */
  answer(action: string, answer: Answer): void;
  /** The first CALL of this action that has come, or comes. */
  waitForCall(action: string): Promise<ReceivedCall>;
  ping(): Promise<void>;
  /** Stops and continues reading, as a charger that hangs. */
  pause(): void;
  resume(): void;
  close(code?: number, reason?: string): Promise<CloseEvent>;
  /** Drops the connection without a close frame. */
  terminate(): void;
  /** Undefined while it is open. */
  closed(): CloseEvent | undefined;
  waitForClose(): Promise<CloseEvent>;
  /** Resolves when the connection ends, however long that takes. */
  readonly ended: Promise<CloseEvent>;
}

const LOG_LENGTH = 1000;
const CALL_TIMEOUT_MS = 30_000;
const CLOSE_MS = 20_000;

/** Connects. Rejects with `UpgradeRejected` when the server answers with HTTP instead of an upgrade. */
export async function connectCharger(options: ScriptedChargerOptions): Promise<ScriptedCharger> {
  const opening = openSocket(options);
  const charger = createCharger(opening, options);
  await opening.opened;
  return charger;
}

function createCharger({ socket, localPort }: OpeningSocket, options: ScriptedChargerOptions): ScriptedCharger {
  const answers = new Map<string, Answer>(Object.entries({ ...defaultAnswers, ...options.answers }));
  const frames: LoggedFrame[] = [];
  const received: ReceivedCall[] = [];
  const pending = createPending(options.callTimeoutMs ?? CALL_TIMEOUT_MS);
  const keep = keeper(options.logLength ?? LOG_LENGTH);
  let closed: CloseEvent | undefined;
  let sent = 0;

  const transmit = (text: string): void => {
    keep(frames, { from: 'charger', text });
    socket.send(text);
  };
  const serve = async (call: ReceivedCall): Promise<void> => {
    keep(received, call);
    options.onCall?.(call);
    const answer = await answerTo(answers.get(call.action), call.payload);
    if (answer.kind === 'silence' || closed !== undefined) return;
    transmit(encodeAnswer(call.messageId, answer));
  };
  socket.on('message', (data: RawData) => {
    const text = textOf(data);
    keep(frames, { from: 'service', text });
    const frame = decode(text);
    if (frame.type === 'call') void serve(frame.call);
    else if (frame.type === 'outcome') pending.settle(frame.messageId, frame.outcome);
  });
  // The close reports what is wrong.
  socket.on('error', () => undefined);
  const ended = new Promise<CloseEvent>((resolve) => {
    socket.on('close', (code, reason) => {
      closed = { code, reason: reason.toString('utf8') };
      pending.failAll(`the connection ended with ${String(code)}`);
      resolve(closed);
    });
  });

  const call = (action: string, payload: unknown, messageId = `m-${String((sent += 1))}`): Promise<CallResponse> => {
    if (closed !== undefined) return Promise.reject(new Error('the connection has ended'));
    const outcome = pending.add(messageId);
    transmit(JSON.stringify([2, messageId, action, payload]));
    return outcome;
  };
  const ask = async (action: string, payload: Payload): Promise<Payload> => {
    const outcome = await call(action, payload);
    if (outcome.kind === 'result') return outcome.payload;
    throw new Error(`${action} was answered with ${outcome.code}: ${outcome.description ?? ''}`);
  };

  return {
    ...chargerMessages(ask),
    v2: chargerMessages2(ask),
    sendUnanswered: (action, payload) => transmit(JSON.stringify([6, `s-${String((sent += 1))}`, action, payload])),
    get subprotocol() {
      return socket.protocol;
    },
    get extensions() {
      return socket.extensions;
    },
    get localPort() {
      return localPort();
    },
    frames,
    received,
    call,
    ask,
    send(frame, { binary = typeof frame !== 'string', fin = true } = {}) {
      if (typeof frame === 'string') keep(frames, { from: 'charger', text: frame });
      socket.send(frame, { binary, fin });
    },
    answer: (action, answer) => void answers.set(action, answer),
    waitForCall: (action) => eventually(() => received.find((each) => each.action === action)),
    ping: () =>
      new Promise((resolve) => {
        socket.once('pong', () => resolve());
        socket.ping();
      }),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close(code, reason) {
      socket.close(code, reason);
      return withDeadline(keepAliveTimers, CLOSE_MS, ended, stillOpen);
    },
    terminate: () => socket.terminate(),
    closed: () => closed,
    waitForClose: () => withDeadline(keepAliveTimers, CLOSE_MS, ended, stillOpen),
    ended,
  };
}

interface Pending {
  add(messageId: string): Promise<CallResponse>;
  settle(messageId: string, outcome: CallResponse): void;
  failAll(reason: string): void;
}

function createPending(timeoutMs: number): Pending {
  const waiting = new Map<string, { resolve(outcome: CallResponse): void; reject(error: Error): void }>();
  return {
    add(messageId) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(messageId);
          reject(new Error(`no answer to ${messageId} within ${String(timeoutMs)} ms`));
        }, timeoutMs);
        const settled =
          <T>(settle: (value: T) => void) =>
          (value: T): void => {
            clearTimeout(timer);
            waiting.delete(messageId);
            settle(value);
          };
        waiting.set(messageId, { resolve: settled(resolve), reject: settled(reject) });
      });
    },
    settle: (messageId, outcome) => waiting.get(messageId)?.resolve(outcome),
    failAll(reason) {
      for (const { reject } of [...waiting.values()]) reject(new Error(reason));
    },
  };
}

function stillOpen(ms: number): Error {
  return new Error(`still open after ${String(ms)} ms`);
}

type Frame =
  | { readonly type: 'call'; readonly call: ReceivedCall }
  | { readonly type: 'outcome'; readonly messageId: string; readonly outcome: CallResponse }
  | { readonly type: 'unknown' };

function decode(text: string): Frame {
  const [type, id, first, second, third] = parseArray(text);
  const messageId = String(id);
  if (type === 2) return { type: 'call', call: { messageId, action: String(first), payload: payloadOf(second) } };
  if (type === 3) return { type: 'outcome', messageId, outcome: { kind: 'result', payload: payloadOf(first) } };
  if (type !== 4) return { type: 'unknown' };
  const details = payloadOf(third);
  const outcome: CallResponse = {
    kind: 'error',
    code: String(first),
    description: typeof second === 'string' ? second : '',
    details,
  };
  return { type: 'outcome', messageId, outcome };
}

function encodeAnswer(messageId: string, answer: CallResponse): string {
  if (answer.kind === 'result') return JSON.stringify([3, messageId, answer.payload]);
  return JSON.stringify([4, messageId, answer.code, answer.description ?? '', answer.details ?? {}]);
}

function parseArray(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function payloadOf(value: unknown): Payload {
  return typeof value === 'object' && value !== null ? (value as Payload) : {};
}

function textOf(data: RawData): string {
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.concat([data].flat() as Uint8Array[]).toString('utf8');
}

function keeper(length: number): <T>(list: T[], item: T) => void {
  return (list, item) => {
    list.push(item);
    if (list.length > length) list.shift();
  };
}
