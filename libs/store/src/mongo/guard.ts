import { AppError, type Clock } from '@busbar/core';

import { storeError } from './errors';
import type { Link } from './link';

/** Runs a driver call unless the server is unavailable; rejects with the port's errors. */
export type Guard = <R>(call: () => Promise<R>) => Promise<R>;

const MAX_CALLS = 10_000;
/** Longer than all time limits of the driver together: for calls that the driver has lost (see monitor-watch.ts). */
const CALL_MS = 30_000;

/** Bounds the number of calls in flight and their time. */
export function createGuard(link: Pick<Link, 'isUp'>, clock: Clock): Guard {
  let calls = 0;
  return async (call) => {
    if (!link.isUp()) throw new AppError('unavailable', 'the store is unavailable');
    if (calls >= MAX_CALLS) throw new AppError('unavailable', 'too many calls to the store are in flight');
    calls += 1;
    try {
      return await withinTime(clock, call());
    } catch (error) {
      throw storeError(error);
    } finally {
      calls -= 1;
    }
  };
}

/** Rejects with `unavailable` after `CALL_MS`. A later result is dropped. */
export function withinTime<T>(clock: Clock, promise: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = clock.after(CALL_MS, () => reject(new AppError('unavailable', 'the store does not answer')));
    promise.then(resolve, reject).finally(() => timer.cancel());
  });
}
