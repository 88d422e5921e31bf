// Requests to the engine in flight. Requests of one turn of the event loop are sent together at its end. So one
// partition's batch is written while the next one is being folded.
import { AppError } from '@busbar/core';
import { errorOf } from './error-text';
import type { ReadRequest, Replies, Turn, WriteRequest } from './protocol';

export type Calls = ReturnType<typeof createCalls>;

interface Call {
  readonly weight: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export function createCalls(options: { readonly maxWaiting: number }) {
  const calls = new Map<number, Call>();
  let send: ((turn: Turn) => void) | undefined;
  let writes: [number, WriteRequest][] = [];
  let reads: [number, ReadRequest][] = [];
  let last = 0;
  let weight = 0;
  let scheduled = false;
  let sealed = true;
  /** A write was rejected: later ones of its turn are too, since a turn is atomic. */
  let refusing = false;
  let onQuiet: (() => void)[] = [];

  const flush = (): void => {
    scheduled = false;
    refusing = false;
    if (writes.length + reads.length === 0) return;
    const turn = { writes, reads };
    [writes, reads] = [[], []];
    send?.(turn);
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(flush);
  };
  const add = (callWeight: number, enqueue: (call: number) => void): Promise<unknown> => {
    if (sealed) return Promise.reject(new AppError('unavailable', 'the store is not open'));
    return new Promise((resolve, reject) => {
      last += 1;
      weight += callWeight;
      calls.set(last, { weight: callWeight, resolve, reject });
      enqueue(last);
      schedule();
    });
  };
  const isFull = (callWeight: number): boolean => weight > 0 && weight + callWeight > options.maxWaiting;
  const tooMuch = (): Promise<unknown> =>
    Promise.reject(new AppError('unavailable', 'too many requests to the store are in flight'));
  const ended = (): void => {
    if (calls.size > 0) return;
    for (const post of onQuiet) post();
    onQuiet = [];
  };

  return {
    /** `callWeight`: its operations. Rejects at once when too many are in flight. */
    write(callWeight: number, request: WriteRequest) {
      if (refusing || isFull(callWeight)) {
        refusing = true;
        schedule();
        return tooMuch();
      }
      return add(callWeight, (call) => void writes.push([call, request]));
    },
    read(request: ReadRequest) {
      // A backup must be able to release the file.
      const isBounded = request.op !== 'hold' && request.op !== 'release';
      return isBounded && isFull(1) ? tooMuch() : add(1, (call) => void reads.push([call, request]));
    },
    replied({ replies }: Replies) {
      for (const [number, value, error] of replies) {
        const call = calls.get(number);
        if (!call) continue;
        calls.delete(number);
        weight -= call.weight;
        if (error) call.reject(errorOf(error));
        else call.resolve(value);
      }
      ended();
    },
    /** Fails everything in flight, and every request until `open`. */
    lost(error: AppError) {
      send = undefined;
      sealed = true;
      [writes, reads] = [[], []];
      const all = [...calls.values()];
      calls.clear();
      weight = 0;
      for (const call of all) call.reject(error);
      ended();
    },
    open(sender: (turn: Turn) => void) {
      send = sender;
      sealed = false;
    },
    /** Requests in flight continue; new ones fail. */
    seal() {
      sealed = true;
    },
    /** Resolves when nothing is in flight. */
    quiet: (): Promise<void> => (calls.size === 0 ? Promise.resolve() : new Promise((done) => onQuiet.push(done))),
  };
}
