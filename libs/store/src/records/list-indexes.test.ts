// Compares each list with the declared indexes: equality, then the order. A document server finds its plan by trials; these
// tests show that one exists.
import type { PageRequest } from '@busbar/domain';
import type { ChargerFilter } from '@busbar/domain/chargers';
import type { SiteFilter } from '@busbar/domain/sites';
import type { CollectionDefinition, Document, Filter, FindOptions, Store } from '../port';
import { chargerListRecords } from './api/chargers';
import { allCollections } from './collections';
import { siteRecords } from './api/sites';

interface Asked {
  readonly collection: string;
  readonly filter: Filter;
  readonly sort: readonly string[];
}

/** An empty store that records its queries. */
function listening(asked: Asked[], count: (filter: Filter) => number = () => 0): Store {
  const collection = ({ name }: CollectionDefinition<Document>) => ({
    find(filter: Filter, { sort = [] }: FindOptions = {}) {
      asked.push({ collection: name, filter, sort: sort.map(([path]) => path) });
      return Promise.resolve([]);
    },
    count: (filter: Filter) => Promise.resolve(count(filter)),
  });
  return { collection } as unknown as Store;
}

/** Returns the equated paths and the range path of one alternative. */
function shapeOf(filter: Filter): { readonly equal: string[]; readonly range: string[] } {
  if (filter.op === 'and') {
    const shapes = filter.filters.map(shapeOf);
    return { equal: shapes.flatMap(({ equal }) => equal), range: shapes.flatMap(({ range }) => range) };
  }
  if ('filters' in filter) throw new Error('alternatives within alternatives');
  if (filter.op === 'eq') return { equal: [filter.path], range: [] };
  return { equal: [], range: ['gt', 'gte', 'lt', 'lte'].includes(filter.op) ? [filter.path] : [] };
}

/** Returns whether some index begins with the equated paths, in any order, and continues with the order or the range. */
function isServed({ collection, filter, sort }: Asked): boolean {
  const indexes = allCollections.find(({ name }) => name === collection)?.indexes ?? [];
  const alternatives = filter.op === 'or' ? filter.filters : [filter];
  return alternatives.every((alternative) => {
    const { equal, range } = shapeOf(alternative);
    const next = range.length > 0 ? range.slice(0, 1) : sort;
    return indexes.some(({ paths }) => {
      const names = paths.map(([path]) => path);
      const head = names.slice(0, equal.length);
      const continues = next.every((path, i) => names[equal.length + i] === path);
      return equal.every((path) => head.includes(path)) && continues;
    });
  });
}

const page = <K extends string>(sortKey: K): PageRequest<K> => ({
  page: 1,
  limit: 100,
  sortKey,
  sortDescending: false,
});

describe('an index declaration', () => {
  it.each<ChargerFilter>([
    {},
    { siteIds: [1] },
    { manufacturer: 'M' },
    { model: 'M' },
    { state: 'Offline' },
    { state: 'Charging' },
    { activeConnection: true },
    { ocppVersion: 'ocpp1.6' },
    { search: 'x' },
  ])('serves a list of chargers by %j', async (filter) => {
    const asked: Asked[] = [];
    await chargerListRecords(listening(asked)).list('c', filter, page('chargerId'));
    expect(asked).toHaveLength(1);
    expect(asked.filter((each) => !isServed(each))).toEqual([]);
  });

  it.each(['name', 'createdAt'] as const)('serves a list of all chargers in the order of their %s', async (sortKey) => {
    const asked: Asked[] = [];
    await chargerListRecords(listening(asked)).list('c', {}, page(sortKey));
    expect(asked.filter((each) => !isServed(each))).toEqual([]);
  });

  it('serves a search for many chargers by a prefix of their name, in the order of their names', async () => {
    const asked: Asked[] = [];
    const some = { 'listed.name': 3_000, 'listed.chargerId': 0 };
    const count = (filter: Filter) =>
      Object.entries(some).find(([path]) => JSON.stringify(filter).includes(path))?.[1] ?? 5_000;
    const search = { search: 'x', state: 'Offline' } as const;
    await chargerListRecords(listening(asked, count)).list('c', search, page('name'));
    // The query has no alternatives, and does not walk along all of the order.
    expect(asked.map(({ filter }) => shapeOf(filter).range)).toEqual([['listed.name', 'listed.name']]);
  });

  it('serves the list of the chargers of a site in the order of their names', async () => {
    const asked: Asked[] = [];
    await chargerListRecords(listening(asked)).list('c', { siteIds: [1] }, page('name'));
    expect(asked.filter((each) => !isServed(each))).toEqual([]);
  });

  it.each<SiteFilter>([{}, { country: 'NO' }, { city: 'Oslo' }, { parentSiteId: 1 }, { onlyRoots: true }])(
    'serves a list of sites by %j',
    async (filter) => {
      const asked: Asked[] = [];
      await siteRecords(listening(asked), () => '').list('c', filter, page('id'));
      expect(asked.filter((each) => !isServed(each))).toEqual([]);
    },
  );

  it.each(['name', 'city', 'country', 'createdAt'] as const)(
    'serves a list of all sites in the order of their %s',
    async (key) => {
      const asked: Asked[] = [];
      await siteRecords(listening(asked), () => '').list('c', {}, page(key));
      expect(asked.filter((each) => !isServed(each))).toEqual([]);
    },
  );

  it('does not serve a list whose order it does not have', () => {
    const filter = { op: 'eq', path: 'clientId', value: 'c' } as const;
    expect(isServed({ collection: 'chargers', filter, sort: ['registered.evseId'] })).toBe(false);
  });
});
