// A token bucket for each key, in this process alone. No request waits for tokens.
import { bucketWaitMs, fullBucket, refillBucket, takeTokens, type Clock, type TokenBucket } from '@busbar/core';
import { LRUCache } from 'lru-cache';

export interface RateLimitOptions {
  /** Names the policy in the headers of responses. Default `key`. */
  readonly name?: string;
  /** Tokens added each second. */
  readonly perSecond: number;
  /** Tokens of a full bucket. Default: those of two seconds. */
  readonly burst?: number;
  /** Beyond so many buckets the least recently used one is evicted, which refills it. Default 10,000. */
  readonly maxKeys?: number;
}

export interface Allowance {
  readonly isAllowed: boolean;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Whole seconds until the bucket is full, when nothing more is taken. */
  readonly resetS: number;
  /** Whole seconds until there is a token; 0 when allowed. */
  readonly waitS: number;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

export function createRateLimiter(options: RateLimitOptions, clock: Clock) {
  const { name = 'key', perSecond, burst = 2 * perSecond, maxKeys = 10_000 } = options;
  const limits = { perSecond, burst };
  const buckets = new LRUCache<string, TokenBucket>({ max: maxKeys });

  function refilled(key: string): TokenBucket {
    const nowMs = clock.monotonicMs();
    const bucket = buckets.get(key) ?? fullBucket(limits, nowMs);
    buckets.set(key, bucket);
    return refillBucket(bucket, limits, nowMs);
  }

  return {
    /** An item of the header `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10 clause 3). */
    policy: `"${name}";q=${String(burst)};w=${String(Math.max(1, Math.ceil(burst / perSecond)))}`,
    /** Takes a token of the key, if there is one. */
    take(key: string): Allowance {
      const bucket = refilled(key);
      const isAllowed = bucket.tokens >= 1;
      if (isAllowed) takeTokens(bucket, limits);
      return {
        isAllowed,
        remaining: Math.floor(bucket.tokens),
        resetS: Math.ceil((burst - bucket.tokens) / perSecond),
        waitS: isAllowed ? 0 : Math.max(1, Math.ceil(bucketWaitMs(bucket, limits) / 1000)),
      };
    },
    /** Undoes a `take` that was allowed. */
    giveBack: (key: string) => takeTokens(refilled(key), limits, -1),
  };
}

/** An item of the header `RateLimit` (clause 4 of the same draft). */
export function rateLimitItem(name: string, { remaining, resetS }: Allowance): string {
  return `"${name}";r=${String(remaining)};t=${String(resetS)}`;
}
