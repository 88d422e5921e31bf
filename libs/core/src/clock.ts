import { performance } from 'node:perf_hooks';

export interface Timer {
  cancel(): void;
}

/** Time as a parameter, so that tests move it by hand. */
export interface Clock {
  now(): Date;
  /** A monotonic time: only differences mean anything. */
  monotonicMs(): number;
  after(ms: number, run: () => void): Timer;
  every(ms: number, run: () => void): Timer;
}

/** Resolves after `ms`. */
export function delay(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}

/** Timers of the system that keep the process alive until they are over or cancelled. */
export const keepAliveTimers: Pick<Clock, 'after'> = {
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** The system clock. Its timers do not keep a process alive. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
  every(ms, run) {
    const timer = setInterval(run, ms);
    timer.unref();
    return { cancel: () => clearInterval(timer) };
  },
};
