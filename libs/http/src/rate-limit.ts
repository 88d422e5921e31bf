import type { Clock } from '@busbar/core';

export interface RateLimitOptions {
  /** Tokens that come back each second. */
  readonly perSecond: number;
  /** Tokens a bucket holds. Default: twice what comes back in a second. */
  readonly burst?: number;
  /** Buckets kept; beyond it the one longest unused is forgotten, which refills it. Default 10,000. */
  readonly maxKeys?: number;
}

export interface RateLimiter {
  /** Takes a token of the key: `undefined`, or when there is none, the whole seconds until there will be. */
  take(key: string): number | undefined;
}

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** A token bucket for each key, in memory and so for this process alone. */
export function createRateLimiter(options: RateLimitOptions, clock: Clock): RateLimiter {
  const { perSecond, burst = 2 * perSecond, maxKeys = 10_000 } = options;
  // In the order of last use: a Map keeps the order of insertion.
  const buckets = new Map<string, Bucket>();

  const refilled = (key: string, nowMs: number): number => {
    const bucket = buckets.get(key);
    if (bucket === undefined) return burst;
    return Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond);
  };

  return {
    take(key) {
      const nowMs = clock.monotonicMs();
      const tokens = refilled(key, nowMs);
      const left = tokens >= 1 ? tokens - 1 : tokens;
      buckets.delete(key);
      buckets.set(key, { tokens: left, atMs: nowMs });
      if (buckets.size > maxKeys) forgetOldest(buckets);
      return tokens >= 1 ? undefined : Math.max(1, Math.ceil((1 - tokens) / perSecond));
    },
  };
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  const { value } = buckets.keys().next();
  if (value !== undefined) buckets.delete(value);
}
