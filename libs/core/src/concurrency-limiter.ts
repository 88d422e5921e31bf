import type { Clock } from './clock';

export interface ConcurrencyLimits {
  /** Work that runs at the same time. */
  readonly concurrency: number;
  /** Work that may wait behind it. */
  readonly maxQueue: number;
  /** The longest wait in the queue, in milliseconds. Absent: as long as the work before it takes. */
  readonly wait?: { readonly ms: number; readonly clock: Clock };
}

export interface ConcurrencyLimiter {
  /**
   * Runs the work when its turn comes and resolves as the work does. Resolves `busy`, with nothing run, when the queue is full,
   * when the turn does not come in time, or when `isWanted` says at its turn that nobody waits for the result any more.
   */
  run<T>(work: () => Promise<T>, isWanted?: () => boolean): Promise<T | 'busy'>;
  /** Work that waits now. */
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
      // The place is handed on, so `running` changes only when nobody waits.
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
