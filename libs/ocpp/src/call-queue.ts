// Our CALLs on one connection: one in flight, the rest in a bounded line (rules 25 to 27). No I/O and no clock of its own.
import type { Clock, Timer } from '@busbar/core';
import type { DeviationKind, Tolerance } from './deviation';
import { normaliseErrorCode } from './error-codes';
import { serialiseCall, type ErrorFrame, type ResultFrame } from './frame';
import type { Protocol } from './protocol';
import { validateResponse } from './validator';

export interface OutgoingCall {
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** How long the charger may take once the CALL is sent, in milliseconds. */
  readonly timeoutMs: number;
  /** How long it may wait in the line before that; never longer than the line's own bound, which holds when this is absent. */
  readonly waitMs?: number | undefined;
}

export type CallResult =
  | {
      readonly outcome: 'answered';
      readonly payload: Readonly<Record<string, unknown>>;
      readonly deviations: readonly DeviationKind[];
    }
  | { readonly outcome: 'error'; readonly code: string; readonly description: string }
  | { readonly outcome: 'invalid_answer'; readonly description: string }
  | { readonly outcome: 'timeout' }
  | { readonly outcome: 'disconnected' }
  /** The line is full, or the wait in it took too long. Never sent. */
  | { readonly outcome: 'busy' };

export interface CallEnd {
  readonly outcome: CallResult;
  /** The frame that was sent; undefined when none was. */
  readonly sent?: string;
}

export interface CallQueueOptions {
  readonly clock: Clock;
  /** Puts one frame on the socket. A throw counts as a lost connection for that call. */
  readonly send: (text: string) => void;
  readonly mintId: () => string;
  readonly protocol: Protocol;
  /** Of the charger's answers. */
  readonly tolerance: Tolerance;
  /** How many calls may wait behind the one in flight. */
  readonly maxWaiting: number;
  /** How long any call may wait before it is sent, in milliseconds. */
  readonly maxWaitMs: number;
}

export interface CallQueue {
  /** Sends when its turn comes. `done` runs exactly once, perhaps before this returns. */
  call(call: OutgoingCall, done: (end: CallEnd) => void): void;
  /** Takes a charger's answer; false when it matches nothing that is pending (rules 26, 34), which is also counted. */
  receive(frame: ResultFrame | ErrorFrame): boolean;
  /** The connection is lost: every call ends as disconnected, at once and for good (rule 27). */
  close(): void;
  state(): CallQueueState;
  /** What was sent and is not answered yet. */
  pending(): PendingCall | undefined;
}

export interface PendingCall {
  readonly action: string;
  readonly payload: OutgoingCall['payload'];
}

export interface CallQueueState {
  readonly inFlight: boolean;
  readonly waiting: number;
  /** Answers that came too late or to nothing. */
  readonly unmatched: number;
}

interface Waiting {
  readonly call: OutgoingCall;
  readonly done: (end: CallEnd) => void;
  timer?: Timer;
}

interface InFlight extends Waiting {
  readonly id: string;
  readonly sent: string;
}

interface Line {
  readonly options: CallQueueOptions;
  readonly waiting: Waiting[];
  inFlight: InFlight | undefined;
  closed: boolean;
  unmatched: number;
}

/** The calls of one connection; it lives and ends with that connection. */
export function createCallQueue(options: CallQueueOptions): CallQueue {
  const line: Line = { options, waiting: [], inFlight: undefined, closed: false, unmatched: 0 };
  return {
    call: (call, done) => enqueue(line, { call, done }),
    receive: (frame) => receive(line, frame),
    close: () => close(line),
    state: () => ({
      inFlight: line.inFlight !== undefined,
      waiting: line.waiting.length,
      unmatched: line.unmatched,
    }),
    pending: () => line.inFlight?.call,
  };
}

function enqueue(line: Line, entry: Waiting): void {
  const { clock, maxWaiting, maxWaitMs } = line.options;
  const mustWait = line.inFlight !== undefined;
  const isFull = mustWait && line.waiting.length >= maxWaiting;
  if (line.closed || isFull) {
    end(entry, { outcome: { outcome: line.closed ? 'disconnected' : 'busy' } });
    return;
  }
  line.waiting.push(entry);
  if (!mustWait) sendNext(line);
  if (line.waiting.includes(entry)) {
    entry.timer = clock.after(Math.min(maxWaitMs, entry.call.waitMs ?? maxWaitMs), () => {
      expire(line, entry);
    });
  }
}

function sendNext(line: Line): void {
  // `done` may have called again and so sent already.
  if (line.inFlight !== undefined) return;
  const next = line.waiting.shift();
  if (next === undefined) return;
  next.timer?.cancel();
  const id = line.options.mintId();
  const sent = serialiseCall(id, next.call.action, next.call.payload);
  const entry: InFlight = { call: next.call, done: next.done, id, sent };
  line.inFlight = entry;
  entry.timer = line.options.clock.after(next.call.timeoutMs, () => endInFlight(line, { outcome: 'timeout' }));
  try {
    line.options.send(sent);
  } catch {
    endInFlight(line, { outcome: 'disconnected' });
  }
}

function receive(line: Line, frame: ResultFrame | ErrorFrame): boolean {
  if (line.inFlight === undefined || line.inFlight.id !== frame.id) {
    line.unmatched += 1;
    return false;
  }
  endInFlight(line, outcomeOf(line.inFlight.call.action, frame, line.options));
  return true;
}

function close(line: Line): void {
  if (line.closed) return;
  line.closed = true;
  const pending = line.waiting.splice(0);
  endInFlight(line, { outcome: 'disconnected' });
  for (const entry of pending) end(entry, { outcome: { outcome: 'disconnected' } });
}

function expire(line: Line, entry: Waiting): void {
  const at = line.waiting.indexOf(entry);
  if (at < 0) return;
  line.waiting.splice(at, 1);
  end(entry, { outcome: { outcome: 'busy' } });
}

function endInFlight(line: Line, outcome: CallResult): void {
  const entry = line.inFlight;
  if (entry === undefined) return;
  line.inFlight = undefined;
  end(entry, { outcome, sent: entry.sent });
  sendNext(line);
}

function end(entry: Waiting, how: CallEnd): void {
  entry.timer?.cancel();
  entry.done(how);
}

function outcomeOf(action: string, frame: ResultFrame | ErrorFrame, options: CallQueueOptions): CallResult {
  const { protocol, tolerance } = options;
  if (frame.type === 'error') {
    const code = normaliseErrorCode(protocol.errorCodes, frame.code);
    return { outcome: 'error', code, description: frame.description };
  }
  const checked = validateResponse(protocol, action, frame.payload, tolerance);
  if (!checked.ok) return { outcome: 'invalid_answer', description: checked.description };
  return { outcome: 'answered', payload: checked.payload, deviations: checked.deviations };
}
