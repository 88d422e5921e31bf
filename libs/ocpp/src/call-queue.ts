// Queues our CALLs on one connection: one in flight, the others in a bounded queue (rules 25 to 27). It does no I/O.
import type { CallOutcome } from '@busbar/contracts';
import type { Clock, Timer } from '@busbar/core';
import type { DeviationKind, Tolerance } from './deviation';
import { normalizeErrorCode } from './error-codes';
import { serializeCall, type ErrorFrame, type ResultFrame } from './frame';
import type { Protocol } from './protocol';
import { validateResponse, type Refusal } from './validator';

export interface OutgoingCall {
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The time that the charger may take once the CALL is sent, in milliseconds. */
  readonly timeoutMs: number;
  /** The time that it may wait in the queue before that. The queue's own limit applies too. */
  readonly waitMs?: number | undefined;
}

/**
 * The outcome of a CALL on this connection. `not_here` is for callers that found no connection. An answer has its
 * deviations.
 */
export type CallResult =
  | (Extract<CallOutcome, { readonly outcome: 'answered' }> & { readonly deviations: readonly DeviationKind[] })
  | Exclude<CallOutcome, { readonly outcome: 'answered' | 'not_here' }>;

export interface CallEnd {
  readonly outcome: CallResult;
  /** The frame that was sent; undefined when none was. */
  readonly sent?: string;
}

export interface CallQueueOptions {
  readonly clock: Clock;
  /** Sends one frame. A throw ends that call as disconnected. */
  readonly send: (text: string) => void;
  readonly mintId: () => string;
  readonly protocol: Protocol;
  /** For the charger's answers. */
  readonly tolerance: Tolerance;
  /** Called for an answer that does not fit its schema (rule 117). */
  readonly onInvalidAnswer?: ((id: string, refusal: Refusal) => void) | undefined;
  /** The number of calls that may wait behind the one in flight. */
  readonly maxWaiting: number;
  /** The time that any call may wait before it is sent, in milliseconds. */
  readonly maxWaitMs: number;
}

export interface CallQueue {
  /** Sends when its turn comes. `done` runs exactly once, perhaps before this returns. */
  call(call: OutgoingCall, done: (end: CallEnd) => void): void;
  /** Processes a charger's answer. False when it does not match the CALL in flight (rules 26, 34), which is counted. */
  receive(frame: ResultFrame | ErrorFrame): boolean;
  /** The connection has ended: every call ends as disconnected (rule 27). */
  close(): void;
  state(): CallQueueState;
  /** The CALL in flight. */
  pending(): PendingCall | undefined;
}

export interface PendingCall {
  readonly action: string;
  readonly payload: OutgoingCall['payload'];
}

export interface CallQueueState {
  readonly inFlight: boolean;
  readonly waiting: number;
  /** Answers without a CALL in flight. */
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

interface QueueState {
  readonly options: CallQueueOptions;
  readonly waiting: Waiting[];
  inFlight: InFlight | undefined;
  closed: boolean;
  unmatched: number;
}

/** The calls of one connection; it lives and ends with that connection. */
export function createCallQueue(options: CallQueueOptions): CallQueue {
  const queue: QueueState = { options, waiting: [], inFlight: undefined, closed: false, unmatched: 0 };
  return {
    call: (call, done) => enqueue(queue, { call, done }),
    receive: (frame) => receive(queue, frame),
    close: () => close(queue),
    state: () => ({
      inFlight: queue.inFlight !== undefined,
      waiting: queue.waiting.length,
      unmatched: queue.unmatched,
    }),
    pending: () => queue.inFlight?.call,
  };
}

function enqueue(queue: QueueState, entry: Waiting): void {
  const { clock, maxWaiting, maxWaitMs } = queue.options;
  const mustWait = queue.inFlight !== undefined;
  const isFull = mustWait && queue.waiting.length >= maxWaiting;
  if (queue.closed || isFull) {
    end(entry, { outcome: { outcome: queue.closed ? 'disconnected' : 'busy' } });
    return;
  }
  queue.waiting.push(entry);
  if (!mustWait) sendNext(queue);
  if (queue.waiting.includes(entry)) {
    entry.timer = clock.after(Math.min(maxWaitMs, entry.call.waitMs ?? maxWaitMs), () => {
      expire(queue, entry);
    });
  }
}

function sendNext(queue: QueueState): void {
  // `done` may have called again and so sent already.
  if (queue.inFlight !== undefined) return;
  const next = queue.waiting.shift();
  if (next === undefined) return;
  next.timer?.cancel();
  const id = queue.options.mintId();
  const sent = serializeCall(id, next.call.action, next.call.payload);
  const entry: InFlight = { call: next.call, done: next.done, id, sent };
  queue.inFlight = entry;
  entry.timer = queue.options.clock.after(next.call.timeoutMs, () => endInFlight(queue, { outcome: 'timeout' }));
  try {
    queue.options.send(sent);
  } catch {
    endInFlight(queue, { outcome: 'disconnected' });
  }
}

function receive(queue: QueueState, frame: ResultFrame | ErrorFrame): boolean {
  if (queue.inFlight === undefined || queue.inFlight.id !== frame.id) {
    queue.unmatched += 1;
    return false;
  }
  endInFlight(queue, outcomeOf(queue.inFlight, frame, queue.options));
  return true;
}

function close(queue: QueueState): void {
  if (queue.closed) return;
  queue.closed = true;
  const pending = queue.waiting.splice(0);
  endInFlight(queue, { outcome: 'disconnected' });
  for (const entry of pending) end(entry, { outcome: { outcome: 'disconnected' } });
}

function expire(queue: QueueState, entry: Waiting): void {
  const at = queue.waiting.indexOf(entry);
  if (at < 0) return;
  queue.waiting.splice(at, 1);
  end(entry, { outcome: { outcome: 'busy' } });
}

function endInFlight(queue: QueueState, outcome: CallResult): void {
  const entry = queue.inFlight;
  if (entry === undefined) return;
  queue.inFlight = undefined;
  end(entry, { outcome, sent: entry.sent });
  sendNext(queue);
}

function end(entry: Waiting, how: CallEnd): void {
  entry.timer?.cancel();
  entry.done(how);
}

function outcomeOf({ call, id }: InFlight, frame: ResultFrame | ErrorFrame, options: CallQueueOptions): CallResult {
  const { protocol, tolerance } = options;
  if (frame.type === 'error') {
    const code = normalizeErrorCode(protocol.errorCodes, frame.code);
    return { outcome: 'error', code, description: frame.description };
  }
  const checked = validateResponse(protocol, call.action, frame.payload, tolerance);
  if (!checked.ok) options.onInvalidAnswer?.(id, checked);
  if (!checked.ok) return { outcome: 'invalid_answer', description: checked.description };
  return { outcome: 'answered', payload: checked.payload, deviations: checked.deviations };
}
