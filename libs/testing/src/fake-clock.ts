import type { Clock, Timer } from '@busbar/core';
import { eventually } from './eventually';

export interface FakeClock extends Clock {
  /** Moves time on and runs what falls due, in order. */
  advance(ms: number): void;
  /** Moves time on while nothing runs, as when the process is suspended; then runs once what fell due. */
  stall(ms: number): void;
}

interface Due {
  at: number;
  readonly run: () => void;
  readonly everyMs?: number;
}

/** A clock that does not advance until it is moved. */
export function createFakeClock(start: Date = new Date('2026-01-01T00:00:00.000Z')): FakeClock {
  const timers = new Set<Due>();
  let elapsed = 0;

  const add = (due: Due): Timer => {
    timers.add(due);
    return { cancel: () => timers.delete(due) };
  };

  return {
    now: () => new Date(start.getTime() + elapsed),
    monotonicMs: () => elapsed,
    after: (ms, run) => add({ at: elapsed + ms, run }),
    every: (ms, run) => add({ at: elapsed + ms, run, everyMs: ms }),
    advance(ms) {
      const end = elapsed + ms;
      for (;;) {
        const next = [...timers].filter((due) => due.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        elapsed = Math.max(elapsed, next.at);
        if (next.everyMs === undefined) timers.delete(next);
        else next.at += next.everyMs;
        next.run();
      }
      elapsed = end;
    },
    stall(ms) {
      elapsed += ms;
      for (const due of [...timers].filter(({ at }) => at <= elapsed)) {
        if (due.everyMs === undefined) timers.delete(due);
        else due.at = elapsed + due.everyMs;
        due.run();
      }
    },
  };
}

/** Moves time on, 50 ms in each turn, until the work has ended, well or not. */
export async function advanceUntil(clock: Pick<FakeClock, 'advance'>, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = (): void => void (isOver = true);
  work.then(end, end);
  await eventually(() => {
    clock.advance(50);
    return isOver;
  });
  await work;
}
