import { isFiltered, matches, parseFleetSearch, queryOf } from './fleet-search';

describe('the address of the fleet', () => {
  it('keeps what is valid', () => {
    const search = {
      search: 'quay',
      state: 'Error',
      connected: false,
      site: 3,
      version: 'ocpp2.1',
      order: 'name',
      page: 7,
    };
    expect(parseFleetSearch(search)).toEqual(search);
  });

  it.each([
    { state: 'Levitating' },
    { connected: 'yes' },
    { site: -1 },
    { site: '3' },
    { version: 'ocpp9' },
    { order: 'colour' },
    { page: 1.5 },
    { search: '' },
    { search: { $ne: 1 } },
    { other: 1 },
  ])('leaves out %j', (raw) => {
    expect(parseFleetSearch(raw)).toEqual({});
  });

  it('takes a number for the text that it is', () => {
    expect(parseFleetSearch({ search: 42 })).toEqual({ search: '42' });
  });

  it('becomes the query of the API', () => {
    expect(queryOf({})).toEqual({ limit: 100, sortKey: 'chargerId', sortDescending: false });
    expect(queryOf({ site: 3, connected: true, order: 'createdAt', page: 9 })).toEqual({
      limit: 100,
      sortKey: 'createdAt',
      sortDescending: true,
      siteId: 3,
      includeSubsites: true,
      activeConnection: true,
    });
  });

  it('is filtered by anything but order and page', () => {
    expect(isFiltered({ order: 'name', page: 3 })).toBe(false);
    expect(isFiltered({ connected: false })).toBe(true);
  });
});

describe('a row', () => {
  it.each([
    [{}, true],
    [{ state: 'Charging' as const }, true],
    [{ state: 'Available' as const }, false],
    [{ connected: true }, true],
    [{ connected: false }, false],
  ])('stays in the list %j: %s', (search, stays) => {
    expect(matches(search, { state: 'Charging', activeConnection: true })).toBe(stays);
  });
});
