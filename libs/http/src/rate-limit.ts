// How many requests a key may make: a token bucket for each key. The bucket is this process's own and no request waits for
// anything; what the key uses at other processes is learned through a count that all share, every few requests.
import type { Clock } from '@busbar/core';

export interface RateLimitOptions {
  /** Tokens that come back each second. */
  readonly perSecond: number;
  /** Tokens a bucket holds. Default: twice what comes back in a second. */
  readonly burst?: number;
  /** Buckets kept; beyond it the one longest unused is forgotten, which refills it. Default 10,000. */
  readonly maxKeys?: number;
  /** Absent: every process limits by itself. */
  readonly shared?: SharedCount | undefined;
}

/** Tokens taken with each key by all processes together, since ever. */
export interface SharedCount {
  /** Adds and gives the sum. While it rejects, each process limits by what it knows. */
  add(key: string, taken: number): Promise<number>;
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
  /** For the header `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10 clause 3). */
  readonly policy: string;
  /** Takes a token of the key, if there is one. */
  take(key: string): Allowance;
}

interface Bucket {
  tokens: number;
  atMs: number;
  /** Taken here and not told to the others yet. */
  untold: number;
  /** What came back while the bucket was full, since the others were last heard of: makes up for what they took meanwhile. */
  spilt: number;
  /** The sum over all processes when it was last told. */
  sum: number | undefined;
  isTelling: boolean;
}

/** Told at the latest when this part of a second's tokens is taken: 1 write for 25 requests at 100 a second. */
const TOLD_PART = 4;
/**
 * What comes back while a bucket is full pays for what was taken before and not told, this part of it: the rest may be what
 * others take. So a key is told of where it takes more than a fifth of its rate at one process.
 */
const PAID_PART = 4;

export function createRateLimiter(options: RateLimitOptions, clock: Clock): RateLimiter {
  const { perSecond, burst = 2 * perSecond, maxKeys = 10_000, shared } = options;
  const tellAt = Math.max(1, Math.floor(perSecond / TOLD_PART));
  // In the order of last use: a Map keeps the order of insertion.
  const buckets = new Map<string, Bucket>();

  function refilled(key: string): Bucket {
    const nowMs = clock.monotonicMs();
    const bucket = buckets.get(key) ?? emptyHistory(burst, nowMs);
    const tokens = bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond;
    bucket.tokens = Math.min(burst, tokens);
    bucket.atMs = nowMs;
    if (tokens > burst) {
      bucket.spilt += tokens - burst;
      bucket.untold = Math.max(0, bucket.untold - (tokens - burst) / PAID_PART);
    }
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > maxKeys) forgetOldest(buckets);
    return bucket;
  }

  async function tell(count: SharedCount, key: string, bucket: Bucket): Promise<void> {
    const told = Math.floor(bucket.untold);
    bucket.untold -= told;
    bucket.isTelling = true;
    try {
      const sum = await count.add(key, told);
      const byOthers = bucket.sum === undefined ? 0 : Math.max(0, sum - bucket.sum - told);
      // Never deeper in debt than a whole bucket: nobody is shut out for longer than it takes to fill one.
      bucket.tokens = Math.max(-burst, bucket.tokens - Math.max(0, byOthers - bucket.spilt));
      bucket.spilt = 0;
      bucket.sum = sum;
    } catch {
      // The store is away, which its own connection logs. What was not told is told with the next lot.
      bucket.untold = Math.min(burst, bucket.untold + told);
    } finally {
      bucket.isTelling = false;
    }
  }

  return {
    policy: `"key";q=${String(burst)};w=${String(Math.max(1, Math.ceil(burst / perSecond)))}`,
    take(key) {
      const bucket = refilled(key);
      const isAllowed = bucket.tokens >= 1;
      if (isAllowed) {
        bucket.tokens -= 1;
        bucket.untold += 1;
      }
      if (shared !== undefined && bucket.untold >= tellAt && !bucket.isTelling) void tell(shared, key, bucket);
      return {
        isAllowed,
        remaining: Math.max(0, Math.floor(bucket.tokens)),
        resetS: Math.ceil((burst - bucket.tokens) / perSecond),
        waitS: isAllowed ? 0 : Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)),
      };
    },
  };
}

function emptyHistory(burst: number, nowMs: number): Bucket {
  return { tokens: burst, atMs: nowMs, untold: 0, spilt: 0, sum: undefined, isTelling: false };
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  const { value } = buckets.keys().next();
  if (value !== undefined) buckets.delete(value);
}
