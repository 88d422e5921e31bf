import { AppError, withDeadline, type Clock } from '@busbar/core';

import { storeError } from './errors';
import type { Link } from './link';

/** Runs a driver call unless the server is unavailable; rejects with the port's errors. */
export type Guard = <R>(call: () => Promise<R>) => Promise<R>;

const MAX_CALLS = 10_000;
/** Longer than all time limits of the driver together: for calls that the driver has lost (see monitor-watch.ts). */
export const CALL_MS = 30_000;

/** Limits the number of calls in flight and their time. */
export function createGuard(link: Pick<Link, 'isUp'>, clock: Clock): Guard {
  let calls = 0;
  return async (call) => {
    if (!link.isUp()) throw new AppError('unavailable', 'the store is unavailable');
    if (calls >= MAX_CALLS) throw new AppError('unavailable', 'too many calls to the store are in flight');
    calls += 1;
    try {
      return await withDeadline(clock, CALL_MS, call(), noAnswer);
    } catch (error) {
      throw storeError(error);
    } finally {
      calls -= 1;
    }
  };
}

/** The error of a call that takes longer than `CALL_MS`. */
export function noAnswer(): AppError {
  return new AppError('unavailable', 'the store does not answer');
}
