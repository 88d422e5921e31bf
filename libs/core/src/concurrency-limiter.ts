import type { Clock } from './clock';

export interface ConcurrencyLimits {
  /** Done side by side. */
  readonly concurrency: number;
  /** Beyond those. */
  readonly maxQueue: number;
  /** How long one waits for its turn at most; for ever where it is absent, which is as long as those before it take. */
  readonly wait?: { readonly ms: number; readonly clock: Clock };
}

/** Does the work when its turn has come; `busy`, with nothing done, when too many wait or it waited too long. */
export type ConcurrencyLimiter = <T>(work: () => Promise<T>) => Promise<T | 'busy'>;

/** First come, first served, a bounded number at once. */
export function createConcurrencyLimiter({ concurrency, maxQueue, wait }: ConcurrencyLimits): ConcurrencyLimiter {
  const line = new Set<() => void>();
  let running = 0;

  /** False when the turn did not come in time. */
  function turn(): Promise<boolean> {
    return new Promise((resolve) => {
      const begin = (): void => {
        timer?.cancel();
        resolve(true);
      };
      const timer = wait?.clock.after(wait.ms, () => {
        line.delete(begin);
        resolve(false);
      });
      line.add(begin);
    });
  }

  return async (work) => {
    if (running < concurrency) running += 1;
    // Whoever ends hands its place on, so `running` stays as it is.
    else if (line.size >= maxQueue || !(await turn())) return 'busy';
    try {
      return await work();
    } finally {
      const [next] = line;
      if (next === undefined) running -= 1;
      else {
        line.delete(next);
        next();
      }
    }
  };
}
