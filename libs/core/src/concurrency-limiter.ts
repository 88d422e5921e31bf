import type { Clock } from './clock';

export interface ConcurrencyLimits {
  /** Work that runs at the same time. */
  readonly concurrency: number;
  /** Work that may wait for its turn. */
  readonly maxQueue: number;
  /** The longest wait in the queue, in milliseconds. Absent: unlimited. */
  readonly wait?: { readonly ms: number; readonly clock: Clock };
}

export interface ConcurrencyLimiter {
  /**
   * Runs the work in its turn and resolves as the work does. Resolves `busy`, with nothing run, when the queue is full,
   * when the wait is too long, or when `isWanted` returns false at its turn.
   */
  run<T>(work: () => Promise<T>, isWanted?: () => boolean): Promise<T | 'busy'>;
  /** The number of waiting entries. */
  queued(): number;
}

/** A semaphore with a bounded queue: first come, first served. */
export function createConcurrencyLimiter({ concurrency, maxQueue, wait }: ConcurrencyLimits): ConcurrencyLimiter {
  // A set keeps the order of arrival, and lets an entry that waited too long leave from the middle.
  const queue = new Set<(granted: boolean) => void>();
  let running = 0;

  /** False when the turn did not come in time. */
  function turn(): Promise<boolean> {
    return new Promise((resolve) => {
      const entry = (granted: boolean): void => {
        timer?.cancel();
        queue.delete(entry);
        resolve(granted);
      };
      const timer = wait?.clock.after(wait.ms, () => entry(false));
      queue.add(entry);
    });
  }

  async function run<T>(work: () => Promise<T>, isWanted: () => boolean): Promise<T | 'busy'> {
    try {
      return isWanted() ? await work() : 'busy';
    } finally {
      // The slot passes to the next entry, so `running` changes only when the queue is empty.
      const [next] = queue;
      if (next === undefined) running -= 1;
      else next(true);
    }
  }

  return {
    async run(work, isWanted = () => true) {
      if (running < concurrency) running += 1;
      else if (queue.size >= maxQueue || !(await turn())) return 'busy';
      return run(work, isWanted);
    },
    queued: () => queue.size,
  };
}
