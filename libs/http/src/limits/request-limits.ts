// The rate limits of keys, of clients, and of addresses without a valid key, in this process.
import { createHash } from 'node:crypto';
import { AppError, type Clock } from '@busbar/core';
import { LRUCache } from 'lru-cache';
import { createRateLimiter, rateLimitItem, type Allowance, type RateLimiter } from './rate-limit';

export interface RequestLimitOptions {
  /** Requests a second with one key; a burst may be twice that. All keys of a client share four times as much. */
  readonly perKey: number;
  /** Requests a second from one address without a valid key; a burst may be five times that. Default 10. */
  readonly perAddress?: number;
}

/** The key of a request, and its client. */
export interface Caller {
  readonly key: string;
  readonly client: string;
}

export interface RequestLimits {
  /** For the header `RateLimit-Policy`. */
  readonly policy: string;
  /** Counts a request with a valid key. `header` is for `RateLimit`; `refusal` is the error where the limit is reached. */
  countCaller(caller: Caller): { readonly header: string; readonly refusal?: AppError };
  /** Counts a request without credentials. Throws `rate_limited`. */
  countAddress(address: string): void;
  /**
   * Runs the check of credentials, which reads the store. Recently valid credentials cost nothing; others cost a token of the
   * address until they prove valid. Throws `rate_limited` without a check.
   */
  checkCredentials<A>(
    address: string,
    credentials: string,
    check: () => Promise<A | undefined>,
  ): Promise<A | undefined>;
}

const CLIENT_FACTOR = 4;
const PER_ADDRESS = 10;
const ADDRESS_BURST_FACTOR = 5;
/** Hashes of credentials that were valid at their last check. */
const MAX_VALID_CREDENTIALS = 10_000;

export function createRequestLimits(
  { perKey, perAddress = PER_ADDRESS }: RequestLimitOptions,
  clock: Clock,
): RequestLimits {
  const ofKey = createRateLimiter({ name: 'key', perSecond: perKey }, clock);
  const ofClient = createRateLimiter({ name: 'client', perSecond: CLIENT_FACTOR * perKey }, clock);
  const burst = ADDRESS_BURST_FACTOR * perAddress;
  const ofAddress = createRateLimiter({ name: 'address', perSecond: perAddress, burst }, clock);
  return {
    policy: `${ofKey.policy}, ${ofClient.policy}`,
    countCaller({ key, client }) {
      const byKey = ofKey.take(key);
      if (!byKey.isAllowed) return { header: rateLimitItem('key', byKey), refusal: tooMany('with this key', byKey) };
      const byClient = ofClient.take(client);
      const header = `${rateLimitItem('key', byKey)}, ${rateLimitItem('client', byClient)}`;
      return byClient.isAllowed ? { header } : { header, refusal: tooMany("with this client's keys", byClient) };
    },
    countAddress: (address) => takeOf(ofAddress, address),
    checkCredentials: createCredentialCheck(ofAddress),
  };
}

/** failed: rate-limited, or the store is unavailable. */
type CheckEnd = 'valid' | 'wrong' | 'failed';

function createCredentialCheck(ofAddress: RateLimiter): RequestLimits['checkCredentials'] {
  const valid = new LRUCache<string, true>({ max: MAX_VALID_CREDENTIALS });
  const running = new Map<string, Promise<CheckEnd>>();

  /** The store decides each time, so a revoked key is rejected at once. */
  async function checkValid<A>(id: string, address: string, check: () => Promise<A | undefined>) {
    const found = await check();
    if (found === undefined) {
      valid.delete(id);
      ofAddress.take(address);
    }
    return found;
  }

  async function checkUnknown<A>(id: string, address: string, check: () => Promise<A | undefined>) {
    takeOf(ofAddress, address);
    let isWrong = false;
    try {
      const found = await check();
      isWrong = found === undefined;
      if (!isWrong) valid.set(id, true);
      return found;
    } finally {
      // An outage of the store does not count against the address.
      if (!isWrong) ofAddress.giveBack(address);
    }
  }

  /** Concurrent requests with the same credentials wait for this check. */
  function checkFirst<A>(id: string, address: string, check: () => Promise<A | undefined>) {
    const work = checkUnknown(id, address, check);
    const end = work
      .then(
        (found): CheckEnd => (found === undefined ? 'wrong' : 'valid'),
        (): CheckEnd => 'failed',
      )
      .finally(() => running.delete(id));
    running.set(id, end);
    return work;
  }

  return async (address, credentials, check) => {
    const id = createHash('sha256').update(credentials, 'utf8').digest('base64');
    if (valid.get(id) !== undefined) return checkValid(id, address, check);
    // Many requests with one new key share its first check: each check would take a token of the address.
    const first = running.get(id);
    if (first === undefined) return checkFirst(id, address, check);
    const end = await first;
    if (end === 'valid') return checkValid(id, address, check);
    // Waiting for each other again, the time of many requests would grow with their square.
    if (end === 'failed') return checkUnknown(id, address, check);
    takeOf(ofAddress, address);
    return undefined;
  };
}

function takeOf(limiter: RateLimiter, address: string): void {
  const allowance = limiter.take(address);
  if (!allowance.isAllowed) throw tooMany('without a valid key from this address', allowance);
}

function tooMany(which: string, { waitS }: Allowance): AppError {
  return new AppError('rate_limited', `Too many requests ${which}. Retry after the seconds in Retry-After.`, {
    details: { retryAfterS: waitS },
  });
}
