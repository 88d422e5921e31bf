// A bounded number of things at once, and a bounded line behind them: what keeps a reconnect storm from being one for
// everybody behind this gateway too. Knows nothing of upgrades.
import type { Clock, Timer } from '@busbar/core';

export interface TurnLimits {
  readonly atOnce: number;
  /** Beyond this, nothing more is taken into the line. */
  readonly maxQueue: number;
  /** How long one waits for its turn. */
  readonly maxWaitMs: number;
}

export interface AdmissionLimiter {
  /**
   * Does `work` when its turn comes and resolves as it does; with undefined when the line is full, the turn does not come in
   * time, or `isWanted` then says that nobody waits for it any more.
   */
  take<T>(work: () => Promise<T>, isWanted: () => boolean): Promise<T | undefined>;
  waiting(): number;
}

interface Waiting {
  /** Never rejects. */
  begin(): Promise<void>;
}

/** First come, first served. */
export function createAdmissionLimiter(clock: Clock, limits: TurnLimits): AdmissionLimiter {
  // A set keeps the order of arrival, and lets one who waited too long leave from the middle.
  const line = new Set<Waiting>();
  let running = 0;

  function next(): void {
    for (const entry of line) {
      if (running >= limits.atOnce) return;
      line.delete(entry);
      void run(entry);
    }
  }

  async function run(entry: Waiting): Promise<void> {
    running += 1;
    await entry.begin();
    running -= 1;
    next();
  }

  return {
    take<T>(work: () => Promise<T>, isWanted: () => boolean): Promise<T | undefined> {
      if (running >= limits.atOnce && line.size >= limits.maxQueue) return Promise.resolve(undefined);
      return new Promise((resolve, reject) => {
        let patience: Timer | undefined = undefined;
        const entry: Waiting = {
          async begin() {
            patience?.cancel();
            if (!isWanted()) resolve(undefined);
            else await work().then(resolve, reject);
          },
        };
        line.add(entry);
        next();
        if (!line.has(entry)) return;
        patience = clock.after(limits.maxWaitMs, () => {
          line.delete(entry);
          resolve(undefined);
        });
      });
    },
    waiting: () => line.size,
  };
}
