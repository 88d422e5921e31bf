import { newSite } from '../testing/site';
import { storedSites } from '../testing/stored-sites';
import type { StateCount, StateFilter } from './history';
import { listStateChanges, siteStateCounts, type ReadStatesDeps, type StateQuery } from './read-states';

const NOW = new Date('2026-02-10T12:00:30.500Z');
const PAGE = { page: 1, limit: 10, sortKey: 'at', sortDescending: true } as const;
const BY_ID = { page: 1, limit: 10, sortKey: 'id', sortDescending: false } as const;
const SITES = [
  newSite({ siteId: 3, name: 'b', city: 'Ulm' }),
  newSite({ siteId: 1, name: 'c', city: null }),
  newSite({ siteId: 2, name: 'a', city: 'Ulm', parentSiteId: 1 }),
  newSite({ siteId: 9, clientId: 'other' }),
];
const COUNTS: StateCount[] = [
  { day: '2026-02-10', state: 'Charging', count: 2 },
  { day: '2026-02-09', state: 'Charging', count: 1 },
  { day: '2026-02-09', state: 'Available', count: 4 },
  { day: '2026-02-09', state: 'Dreaming', count: 8 },
];

function open() {
  const history = {
    statePage: jest.fn(() => Promise.resolve({ items: [], total: 5 })),
    countStates: jest.fn((_clientId: string, { siteIds }: StateFilter) =>
      Promise.resolve(siteIds?.includes(3) === true ? [] : COUNTS),
    ),
  };
  return { history, deps: { history, sites: storedSites(...SITES) } satisfies ReadStatesDeps };
}

describe('the period of a query of states', () => {
  it.each<[string, StateQuery, { from: string; to: string }]>([
    [
      'is seven days to the end of this minute',
      {},
      { from: '2026-02-03T12:01:00.000Z', to: '2026-02-10T12:01:00.000Z' },
    ],
    [
      'is seven days to the given end',
      { to: '2026-01-20T00:00:00.000Z' },
      { from: '2026-01-13T00:00:00.000Z', to: '2026-01-20T00:00:00.000Z' },
    ],
    [
      'is that from the given begin',
      { from: '2026-02-10T12:00:59.999Z' },
      { from: '2026-02-10T12:00:59.999Z', to: '2026-02-10T12:01:00.000Z' },
    ],
    [
      'may have 31 days',
      { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' },
      { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' },
    ],
    [
      'may begin with 1970',
      { from: '1970-01-01T00:00:00.000Z', to: '1970-01-02T00:00:00.000Z' },
      { from: '1970-01-01T00:00:00.000Z', to: '1970-01-02T00:00:00.000Z' },
    ],
  ])('%s', async (_title, query, period) => {
    const { deps, history } = open();
    const { filter } = await listStateChanges(deps, 'client', { ...query, now: NOW }, PAGE);
    expect(filter).toEqual(period);
    expect(history.statePage).toHaveBeenCalledWith('client', filter, PAGE);
    expect(history.countStates).toHaveBeenCalledWith('client', filter);
  });

  it.each<[string, StateQuery, 'from' | 'to', string]>([
    ['does not begin at its end', { from: '2026-02-10T12:01:00.000Z' }, 'from', 'must be before to'],
    [
      'does not have more than 31 days',
      { from: '2025-12-31T23:59:59.999Z', to: '2026-02-01T00:00:00.000Z' },
      'from',
      'must be at most 31 days before to',
    ],
    ['does not begin before 1970', { from: '1969-12-31T23:59:59.999Z' }, 'from', 'must not be before 1970'],
    ['does not end before 1970', { to: '1969-12-31T23:59:59.999Z' }, 'to', 'must not be before 1970'],
  ])('%s', async (_title, query, field, rule) => {
    const { deps, history } = open();
    const issues = [{ field, message: rule }];
    const refusal = { code: 'invalid_request', message: `${field} ${rule}.`, details: { issues } };
    await expect(listStateChanges(deps, 'client', { ...query, now: NOW }, PAGE)).rejects.toMatchObject(refusal);
    await expect(siteStateCounts(deps, 'client', { ...query, now: NOW }, BY_ID)).rejects.toMatchObject(refusal);
    expect(history.countStates).not.toHaveBeenCalled();
  });
});

describe('the sites of a query of states', () => {
  it.each<[string, StateQuery, readonly number[] | undefined]>([
    ['returns all where none is named', {}, undefined],
    ['returns all where none is named, with those below', { includeSubsites: true }, undefined],
    ['returns the named ones', { siteIds: [1] }, [1]],
    ['returns the named ones and those below', { siteIds: [1], includeSubsites: true }, [1, 2]],
  ])('%s', async (_title, query, siteIds) => {
    const filter = { chargerIds: ['ACME_1'], socketIds: [0] };
    const listed = await listStateChanges(open().deps, 'client', { ...query, ...filter, now: NOW }, PAGE);
    expect(listed.filter).toMatchObject({ ...filter, siteIds });
  });
});

it('counts each known state of the listed changes, and 0 for the others', async () => {
  const { countsByState, total } = await listStateChanges(open().deps, 'client', { now: NOW }, PAGE);
  expect(total).toBe(5);
  expect(countsByState).toMatchObject({ Charging: 3, Available: 4, Offline: 0, Error: 0 });
  expect(countsByState).not.toHaveProperty('Dreaming');
});

describe('the counts of states by site', () => {
  it('returns the days with a report, in order', async () => {
    const { items } = await siteStateCounts(open().deps, 'client', { siteIds: [1, 3], now: NOW }, BY_ID);
    expect(items).toMatchObject([
      {
        site: SITES[1],
        countsByState: { Charging: 3, Available: 4, Preparing: 0 },
        days: [
          { day: '2026-02-09', countsByState: { Charging: 1, Available: 4 } },
          { day: '2026-02-10', countsByState: { Charging: 2, Available: 0 } },
        ],
      },
      { site: SITES[0], countsByState: { Charging: 0 }, days: [] },
    ]);
  });

  it.each<[string, Partial<Parameters<typeof siteStateCounts>[3]>, readonly number[]]>([
    ['sorts them by id', {}, [1, 2, 3]],
    ['sorts them downwards', { sortDescending: true }, [3, 2, 1]],
    ['sorts them by name', { sortKey: 'name' }, [2, 3, 1]],
    ['sorts them by city, none first, and then by id', { sortKey: 'city' }, [1, 2, 3]],
    ['returns the second page', { page: 2, limit: 2 }, [3]],
  ])('%s where sites are named', async (_title, page, expected) => {
    const query = { siteIds: [3, 1, 2, 9], now: NOW };
    const counted = await siteStateCounts(open().deps, 'client', query, { ...BY_ID, ...page });
    expect(counted.items.map(({ site }) => site.siteId)).toEqual(expected);
    expect(counted.total).toBe(3);
  });

  it('returns a page of all sites where none is named', async () => {
    const { deps, history } = open();
    const { items, total } = await siteStateCounts(deps, 'client', { now: NOW }, { ...BY_ID, limit: 2 });
    expect([items.map(({ site }) => site.siteId), total]).toEqual([[3, 1], 3]);
    expect(history.countStates.mock.calls.map(([, { siteIds }]) => siteIds)).toEqual([[3], [1]]);
  });
});
