import { keepAliveTimers, withDeadline } from '@busbar/core';

/** The resources that are ended in any case, the newest first. */
export interface Resources {
  /** Kept until `release`; ended at once when everything is being ended already. */
  hold<T>(resource: T, end: (resource: T) => Promise<unknown>): Held<T>;
  /** Ends all of them, at most within some seconds each. Idempotent. */
  releaseAll(): Promise<void>;
}

export interface Held<T> {
  readonly value: T;
  release(): Promise<void>;
}

const WITHIN_MS = 20_000;

export function createResources(): Resources {
  const ends = new Set<() => Promise<void>>();
  let closing = false;
  return {
    hold(value, end) {
      let ended: Promise<void> | undefined;
      const release = (): Promise<void> => {
        ends.delete(release);
        return (ended ??= within(end(value)));
      };
      ends.add(release);
      if (closing) void release();
      return { value, release };
    },
    async releaseAll() {
      closing = true;
      for (const end of [...ends].reverse()) await end();
    },
  };
}

/** One that does not end, or fails to, keeps the others from nothing. */
async function within(ending: Promise<unknown>): Promise<void> {
  const late = (ms: number): Error => new Error(`did not end within ${String(ms)} ms`);
  await withDeadline(keepAliveTimers, WITHIN_MS, ending, late).catch(() => undefined);
}
