// Token buckets as plain data, so that many can be kept in a bounded cache. They refill when they are looked at: no timers.

export interface TokenBucketLimits {
  /** Tokens that come back each second. */
  readonly perSecond: number;
  /** Tokens that a full bucket holds. */
  readonly burst: number;
  /** How far below zero a bucket may fall. Default: `burst`. */
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

/** Takes tokens also where there are too few: the debt is bounded. A negative amount gives tokens back. */
export function takeTokens(bucket: TokenBucket, { burst, maxDebt = burst }: TokenBucketLimits, amount = 1): void {
  bucket.tokens = Math.min(burst, Math.max(-maxDebt, bucket.tokens - amount));
}

/** Milliseconds until the bucket holds so many tokens; 0 where it does. */
export function bucketWaitMs({ tokens }: TokenBucket, { perSecond }: TokenBucketLimits, amount = 1): number {
  return tokens >= amount ? 0 : ((amount - tokens) / perSecond) * 1000;
}
