import { bucketWaitMs, fullBucket, refillBucket, takeTokens, type Clock } from '@busbar/core';

/** Retries at this pace leave a gateway and charger-state time for reports. */
const PER_SECOND = 500;
/** The first one waits so long: what failed a moment ago would fail again. */
const MIN_WAIT_MS = 2_000;
const MAX_WAIT_MS = 15_000;
const LIMITS = { perSecond: PER_SECOND, burst: 1, maxDebt: (PER_SECOND * (MAX_WAIT_MS - MIN_WAIT_MS)) / 1_000 };

/** When rejected chargers retry: one after the other at an even pace, so that few wait shortly and many do not return at once. */
export type RetrySchedule = ReturnType<typeof createRetrySchedule>;

export function createRetrySchedule(clock: Pick<Clock, 'monotonicMs'>) {
  const bucket = fullBucket(LIMITS, clock.monotonicMs());
  return {
    /** The wait of the next rejected charger, in milliseconds. */
    nextMs(): number {
      refillBucket(bucket, LIMITS, clock.monotonicMs());
      takeTokens(bucket, LIMITS);
      return Math.min(MAX_WAIT_MS, MIN_WAIT_MS + bucketWaitMs(bucket, LIMITS));
    },
  };
}
