// Slows the guessing of passwords (per charger and address, per charger, and per address) and of charger ids (per address).
// Each attempt with a password counts as a wrong one until it is known, so that many at once are no way around. Counts are
// this process's own, in bounded memory.
import type { Clock } from '@busbar/core';
import { createLruMap, networkOf, type LruMap } from '@busbar/http';

export interface ThrottleLimits {
  /** Wrong passwords of one charger from one address before the waits begin. */
  readonly free: number;
  /** The first wait; each further wrong password doubles it, up to the longest. */
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
  /** After so long without a wrong password all is forgotten. */
  readonly forgetMs: number;
  /** Wrong passwords of one charger, wherever they come from. */
  readonly perCharger: BucketLimits;
  /**
   * Beyond them: passwords from addresses that have given no wrong one for this charger. Wrong passwords from many addresses
   * slow a charger that comes from a new one, and do not lock it out.
   */
  readonly perChargerFresh: BucketLimits;
  /** Rejected attempts from one address, with a password or without. */
  readonly perAddress: BucketLimits;
  /** Chargers and addresses that are remembered, of each kind; the least recently used one is forgotten for a new one. */
  readonly maxRemembered: number;
}

export interface BucketLimits {
  readonly burst: number;
  readonly perSecond: number;
}

export interface Attempt {
  /**
   * check: go on; check_if_known: only where the charger's record knows it from this network, which stays open to it
   * whatever strangers do; wait: the password is not to be looked at.
   */
  readonly verdict: 'check' | 'check_if_known' | 'wait';
  /** When the charger may retry, where it is not checked. */
  readonly waitMs: number;
  /** There were wrong passwords lately: whoever checks this one may let others go before. */
  readonly suspect: boolean;
  /** To be called once, also for one that must wait. */
  ended(end: AttemptEnd): void;
}

/**
 * rejected: no wrong password, and still nobody who may connect: an unknown id, no password where one is due. not_judged:
 * nobody looked.
 */
export type AttemptEnd = 'right' | 'wrong_password' | 'rejected' | 'not_judged';

export interface Subject {
  readonly chargerId: string;
  /** Undefined where nobody knows it. */
  readonly address: string | undefined;
  readonly hasPassword: boolean;
}

export interface LoginThrottle {
  attempt(subject: Subject): Attempt;
}

export const THROTTLE_LIMITS: ThrottleLimits = {
  free: 5,
  firstWaitMs: 2_000,
  maxWaitMs: 60_000,
  forgetMs: 15 * 60_000,
  perCharger: { burst: 20, perSecond: 0.5 },
  perChargerFresh: { burst: 10, perSecond: 1 },
  perAddress: { burst: 200, perSecond: 5 },
  maxRemembered: 50_000,
};

interface Pair {
  wrong: number;
  inFlight: number;
  lastMs: number;
}

interface Bucket {
  left: number;
  atMs: number;
}

interface Tables {
  readonly pairs: LruMap<Pair>;
  readonly chargers: LruMap<Bucket>;
  readonly chargersFresh: LruMap<Bucket>;
  readonly addresses: LruMap<Bucket>;
}

export function createLoginThrottle(clock: Clock, limits: ThrottleLimits = THROTTLE_LIMITS): LoginThrottle {
  const { maxRemembered } = limits;
  const tables: Tables = {
    pairs: createLruMap(maxRemembered),
    chargers: createLruMap(maxRemembered),
    chargersFresh: createLruMap(maxRemembered),
    addresses: createLruMap(maxRemembered),
  };
  return {
    attempt({ chargerId, address, hasPassword }) {
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

/** What one attempt is counted by; undefined: it is not counted by that. */
interface Counters {
  readonly pair: Pair | undefined;
  readonly charger: Bucket | undefined;
  readonly fresh: Bucket | undefined;
  readonly address: Bucket | undefined;
}

function begin(tables: Tables, limits: ThrottleLimits, clock: Clock, key: Key): Attempt {
  const now = clock.monotonicMs();
  const counters = countersOf(tables, limits, key, now);
  const { pair, address } = counters;
  const suspect = isSuspect(counters, limits);
  const { verdict, waitMs, from } = verdictOf(counters, limits, now);
  if (verdict === 'wait') return { verdict, waitMs, suspect, ended: () => undefined };
  if (pair !== undefined) pair.inFlight += 1;
  if (from !== undefined) from.left -= 1;
  return {
    verdict,
    waitMs,
    suspect,
    ended(end) {
      if (pair !== undefined) pair.inFlight -= 1;
      if (address !== undefined && (end === 'wrong_password' || end === 'rejected')) address.left -= 1;
      if (end === 'wrong_password') countFailure(pair, clock.monotonicMs());
      else if (from !== undefined) from.left += 1;
      if (end === 'right' && key.network !== undefined) tables.pairs.delete(pairKey(key.chargerId, key.network));
    },
  };
}

function countersOf(tables: Tables, limits: ThrottleLimits, key: Key, now: number): Counters {
  const { chargerId, network, hasPassword } = key;
  const bucket = (table: LruMap<Bucket>, id: string, limit: BucketLimits): Bucket => refilled(table, id, limit, now);
  const charger = hasPassword ? bucket(tables.chargers, chargerId, limits.perCharger) : undefined;
  // Without an address everybody would be one and the same: then only the charger counts.
  if (network === undefined) return { pair: undefined, charger, fresh: undefined, address: undefined };
  const pair = hasPassword ? pairOf(tables, limits, pairKey(chargerId, network), now) : undefined;
  const isFresh = pair?.wrong === 0 && pair.inFlight === 0;
  return {
    pair,
    charger,
    fresh: isFresh ? bucket(tables.chargersFresh, chargerId, limits.perChargerFresh) : undefined,
    address: bucket(tables.addresses, network, limits.perAddress),
  };
}

/** `from`: the bucket that this attempt takes from. */
function verdictOf(
  { pair, charger, fresh, address }: Counters,
  limits: ThrottleLimits,
  now: number,
): Pick<Attempt, 'verdict' | 'waitMs'> & { readonly from: Bucket | undefined } {
  const pairMs = pair === undefined ? 0 : pairWaitMs(pair, limits, now);
  if (pairMs > 0) return { verdict: 'wait', waitMs: pairMs, from: undefined };
  const chargerMs = charger === undefined ? 0 : bucketWaitMs(charger, limits.perCharger);
  const freshMs = fresh === undefined ? Infinity : bucketWaitMs(fresh, limits.perChargerFresh);
  const addressMs = address === undefined ? 0 : bucketWaitMs(address, limits.perAddress);
  const waitMs = Math.max(addressMs, Math.min(chargerMs, freshMs));
  if (waitMs === 0) return { verdict: 'check', waitMs, from: chargerMs === 0 ? charger : fresh };
  return { verdict: address === undefined ? 'wait' : 'check_if_known', waitMs, from: undefined };
}

function isSuspect({ pair, charger, address }: Counters, { perCharger, perAddress }: ThrottleLimits): boolean {
  const isLow = (bucket: Bucket | undefined, { burst }: BucketLimits): boolean =>
    bucket !== undefined && bucket.left < burst / 2;
  return (pair?.wrong ?? 0) > 0 || isLow(charger, perCharger) || isLow(address, perAddress);
}

function countFailure(pair: Pair | undefined, now: number): void {
  if (pair === undefined) return;
  pair.wrong += 1;
  pair.lastMs = now;
}

function refilled(table: LruMap<Bucket>, key: string, { burst, perSecond }: BucketLimits, now: number): Bucket {
  const bucket = table.get(key) ?? { left: burst, atMs: now };
  bucket.left = Math.min(burst, bucket.left + ((now - bucket.atMs) / 1000) * perSecond);
  bucket.atMs = now;
  table.set(key, bucket);
  return bucket;
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

/** Those under way count as wrong: beyond the free ones, one at a time. */
function pairWaitMs({ wrong, inFlight, lastMs }: Pair, limits: ThrottleLimits, now: number): number {
  if (wrong + inFlight < limits.free) return 0;
  if (inFlight > 0) return limits.firstWaitMs;
  const waitMs = Math.min(limits.maxWaitMs, limits.firstWaitMs * 2 ** Math.min(30, wrong - limits.free));
  return Math.max(0, lastMs + waitMs - now);
}

function bucketWaitMs({ left }: Bucket, { perSecond }: BucketLimits): number {
  return left >= 1 ? 0 : ((1 - left) / perSecond) * 1000;
}
