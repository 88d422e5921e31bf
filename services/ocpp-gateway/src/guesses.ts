// What slows the guessing of passwords: per charger and address, per charger, and per address. Each attempt with credentials
// counts as a wrong one until it is known, so that many at once are no way around. Of this process, in bounded memory.
import { isIPv6 } from 'node:net';
import type { Clock } from '@busbar/core';

export interface GuessLimits {
  /** Wrong passwords of one charger from one address before the waits begin. */
  readonly free: number;
  /** The first wait; each further wrong password doubles it, up to the longest. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** After so long without a wrong password all is forgotten. */
  readonly forgetMs: number;
  /** Wrong passwords of one charger, wherever they come from but the address that it last connected from. */
  readonly perCharger: BucketLimits;
  /** Wrong passwords from one address for any charger that has not connected from there. */
  readonly perAddress: BucketLimits;
  /** Chargers and addresses that are remembered, of each kind; the least recently used one is forgotten for a new one. */
  readonly mostRemembered: number;
}

export interface BucketLimits {
  readonly burst: number;
  readonly perSecond: number;
}

export interface Attempt {
  /** 0: go on; else the password is not to be looked at, and the charger told to come again after so long. */
  readonly waitMs: number;
  /** There were wrong passwords lately: whoever checks this one may let others go before. */
  readonly suspect: boolean;
  /** How it ended; to be called once, also for one that must wait. `neither`: nobody looked at the password. */
  ended(how: 'right' | 'wrong' | 'neither'): void;
}

export interface Guesses {
  /** An attempt with credentials. `address`: undefined where nobody knows it. */
  attempt(chargerId: string, address: string | undefined): Attempt;
}

export const GUESS_LIMITS: GuessLimits = {
  free: 5,
  firstWaitMs: 2_000,
  longestWaitMs: 60_000,
  forgetMs: 15 * 60_000,
  perCharger: { burst: 20, perSecond: 0.5 },
  perAddress: { burst: 200, perSecond: 5 },
  mostRemembered: 50_000,
};

interface Pair {
  wrong: number;
  underWay: number;
  lastMs: number;
}

interface Bucket {
  left: number;
  atMs: number;
}

interface Tables {
  readonly pairs: Map<string, Pair>;
  readonly chargers: Map<string, Bucket>;
  readonly addresses: Map<string, Bucket>;
  /** Where each charger last connected from with the right password. */
  readonly homes: Map<string, string>;
}

export function createGuesses(clock: Clock, limits: GuessLimits = GUESS_LIMITS): Guesses {
  const tables: Tables = { pairs: new Map(), chargers: new Map(), addresses: new Map(), homes: new Map() };
  return {
    attempt(chargerId, address) {
      const place = address === undefined ? undefined : networkOf(address);
      return begin(tables, limits, clock, { chargerId, place });
    },
  };
}

/** An IPv6 customer has a whole /64 to come from; an IPv4 address is one place. */
export function networkOf(address: string): string {
  const plain = address.split('%', 1)[0] ?? '';
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

interface Whom {
  readonly chargerId: string;
  readonly place: string | undefined;
}

/** What one attempt is counted by; undefined: it is not counted by that. */
interface Counters {
  readonly pair: Pair | undefined;
  readonly charger: Bucket | undefined;
  readonly address: Bucket | undefined;
}

function begin(tables: Tables, limits: GuessLimits, clock: Clock, whom: Whom): Attempt {
  const now = clock.monotonicMs();
  const counters = countersOf(tables, limits, whom, now);
  const { pair, charger } = counters;
  const suspect = isSuspect(counters, limits);
  const waitMs = waitOf(counters, limits, now);
  if (waitMs > 0) return { waitMs, suspect, ended: () => undefined };
  if (pair !== undefined) pair.underWay += 1;
  if (charger !== undefined) charger.left -= 1;
  return {
    waitMs: 0,
    suspect,
    ended(how) {
      if (pair !== undefined) pair.underWay -= 1;
      if (how === 'wrong') countWrong(counters, clock.monotonicMs());
      else if (charger !== undefined) charger.left += 1;
      if (how !== 'right' || whom.place === undefined) return;
      tables.pairs.delete(pairKey(whom.chargerId, whom.place));
      put(tables.homes, whom.chargerId, whom.place, limits.mostRemembered);
    },
  };
}

function countersOf(tables: Tables, limits: GuessLimits, { chargerId, place }: Whom, now: number): Counters {
  const bucket = (table: Map<string, Bucket>, key: string, limit: BucketLimits): Bucket =>
    refilled(table, key, { ...limit, most: limits.mostRemembered }, now);
  const charger = (): Bucket => bucket(tables.chargers, chargerId, limits.perCharger);
  // Without an address everybody would be one and the same: then only the charger counts.
  if (place === undefined) return { pair: undefined, charger: charger(), address: undefined };
  const pair = pairOf(tables, limits, pairKey(chargerId, place), now);
  if (tables.homes.get(chargerId) === place) return { pair, charger: undefined, address: undefined };
  return { pair, charger: charger(), address: bucket(tables.addresses, place, limits.perAddress) };
}

function waitOf({ pair, charger, address }: Counters, limits: GuessLimits, now: number): number {
  return Math.max(
    pair === undefined ? 0 : pairWaitMs(pair, limits, now),
    charger === undefined ? 0 : bucketWaitMs(charger, limits.perCharger),
    address === undefined ? 0 : bucketWaitMs(address, limits.perAddress),
  );
}

function isSuspect({ pair, charger, address }: Counters, { perCharger, perAddress }: GuessLimits): boolean {
  const isLow = (bucket: Bucket | undefined, { burst }: BucketLimits): boolean =>
    bucket !== undefined && bucket.left < burst / 2;
  return (pair?.wrong ?? 0) > 0 || isLow(charger, perCharger) || isLow(address, perAddress);
}

/** The charger's bucket was counted down when the attempt began. */
function countWrong({ pair, address }: Counters, now: number): void {
  if (address !== undefined) address.left -= 1;
  if (pair === undefined) return;
  pair.wrong += 1;
  pair.lastMs = now;
}

function refilled(
  table: Map<string, Bucket>,
  key: string,
  { burst, perSecond, most }: BucketLimits & { readonly most: number },
  now: number,
): Bucket {
  const bucket = table.get(key) ?? { left: burst, atMs: now };
  bucket.left = Math.min(burst, bucket.left + ((now - bucket.atMs) / 1000) * perSecond);
  bucket.atMs = now;
  put(table, key, bucket, most);
  return bucket;
}

function pairKey(chargerId: string, place: string): string {
  return `${place} ${chargerId}`;
}

function pairOf(tables: Tables, limits: GuessLimits, key: string, now: number): Pair {
  const found = tables.pairs.get(key);
  const isFresh = found !== undefined && (found.underWay > 0 || now - found.lastMs < limits.forgetMs);
  const pair = isFresh ? found : { wrong: 0, underWay: 0, lastMs: now };
  put(tables.pairs, key, pair, limits.mostRemembered);
  return pair;
}

/** Those under way count as wrong: beyond the free ones, one at a time. */
function pairWaitMs({ wrong, underWay, lastMs }: Pair, limits: GuessLimits, now: number): number {
  if (wrong + underWay < limits.free) return 0;
  if (underWay > 0) return limits.firstWaitMs;
  const waitMs = Math.min(limits.longestWaitMs, limits.firstWaitMs * 2 ** Math.min(30, wrong - limits.free));
  return Math.max(0, lastMs + waitMs - now);
}

function bucketWaitMs({ left }: Bucket, { perSecond }: BucketLimits): number {
  return left >= 1 ? 0 : ((1 - left) / perSecond) * 1000;
}

/** Last used, last in the order of the map: the first one is the one to forget. */
function put<T>(table: Map<string, T>, key: string, value: T, most: number): void {
  table.delete(key);
  table.set(key, value);
  if (table.size <= most) return;
  const [oldest] = table.keys();
  if (oldest !== undefined) table.delete(oldest);
}
