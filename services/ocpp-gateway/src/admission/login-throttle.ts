// Brute-force protection for passwords (per charger and address, per charger, and per address) and for charger ids (per
// address). An attempt with a password counts as wrong until its end is known, so that parallel attempts do not evade the
// limits. Each process counts for itself, in bounded memory.
import {
  bucketWaitMs,
  fullBucket,
  refillBucket,
  takeTokens,
  type Clock,
  type TokenBucket,
  type TokenBucketLimits,
} from '@busbar/core';
import { networkOf } from '@busbar/http';
import { LRUCache } from 'lru-cache';

export interface ThrottleLimits {
  /** Wrong passwords of one charger from one address before the waits begin. */
  readonly free: number;
  /** The first wait; each further wrong password doubles it, up to the longest. */
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
  /** After so long without a wrong password the count starts again. */
  readonly forgetMs: number;
  /** Wrong passwords of one charger from all addresses. */
  readonly perCharger: TokenBucketLimits;
  /**
   * Beyond `perCharger`: passwords from addresses that have sent no wrong one for this charger. Wrong passwords from many
   * addresses slow a charger with a new address down, and do not lock it out.
   */
  readonly perChargerFresh: TokenBucketLimits;
  /** Rejected attempts from one address, with a password or without. */
  readonly perAddress: TokenBucketLimits;
  /** Entries of each table; the least recently used one is evicted. */
  readonly maxEntries: number;
}

export interface Attempt {
  /**
   * check: ask charger-state. check_if_known: ask it to admit the charger only from a network of an earlier admission,
   * which attackers cannot close. wait: do not check the password.
   */
  readonly verdict: 'check' | 'check_if_known' | 'wait';
  /** When the charger may retry, where the verdict is not `check`. */
  readonly waitMs: number;
  /** There were wrong passwords lately: charger-state may check other attempts first. */
  readonly suspect: boolean;
  /** Must be called once, also after `wait`. */
  ended(end: AttemptEnd): void;
}

/**
 * rejected: not admitted for another reason than a wrong password: an unknown id, a missing password. not_judged: nobody checked
 * the attempt.
 */
export type AttemptEnd = 'right' | 'wrong_password' | 'rejected' | 'not_judged';

export interface Subject {
  readonly chargerId: string;
  /** Undefined where it is unknown. */
  readonly address: string | undefined;
  readonly hasPassword: boolean;
}

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;

export const THROTTLE_LIMITS: ThrottleLimits = {
  free: 5,
  firstWaitMs: 2_000,
  maxWaitMs: 60_000,
  forgetMs: 15 * 60_000,
  perCharger: { burst: 20, perSecond: 0.5 },
  perChargerFresh: { burst: 10, perSecond: 1 },
  // The debt covers every upgrade that can be pending: parallel attempts are counted when they end.
  perAddress: { burst: 200, perSecond: 5, maxDebt: 20_000 },
  maxEntries: 50_000,
};

interface Pair {
  wrong: number;
  inFlight: number;
  lastMs: number;
}

interface Tables {
  readonly pairs: LRUCache<string, Pair>;
  readonly chargers: LRUCache<string, TokenBucket>;
  readonly chargersFresh: LRUCache<string, TokenBucket>;
  readonly addresses: LRUCache<string, TokenBucket>;
}

export function createLoginThrottle(clock: Clock, limits: ThrottleLimits = THROTTLE_LIMITS) {
  const { maxEntries } = limits;
  const tables: Tables = {
    pairs: new LRUCache({ max: maxEntries }),
    chargers: new LRUCache({ max: maxEntries }),
    chargersFresh: new LRUCache({ max: maxEntries }),
    addresses: new LRUCache({ max: maxEntries }),
  };
  return {
    attempt({ chargerId, address, hasPassword }: Subject): Attempt {
      const network = address === undefined ? undefined : networkOf(address);
      return begin(tables, limits, clock, { chargerId, network, hasPassword });
    },
  };
}

interface Key {
  readonly chargerId: string;
  readonly network: string | undefined;
  readonly hasPassword: boolean;
}

interface Counter {
  readonly bucket: TokenBucket;
  readonly limits: TokenBucketLimits;
}

/** The counters of one attempt; undefined: it is not counted there. */
interface Counters {
  readonly pair: Pair | undefined;
  readonly charger: Counter | undefined;
  readonly fresh: Counter | undefined;
  readonly address: Counter | undefined;
}

function begin(tables: Tables, limits: ThrottleLimits, clock: Clock, key: Key): Attempt {
  const now = clock.monotonicMs();
  const counters = countersOf(tables, limits, key, now);
  const { pair, address } = counters;
  const suspect = isSuspect(counters);
  const { verdict, waitMs, from } = verdictOf(counters, limits, now);
  if (verdict === 'wait') return { verdict, waitMs, suspect, ended: () => undefined };
  if (pair !== undefined) pair.inFlight += 1;
  take(from, 1);
  return {
    verdict,
    waitMs,
    suspect,
    ended(end) {
      if (pair !== undefined) pair.inFlight -= 1;
      if (end === 'wrong_password' || end === 'rejected') take(address, 1);
      if (end === 'wrong_password') countFailure(pair, clock.monotonicMs());
      else take(from, -1);
      if (end === 'right' && key.network !== undefined) tables.pairs.delete(pairKey(key.chargerId, key.network));
    },
  };
}

function countersOf(tables: Tables, limits: ThrottleLimits, key: Key, now: number): Counters {
  const { chargerId, network, hasPassword } = key;
  const charger = hasPassword ? counterIn(tables.chargers, chargerId, limits.perCharger, now) : undefined;
  // Without an address all would share one counter: then only the charger counts.
  if (network === undefined) return { pair: undefined, charger, fresh: undefined, address: undefined };
  const pair = hasPassword ? pairOf(tables, limits, pairKey(chargerId, network), now) : undefined;
  const isFresh = pair?.wrong === 0 && pair.inFlight === 0;
  return {
    pair,
    charger,
    fresh: isFresh ? counterIn(tables.chargersFresh, chargerId, limits.perChargerFresh, now) : undefined,
    address: counterIn(tables.addresses, network, limits.perAddress, now),
  };
}

/** `from`: the counter that this attempt takes a token from. */
function verdictOf(
  { pair, charger, fresh, address }: Counters,
  limits: ThrottleLimits,
  now: number,
): Pick<Attempt, 'verdict' | 'waitMs'> & { readonly from: Counter | undefined } {
  const pairMs = pair === undefined ? 0 : pairWaitMs(pair, limits, now);
  if (pairMs > 0) return { verdict: 'wait', waitMs: pairMs, from: undefined };
  const chargerMs = waitOf(charger);
  const freshMs = fresh === undefined ? Infinity : waitOf(fresh);
  const addressMs = waitOf(address);
  const waitMs = Math.max(addressMs, Math.min(chargerMs, freshMs));
  if (waitMs === 0) return { verdict: 'check', waitMs, from: chargerMs === 0 ? charger : fresh };
  return { verdict: address === undefined ? 'wait' : 'check_if_known', waitMs, from: undefined };
}

function isSuspect({ pair, charger, address }: Counters): boolean {
  const isLow = (counter: Counter | undefined): boolean =>
    counter !== undefined && counter.bucket.tokens < counter.limits.burst / 2;
  return (pair?.wrong ?? 0) > 0 || isLow(charger) || isLow(address);
}

function countFailure(pair: Pair | undefined, now: number): void {
  if (pair === undefined) return;
  pair.wrong += 1;
  pair.lastMs = now;
}

function counterIn(table: LRUCache<string, TokenBucket>, key: string, limits: TokenBucketLimits, now: number): Counter {
  const bucket = refillBucket(table.get(key) ?? fullBucket(limits, now), limits, now);
  table.set(key, bucket);
  return { bucket, limits };
}

function take(counter: Counter | undefined, tokens: number): void {
  if (counter !== undefined) takeTokens(counter.bucket, counter.limits, tokens);
}

function waitOf(counter: Counter | undefined): number {
  return counter === undefined ? 0 : bucketWaitMs(counter.bucket, counter.limits);
}

function pairKey(chargerId: string, network: string): string {
  return `${network} ${chargerId}`;
}

function pairOf(tables: Tables, limits: ThrottleLimits, key: string, now: number): Pair {
  const found = tables.pairs.get(key);
  const isFresh = found !== undefined && (found.inFlight > 0 || now - found.lastMs < limits.forgetMs);
  const pair = isFresh ? found : { wrong: 0, inFlight: 0, lastMs: now };
  tables.pairs.set(key, pair);
  return pair;
}

/** Attempts in flight count as wrong: beyond the free ones, one at a time. */
function pairWaitMs({ wrong, inFlight, lastMs }: Pair, limits: ThrottleLimits, now: number): number {
  if (wrong + inFlight < limits.free) return 0;
  if (inFlight > 0) return limits.firstWaitMs;
  const waitMs = Math.min(limits.maxWaitMs, limits.firstWaitMs * 2 ** Math.min(30, wrong - limits.free));
  return Math.max(0, lastMs + waitMs - now);
}
