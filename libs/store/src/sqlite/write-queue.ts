// Group commit. Writes that were asked for in one turn of the event loop run in one transaction at its end and share one
// fsync: one caller alone waits for nothing, five hundred share the cost. The transaction is synchronous from begin to
// commit, so nothing else ever sees it half done.
import { AppError } from '@busbar/core';

export interface Transaction {
  begin(): void;
  commit(): void;
  /** After this nothing of the transaction is left, in the file or in memory. Must not throw. */
  rollback(): void;
  /** Whether an operation's error is the disk's and so everybody's. */
  failsAll(error: unknown): boolean;
}

export interface WriteQueueOptions {
  readonly transaction: Transaction;
  /** Operations that may wait, which bounds a transaction too; more are refused with `unavailable`. */
  readonly maxWaiting: number;
  /** Told after each group. */
  readonly onOutcome: (error?: AppError) => void;
}

export interface WriteQueue {
  /** Runs `work` in the next group; resolves with its result once that is on the disk. `weight`: operations in it. */
  add<T>(weight: number, work: () => T): Promise<T>;
  /** Resolves when nothing waits. */
  quiet(): Promise<void>;
}

interface Job {
  readonly weight: number;
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export function createWriteQueue(options: WriteQueueOptions): WriteQueue {
  let waiting: Job[] = [];
  let weight = 0;
  let scheduled = false;
  let onQuiet: (() => void)[] = [];

  const flush = (): void => {
    scheduled = false;
    // All of it, never a part: writes asked for together survive a crash together.
    const group = waiting;
    waiting = [];
    weight = 0;
    options.onOutcome(runGroup(options.transaction, group));
    for (const tell of onQuiet) tell();
    onQuiet = [];
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  };
  return {
    add<T>(jobWeight: number, work: () => T) {
      if (weight > 0 && weight + jobWeight > options.maxWaiting) {
        return Promise.reject(new AppError('unavailable', 'the store has too many writes waiting'));
      }
      return new Promise<T>((resolve, reject) => {
        waiting.push({ weight: jobWeight, work, resolve: resolve as (value: unknown) => void, reject });
        weight += jobWeight;
        schedule();
      });
    },
    quiet: () => (waiting.length === 0 ? Promise.resolve() : new Promise((done) => onQuiet.push(done))),
  };
}

/** Settles every job of the group. Returns the error when the group as a whole failed. */
function runGroup(transaction: Transaction, group: readonly Job[]): AppError | undefined {
  const settled: (() => void)[] = [];
  try {
    transaction.begin();
    for (const job of group) settled.push(runOne(transaction, job));
    transaction.commit();
  } catch (cause) {
    transaction.rollback();
    const error = new AppError('unavailable', 'the data file cannot be written', { cause });
    for (const job of group) job.reject(error);
    return error;
  }
  for (const settle of settled) settle();
  return undefined;
}

function runOne(transaction: Transaction, job: Job): () => void {
  try {
    const value = job.work();
    return () => job.resolve(value);
  } catch (error) {
    if (transaction.failsAll(error)) throw error;
    return () => job.reject(error);
  }
}
