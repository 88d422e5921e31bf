import type { Clock, Timer } from './clock';

/** Work at an interval, from `start` to `stop`; both are idempotent. */
export interface Ticker {
  start(): void;
  stop(): void;
  running(): boolean;
}

/** The first run comes after the first interval. */
export function createTicker(clock: Clock, everyMs: number, run: () => void): Ticker {
  let timer: Timer | undefined;
  return {
    start() {
      timer ??= clock.every(everyMs, run);
    },
    stop() {
      timer?.cancel();
      timer = undefined;
    },
    running: () => timer !== undefined,
  };
}
