import type { Charger } from '@busbar/domain/chargers';
import { createMemoryStores } from '../testing/memory-stores';
import { createPartitionCaches, type ChargerCache } from './charger-cache';

const stores = createMemoryStores();

function chargerOf(chargerId: string, reported: Partial<Charger['reported']> = {}): Charger {
  stores.register(chargerId);
  const charger = stores.chargers.get(chargerId);
  if (charger === undefined) throw new Error('not registered');
  return { ...charger, reported: { ...charger.reported, ...reported } };
}

const withMessage = (chargerId: string, length: number): Charger =>
  chargerOf(chargerId, { lastMessage: 'x'.repeat(length) });
const cached = (cache: ChargerCache): string[] => ['a', 'b', 'c', 'd'].filter((id) => cache.get(id) !== undefined);

describe('the cache of one partition', () => {
  it('evicts the least recently used record beyond its capacity', () => {
    const cache = createPartitionCaches(2).of(0);
    for (const id of ['a', 'b']) cache.put(withMessage(id, 1));
    cache.get('a');
    cache.put(withMessage('c', 1));
    expect(cached(cache)).toEqual(['a', 'c']);
  });

  it('evicts records beyond its limit of characters', () => {
    const cache = createPartitionCaches(10, 100).of(0);
    for (const id of ['a', 'b', 'c']) cache.put(withMessage(id, 30));
    expect(cached(cache)).toEqual(['a', 'b', 'c']);
    cache.put(withMessage('d', 40));
    expect(cached(cache)).toEqual(['b', 'c', 'd']);
  });

  it('counts the characters of the latest record, and stores none above the limit', () => {
    const cache = createPartitionCaches(10, 100).of(0);
    cache.put(withMessage('a', 90));
    cache.put(withMessage('a', 10));
    cache.put(withMessage('b', 80));
    expect(cached(cache)).toEqual(['a', 'b']);
    cache.drop('b');
    cache.put(withMessage('c', 90));
    expect(cached(cache)).toEqual(['a', 'c']);
    cache.put(withMessage('d', 101));
    expect(cached(cache)).toEqual(['a', 'c']);
  });

  it('counts the characters of the configuration, also when it changes', () => {
    const item = { configName: 'LongOne', configValue: 'y'.repeat(53), canBeChanged: true };
    const configuration = [item];
    const cache = createPartitionCaches(10, 100).of(0);
    cache.put(withMessage('a', 10));
    cache.put(chargerOf('b', { configuration }));
    cache.put(chargerOf('b', { configuration, lastMessage: 'x'.repeat(30) }));
    expect(cached(cache)).toEqual(['a', 'b']);
    cache.put(chargerOf('b', { configuration: [...configuration, item] }));
    expect(cached(cache)).toEqual(['a']);
  });
});

describe('createPartitionCaches', () => {
  it('empties the cache of a partition that begins, and of no other', () => {
    const caches = createPartitionCaches(10, 100);
    caches.of(1).put(withMessage('a', 60));
    caches.of(2).put(withMessage('b', 40));
    caches.begin(1);
    expect(caches.of(1).get('a')).toBeUndefined();
    expect(caches.of(2).get('b')).toBeDefined();
    caches.of(1).put(withMessage('c', 60));
    expect(caches.of(2).get('b')).toBeDefined();
  });

  it('ignores a late batch from before the partition began', () => {
    const caches = createPartitionCaches(10);
    const before = caches.of(1);
    caches.begin(1);
    before.put(withMessage('a', 1));
    expect(caches.of(1).get('a')).toBeUndefined();
    caches.of(1).put(withMessage('a', 2));
    before.drop('a');
    expect(before.get('a')).toBeUndefined();
    expect(caches.of(1).get('a')?.reported.lastMessage).toBe('xx');
  });
});
