import { systemClock, type Clock } from '@busbar/core';

/** The system's clock with timers and monotonic time that run `factor` times as fast: minutes pass in seconds. */
export function createHurriedClock(factor: number): Clock {
  return {
    now: systemClock.now,
    monotonicMs: () => systemClock.monotonicMs() * factor,
    after: (ms, run) => systemClock.after(ms / factor, run),
    every: (ms, run) => systemClock.every(ms / factor, run),
  };
}
