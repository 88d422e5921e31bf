// A bounded map in which one network, or ids that an attacker invents, do not evict the entries of others. An LRU cache would
// let them.

/** The source of an entry. */
export interface Origin {
  /** The result of `networkOf`; empty where no address is known. */
  readonly network: string;
  /** True where charger-state knows the charger: an attacker cannot invent such an id. */
  readonly isKnown: boolean;
}

export interface FairMapLimits {
  readonly maxEntries: number;
  readonly maxPerNetwork: number;
}

/** In the order of insertion. */
export interface FairMap<V> {
  get(key: string): V | undefined;
  /** Adds an entry of a new key. Returns the value that was evicted for it, or the new one itself where it was not added. */
  add(key: string, value: V, origin: Origin): V | undefined;
  delete(key: string): void;
  entries(): IterableIterator<[key: string, value: V]>;
  size(): number;
}

/** The keys of each network, and the network with most keys. Every operation takes constant time. */
type Ranking = ReturnType<typeof createRanking>;

/**
 * Above `maxPerNetwork` the network's own oldest entry is evicted; above `maxEntries` the oldest of the network with most
 * entries. Entries of unknown chargers are evicted first, and an unknown charger evicts no known one.
 */
export function createFairMap<V>({ maxEntries, maxPerNetwork }: FairMapLimits): FairMap<V> {
  const all = new Map<string, { readonly value: V; readonly origin: Origin }>();
  const known = createRanking();
  const unknown = createRanking();
  const rankingOf = ({ isKnown }: Origin): Ranking => (isKnown ? known : unknown);

  function remove(key: string): V | undefined {
    const entry = all.get(key);
    if (entry === undefined) return undefined;
    all.delete(key);
    rankingOf(entry.origin).delete(entry.origin.network, key);
    return entry.value;
  }

  function isFull(network: string): boolean {
    return all.size >= maxEntries || isShareUsed(network);
  }

  function isShareUsed(network: string): boolean {
    return known.count(network) + unknown.count(network) >= maxPerNetwork;
  }

  function victimAmong(ranking: Ranking, network: string): string | undefined {
    return ranking.oldestOf(isShareUsed(network) ? network : (ranking.largest() ?? ''));
  }

  return {
    get: (key) => all.get(key)?.value,
    add(key, value, origin) {
      let evicted: V | undefined;
      if (isFull(origin.network)) {
        const victim =
          victimAmong(unknown, origin.network) ?? (origin.isKnown ? victimAmong(known, origin.network) : undefined);
        if (victim === undefined) return value;
        evicted = remove(victim);
      }
      all.set(key, { value, origin });
      rankingOf(origin).add(origin.network, key);
      return evicted;
    },
    delete: (key) => void remove(key),
    *entries() {
      for (const [key, { value }] of all) yield [key, value];
    },
    size: () => all.size,
  };
}

function createRanking() {
  const keysOf = new Map<string, Set<string>>();
  // Networks by their number of keys. One key more or less moves a network by one.
  const bySize = new Map<number, Set<string>>();
  let maxSize = 0;

  function rank(network: string, before: number, after: number): void {
    const left = bySize.get(before);
    left?.delete(network);
    if (left?.size === 0) bySize.delete(before);
    if (after > 0) bySize.set(after, (bySize.get(after) ?? new Set()).add(network));
    if (after > maxSize || !bySize.has(maxSize)) maxSize = after;
  }

  return {
    add(network: string, key: string): void {
      const keys = keysOf.get(network) ?? new Set();
      keysOf.set(network, keys.add(key));
      rank(network, keys.size - 1, keys.size);
    },
    delete(network: string, key: string): void {
      const keys = keysOf.get(network);
      if (keys?.delete(key) !== true) return;
      if (keys.size === 0) keysOf.delete(network);
      rank(network, keys.size + 1, keys.size);
    },
    count: (network: string) => keysOf.get(network)?.size ?? 0,
    oldestOf: (network: string) => first(keysOf.get(network)),
    largest: () => first(bySize.get(maxSize)),
  };
}

function first(values: ReadonlySet<string> | undefined): string | undefined {
  return values?.values().next().value;
}
