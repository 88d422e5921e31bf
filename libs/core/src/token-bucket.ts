// Token buckets as plain data, so that many can be stored in a bounded cache. They refill when read: no timers.

export interface TokenBucketLimits {
  /** Tokens added each second. */
  readonly perSecond: number;
  /** The capacity. */
  readonly burst: number;
  /** A bucket may fall this far below zero. Default: `burst`. */
  readonly maxDebt?: number;
}

export interface TokenBucket {
  tokens: number;
  /** When it was last refilled: `clock.monotonicMs()`. */
  atMs: number;
}

export function fullBucket({ burst }: TokenBucketLimits, nowMs: number): TokenBucket {
  return { tokens: burst, atMs: nowMs };
}

/** Adds what came back since the last refill, and returns the same bucket. */
export function refillBucket(bucket: TokenBucket, { perSecond, burst }: TokenBucketLimits, nowMs: number): TokenBucket {
  bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond);
  bucket.atMs = nowMs;
  return bucket;
}

/** Takes tokens even where there are too few; the debt is bounded. A negative amount returns tokens. */
export function takeTokens(bucket: TokenBucket, { burst, maxDebt = burst }: TokenBucketLimits, amount = 1): void {
  bucket.tokens = Math.min(burst, Math.max(-maxDebt, bucket.tokens - amount));
}

/** Milliseconds until the bucket has so many tokens; 0 where it has. */
export function bucketWaitMs({ tokens }: TokenBucket, { perSecond }: TokenBucketLimits, amount = 1): number {
  return tokens >= amount ? 0 : ((amount - tokens) / perSecond) * 1000;
}
