// Counts what stays open for long, such as streams and requests that wait.
import { AppError } from '@busbar/core';
import type { Caller } from './request-limits';

export interface PlaceLimits {
  readonly perKey: number;
  /** Absent: that of the process. */
  readonly perClient?: number;
  readonly perProcess: number;
}

export interface Places {
  /** Returns the function that leaves the place. Throws `rate_limited` where there are too many. */
  take(caller: Caller): () => void;
}

const RETRY_AFTER_S = 30;

/** `what` is in the plural, for the message: `open streams`. */
export function createPlaces({ perKey, perClient, perProcess }: PlaceLimits, what: string): Places {
  const open = new Map<string, number>();

  function change(name: string, by: number): void {
    const count = (open.get(name) ?? 0) + by;
    if (count === 0) open.delete(name);
    else open.set(name, count);
  }

  return {
    take({ key, client }) {
      const counted = [
        { name: `key ${key}`, max: perKey, whose: 'this API key' },
        { name: `client ${client}`, max: perClient ?? perProcess, whose: "this client's API keys" },
        { name: 'process', max: perProcess, whose: 'all clients together' },
      ];
      for (const { name, max, whose } of counted) {
        if ((open.get(name) ?? 0) < max) continue;
        throw new AppError(
          'rate_limited',
          `Too many ${what} of ${whose}: at most ${String(max)}. Close one, or retry after the seconds in Retry-After.`,
          { details: { retryAfterS: RETRY_AFTER_S } },
        );
      }
      for (const { name } of counted) change(name, 1);
      return () => {
        for (const { name } of counted) change(name, -1);
      };
    },
  };
}
