// Our CALLs on one connection: one in flight, the rest in a bounded line (rules 25 to 27). No I/O and no clock of its own.
import type { Clock, Timer } from '@busbar/core';
import type { DeviationKind } from './deviation';
import { serialiseCall, type ErrorFrame, type ResultFrame } from './frame';
import type { Validation } from './validator';

export interface OutgoingCall {
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** How long the charger may take once the CALL is sent, in milliseconds. */
  readonly timeoutMs: number;
}

export type CallOutcome =
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
  readonly outcome: CallOutcome;
  /** The frame that was sent; undefined when none was. */
  readonly sent?: string;
}

export interface CallQueueOptions {
  readonly clock: Clock;
  /** Puts one frame on the socket. A throw counts as a lost connection for that call. */
  readonly send: (text: string) => void;
  readonly mintId: () => string;
  readonly validate: (action: string, payload: unknown) => Validation;
  /** How many calls may wait behind the one in flight. */
  readonly maxWaiting: number;
  /** How long a call may wait before it is sent, in milliseconds. */
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
}

export interface CallQueueState {
  readonly inFlight: boolean;
  readonly waiting: number;
  /** Answers that came too late or to nothing. */
  readonly unmatched: number;
}

interface Entry {
  readonly call: OutgoingCall;
  readonly done: (end: CallEnd) => void;
  timer?: Timer;
}

interface InFlight extends Entry {
  readonly id: string;
  readonly sent: string;
}

/** The calls of one connection; it lives and ends with that connection. */
export function createCallQueue(options: CallQueueOptions): CallQueue {
  const { clock } = options;
  const waiting: Entry[] = [];
  let inFlight: InFlight | undefined;
  let closed = false;
  let unmatched = 0;

  const finish = (entry: Entry, end: CallEnd): void => {
    entry.timer?.cancel();
    entry.done(end);
  };

  const endInFlight = (outcome: CallOutcome): void => {
    const entry = inFlight;
    if (entry === undefined) return;
    inFlight = undefined;
    finish(entry, { outcome, sent: entry.sent });
    sendNext();
  };

  const sendNext = (): void => {
    // `done` may have called again and sent already.
    if (inFlight !== undefined) return;
    const next = waiting.shift();
    if (next === undefined) return;
    next.timer?.cancel();
    const id = options.mintId();
    const sent = serialiseCall(id, next.call.action, next.call.payload);
    const entry: InFlight = { call: next.call, done: next.done, id, sent };
    inFlight = entry;
    try {
      options.send(sent);
    } catch {
      endInFlight({ outcome: 'disconnected' });
      return;
    }
    // The answer, or the end of the connection, may have come from within send.
    if (inFlight !== entry) return;
    entry.timer = clock.after(next.call.timeoutMs, () => endInFlight({ outcome: 'timeout' }));
  };

  const expire = (entry: Entry): void => {
    const at = waiting.indexOf(entry);
    if (at < 0) return;
    waiting.splice(at, 1);
    finish(entry, { outcome: { outcome: 'busy' } });
  };

  return {
    call(call, done) {
      if (closed) return done({ outcome: { outcome: 'disconnected' } });
      if (inFlight !== undefined && waiting.length >= options.maxWaiting) return done({ outcome: { outcome: 'busy' } });
      const entry: Entry = { call, done };
      waiting.push(entry);
      if (inFlight === undefined) sendNext();
      else entry.timer = clock.after(options.maxWaitMs, () => expire(entry));
    },
    receive(frame) {
      if (inFlight === undefined || inFlight.id !== frame.id) {
        unmatched += 1;
        return false;
      }
      endInFlight(outcomeOf(inFlight.call.action, frame, options.validate));
      return true;
    },
    close() {
      if (closed) return;
      closed = true;
      const pending = waiting.splice(0);
      endInFlight({ outcome: 'disconnected' });
      for (const entry of pending) finish(entry, { outcome: { outcome: 'disconnected' } });
    },
    state: () => ({ inFlight: inFlight !== undefined, waiting: waiting.length, unmatched }),
  };
}

function outcomeOf(
  action: string,
  frame: ResultFrame | ErrorFrame,
  validate: CallQueueOptions['validate'],
): CallOutcome {
  if (frame.type === 'error') return { outcome: 'error', code: frame.code, description: frame.description };
  const checked = validate(action, frame.payload);
  if (!checked.ok) return { outcome: 'invalid_answer', description: checked.description };
  return { outcome: 'answered', payload: checked.payload, deviations: checked.deviations };
}
