// How many requests a key, a client, and an address without a valid key may make at this process.
import { createHash } from 'node:crypto';
import { AppError, type Clock } from '@busbar/core';
import { createLruMap } from '../lru-map';
import { createRateLimiter, rateLimitItem, type Allowance, type RateLimiter } from './rate-limit';

export interface RequestLimitOptions {
  /** Requests a second with one key; a burst may be twice that. A client's keys have four times as much together. */
  readonly perKey: number;
  /** Requests a second from one address without a valid key; a burst may be five times that. Default 10. */
  readonly perAddress?: number;
}

/** Whose key a request came with. */
export interface Caller {
  readonly key: string;
  readonly client: string;
}

export interface RequestLimits {
  /** For the header `RateLimit-Policy`. */
  readonly policy: string;
  /** Counts a request with a valid key. `header` is for `RateLimit`; `refusal` says why the request is refused. */
  countCaller(caller: Caller): { readonly header: string; readonly refusal?: AppError };
  /** Counts a request without credentials. Throws `rate_limited`. */
  countAddress(address: string): void;
  /**
   * Runs the check of credentials, which asks the store. Credentials that were valid lately are checked without more; others
   * cost a token of the address until they prove valid. Throws `rate_limited` instead of a check.
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
/** Hashes of credentials that were valid when they were checked last. */
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

/** failed: refused, or the store is unavailable. */
type CheckEnd = 'valid' | 'wrong' | 'failed';

function createCredentialCheck(ofAddress: RateLimiter): RequestLimits['checkCredentials'] {
  const valid = createLruMap<true>(MAX_VALID_CREDENTIALS);
  const running = new Map<string, Promise<CheckEnd>>();

  /** The store decides each time, so a key that was revoked is refused at once. */
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
      // Nor does it count against an address that the store is unavailable.
      if (!isWrong) ofAddress.giveBack(address);
    }
  }

  /** Others with the same credentials wait for it. */
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
    // Many requests with one new key are one check first: together they would use up the address's tokens.
    const first = running.get(id);
    if (first === undefined) return checkFirst(id, address, check);
    const end = await first;
    if (end === 'valid') return checkValid(id, address, check);
    // Waiting for one another again, thousands of requests would take time that grows with their square.
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
  return new AppError('rate_limited', `Too many requests ${which}.`, { details: { retryAfterS: waitS } });
}
