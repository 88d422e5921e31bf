// Limits how fast one charger may send, with a token bucket for messages and one for bytes. Beyond them the gateway pauses
// reading until the debt is paid: TCP then slows the charger down, and nothing is lost or rejected.
import {
  bucketWaitMs,
  fullBucket,
  refillBucket,
  takeTokens,
  type Clock,
  type TokenBucket,
  type TokenBucketLimits,
} from '@busbar/core';

export interface TrafficLimits {
  /** 0: no limit. */
  readonly messagesPerS: number;
  /** Bytes of inflated frames. 0: no limit. */
  readonly bytesPerS: number;
}

export interface TrafficLimit {
  /** Counts a message of so many bytes. Returns the milliseconds until the debt is paid; 0 where there is none. */
  take(bytes: number): number;
  /** The same without a message. */
  debtMs(): number;
}

interface LimitedBucket {
  readonly limits: TokenBucketLimits;
  readonly bucket: TokenBucket;
}

/** The burst, in seconds of the sustained rate. */
const BURST_S = 10;
/**
 * All frames of one read of a socket are processed. In that read 64 KiB of deflated white space inflate to a thousand
 * times that: four minutes of the default limit. Where a limit is very low, a debt still ends.
 */
const MAX_DEBT_S = 600;

/** Undefined where nothing is limited, so that it costs nothing. */
export function createTrafficLimit(clock: Clock, limits: TrafficLimits): TrafficLimit | undefined {
  const startMs = clock.monotonicMs();
  const messages = createBucket(limits.messagesPerS, startMs);
  const volume = createBucket(limits.bytesPerS, startMs);
  if (messages === undefined && volume === undefined) return undefined;

  function take(count: number, bytes: number): number {
    const nowMs = clock.monotonicMs();
    return Math.max(takeFrom(messages, count, nowMs), takeFrom(volume, bytes, nowMs));
  }

  return { take: (bytes) => take(1, bytes), debtMs: () => take(0, 0) };
}

function createBucket(perSecond: number, nowMs: number): LimitedBucket | undefined {
  if (perSecond === 0) return undefined;
  const limits = { perSecond, burst: BURST_S * perSecond, maxDebt: MAX_DEBT_S * perSecond };
  return { limits, bucket: fullBucket(limits, nowMs) };
}

function takeFrom(limited: LimitedBucket | undefined, amount: number, nowMs: number): number {
  if (limited === undefined) return 0;
  const { limits, bucket } = limited;
  takeTokens(refillBucket(bucket, limits, nowMs), limits, amount);
  return Math.ceil(bucketWaitMs(bucket, limits, 0));
}
