import type { Charger } from '@busbar/domain/chargers';
import { createMemoryStores } from '../testing/memory-stores';
import { createChargerCache, createPartitionCaches, type ChargerCache } from './charger-cache';

const stores = createMemoryStores();

function chargerOf(chargerId: string, reported: Partial<Charger['reported']> = {}): Charger {
  stores.register(chargerId);
  const charger = stores.chargers.get(chargerId);
  if (charger === undefined) throw new Error('not registered');
  return { ...charger, reported: { ...charger.reported, ...reported } };
}

const said = (chargerId: string, length: number): Charger => chargerOf(chargerId, { lastMessage: 'x'.repeat(length) });
const kept = (cache: ChargerCache): string[] => ['a', 'b', 'c', 'd'].filter((id) => cache.get(id) !== undefined);

describe('the chargers kept in memory', () => {
  it('are as many as it has room for, those unused for longest leaving first', () => {
    const cache = createChargerCache(2);
    for (const id of ['a', 'b']) cache.put(said(id, 1));
    cache.get('a');
    cache.put(said('c', 1));
    expect(kept(cache)).toEqual(['a', 'c']);
  });

  it('have no more characters together than it has room for', () => {
    const cache = createChargerCache(10, 100);
    for (const id of ['a', 'b', 'c']) cache.put(said(id, 30));
    expect(kept(cache)).toEqual(['a', 'b', 'c']);
    cache.put(said('d', 40));
    expect(kept(cache)).toEqual(['b', 'c', 'd']);
  });

  it('count as they are now, not as they once were', () => {
    const cache = createChargerCache(10, 100);
    cache.put(said('a', 90));
    cache.put(said('a', 10));
    cache.put(said('b', 80));
    expect(kept(cache)).toEqual(['a', 'b']);
    cache.drop('b');
    cache.put(said('c', 90));
    expect(kept(cache)).toEqual(['a', 'c']);
    cache.put(said('d', 101));
    expect(kept(cache)).toEqual([]);
  });

  it('count with what they are configured to, also where that changes under them', () => {
    const item = { configName: 'LongOne', configValue: 'y'.repeat(53), canBeChanged: true };
    const configuration = [item];
    const cache = createChargerCache(10, 100);
    cache.put(said('a', 10));
    cache.put(chargerOf('b', { configuration }));
    cache.put(chargerOf('b', { configuration, lastMessage: 'x'.repeat(30) }));
    expect(kept(cache)).toEqual(['a', 'b']);
    cache.put(chargerOf('b', { configuration: [...configuration, item] }));
    expect(kept(cache)).toEqual([]);
  });
});

describe('a partition that is begun again', () => {
  it('has nothing from before, whatever the others have', () => {
    const caches = createPartitionCaches(10, 100);
    caches.of(1).put(said('a', 60));
    caches.of(2).put(said('b', 40));
    caches.begin(1);
    expect(caches.of(1).get('a')).toBeUndefined();
    expect(caches.of(2).get('b')).toBeDefined();
    caches.of(1).put(said('c', 60));
    expect(caches.of(2).get('b')).toBeDefined();
  });

  it('takes nothing from a batch of before that ends late', () => {
    const caches = createPartitionCaches(10);
    const before = caches.of(1);
    caches.begin(1);
    before.put(said('a', 1));
    expect(caches.of(1).get('a')).toBeUndefined();
    caches.of(1).put(said('a', 2));
    before.drop('a');
    expect(before.get('a')).toBeUndefined();
    expect(caches.of(1).get('a')?.reported.lastMessage).toBe('xx');
  });
});
