// Token buckets, one for each key. They are this process's own, and no request waits for anything.
import type { Clock } from '@busbar/core';
import { createLruMap } from '../lru-map';

export interface RateLimitOptions {
  /** Names the policy in the headers of responses. Default `key`. */
  readonly name?: string;
  /** Tokens that come back each second. */
  readonly perSecond: number;
  /** Tokens a bucket holds. Default: twice what comes back in a second. */
  readonly burst?: number;
  /** Buckets kept; beyond it the least recently used one is evicted, which refills it. Default 10,000. */
  readonly maxKeys?: number;
}

export interface Allowance {
  readonly isAllowed: boolean;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Whole seconds until the bucket is full again, when nothing more is taken. */
  readonly resetS: number;
  /** Whole seconds until there is a token. 0 when this one was allowed. */
  readonly waitS: number;
}

export interface RateLimiter {
  /** An item of the header `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10 clause 3). */
  readonly policy: string;
  /** Takes a token of the key, if there is one. */
  take(key: string): Allowance;
  /** Undoes a `take` that was allowed. */
  giveBack(key: string): void;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

export function createRateLimiter(options: RateLimitOptions, clock: Clock): RateLimiter {
  const { name = 'key', perSecond, burst = 2 * perSecond, maxKeys = 10_000 } = options;
  const buckets = createLruMap<Bucket>(maxKeys);

  function refilled(key: string): Bucket {
    const nowMs = clock.monotonicMs();
    const bucket = buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond);
    bucket.atMs = nowMs;
    buckets.set(key, bucket);
    return bucket;
  }

  return {
    policy: `"${name}";q=${String(burst)};w=${String(Math.max(1, Math.ceil(burst / perSecond)))}`,
    take(key) {
      const bucket = refilled(key);
      const isAllowed = bucket.tokens >= 1;
      if (isAllowed) bucket.tokens -= 1;
      return {
        isAllowed,
        remaining: Math.floor(bucket.tokens),
        resetS: Math.ceil((burst - bucket.tokens) / perSecond),
        waitS: isAllowed ? 0 : Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)),
      };
    },
    giveBack(key) {
      const bucket = refilled(key);
      bucket.tokens = Math.min(burst, bucket.tokens + 1);
    },
  };
}

/** An item of the header `RateLimit` (clause 4 of the same draft). */
export function rateLimitItem(name: string, { remaining, resetS }: Allowance): string {
  return `"${name}";r=${String(remaining)};t=${String(resetS)}`;
}
