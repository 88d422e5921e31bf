import { newCharger } from '../testing/charger';
import { newSite } from '../testing/site';
import { storedSites } from '../testing/stored-sites';
import type { Charger } from './charger';
import type { ChargerLister } from './charger-listing';
import {
  allChargers,
  AT_A_TIME,
  chargersInPages,
  listChargers,
  type ChargerQuery,
  type ListChargersDeps,
} from './list-chargers';

const PAGE = { page: 1, limit: 10, sortKey: 'chargerId', sortDescending: false } as const;

/** 1 is above 2, and 2 above 3; 4 stands alone. 9 is another client's. 2, 4 and 9 have the external id `east`. */
const SITES = [
  newSite({ siteId: 1 }),
  newSite({ siteId: 2, parentSiteId: 1, externalId: 'east' }),
  newSite({ siteId: 3, parentSiteId: 2 }),
  newSite({ siteId: 4, externalId: 'east' }),
  newSite({ siteId: 9, clientId: 'other', externalId: 'east' }),
];

/** A list shows each charger; the filters that it was given are recorded. A scan reads by id. */
function open(...chargers: readonly Charger[]) {
  const sites = storedSites(...SITES);
  const findMany = jest.spyOn(sites, 'findMany');
  const list = jest.fn<ReturnType<ChargerLister['list']>, Parameters<ChargerLister['list']>>(() =>
    Promise.resolve({ items: chargers, total: 41, next: { value: 'x', tie: 'x' } }),
  );
  const scan = jest.fn<ReturnType<ChargerLister['scan']>, Parameters<ChargerLister['scan']>>(
    (clientId, { siteId, after, limit }) => {
      const own = chargers.filter((each) => each.clientId === clientId && each.chargerId > after);
      return Promise.resolve(
        own.filter(({ registered }) => (siteId ?? registered.siteId) === registered.siteId).slice(0, limit),
      );
    },
  );
  const idsByExternalId = (clientId: string, externalId: string) =>
    Promise.resolve(
      SITES.filter((site) => site.clientId === clientId && site.externalId === externalId).map(({ siteId }) => siteId),
    );
  const deps: ListChargersDeps = { chargers: { list, scan }, sites: { ...sites, idsByExternalId } };
  return { deps, list, scan, findMany };
}

function chargerAt(siteId: number, chargerId = `C${String(siteId)}`): Charger {
  return newCharger({ chargerId, registered: { siteId } });
}

/** So many chargers at site 1, by id. */
function many(count: number): Charger[] {
  return Array.from({ length: count }, (_each, i) => chargerAt(1, `C${String(i).padStart(4, '0')}`));
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('a list of chargers', () => {
  it.each<[string, ChargerQuery, readonly number[] | undefined]>([
    ['everywhere where no site is named', {}, undefined],
    ['everywhere where no site is named, with the sites below', { includeSubsites: true }, undefined],
    ['at the named site', { siteId: 1 }, [1]],
    ['at the named site and those below', { siteId: 1, includeSubsites: true }, [1, 2, 3]],
    ['at each of its sites with the external id', { externalSiteId: 'east' }, [2, 4]],
    ['at those sites and those below', { externalSiteId: 'east', includeSubsites: true }, [2, 4, 3]],
    ['nowhere for an unknown external id', { externalSiteId: 'west' }, []],
    ['at the site with both ids', { siteId: 4, externalSiteId: 'east' }, [4]],
    ['nowhere for two ids of different sites', { siteId: 1, externalSiteId: 'east' }, []],
    ['at the sites below both', { siteId: 1, externalSiteId: 'east', includeSubsites: true }, [2, 3]],
  ])('has those of its client %s', async (_title, query, siteIds) => {
    const { deps, list } = open();
    await listChargers(deps, 'client', query, PAGE);
    expect(list.mock.calls).toMatchObject([['client', { siteIds }, PAGE]]);
  });

  it('keeps the other filters', async () => {
    const { deps, list } = open();
    const filter = { state: 'Charging', search: 'C', activeConnection: true } as const;
    await listChargers(deps, 'client', { ...filter, siteId: 1 }, PAGE);
    expect(list).toHaveBeenCalledWith('client', expect.objectContaining({ ...filter, siteIds: [1] }), PAGE);
  });

  it('is a page with its total and its end, and the name of each site', async () => {
    const { deps, findMany } = open(chargerAt(1), chargerAt(4, 'A'), chargerAt(4, 'B'), chargerAt(7), chargerAt(9));
    const { items, ...page } = await listChargers(deps, 'client', {}, PAGE);
    expect(page).toEqual({ total: 41, next: { value: 'x', tie: 'x' } });
    expect(items.map(({ charger, siteName }) => [charger.chargerId, siteName])).toEqual([
      ['C1', 'Site 1'],
      ['A', 'Site 4'],
      ['B', 'Site 4'],
      ['C7', ''],
      ['C9', ''],
    ]);
    expect(findMany.mock.calls).toEqual([['client', [1, 4, 7, 9]]]);
  });

  it('reads no site for an empty page', async () => {
    const { deps, findMany } = open();
    await listChargers(deps, 'client', {}, PAGE);
    expect(findMany).not.toHaveBeenCalled();
  });
});

describe('all chargers of a client', () => {
  const theirs = newCharger({ chargerId: 'C9', clientId: 'other', registered: { siteId: 9 } });
  it.each<[string, number | undefined, string[]]>([
    ['at all sites', undefined, ['C1 Site 1', 'C2 Site 2', 'C8 ']],
    ['at one site', 2, ['C2 Site 2']],
    ["at another client's site", 9, []],
  ])('come with the name of their site, %s', async (_title, siteId, expected) => {
    const { deps } = open(chargerAt(1), chargerAt(2), chargerAt(8), theirs);
    const found = await collect(allChargers(deps, 'client', siteId));
    expect(found.map(({ charger, siteName }) => `${charger.chargerId} ${siteName}`)).toEqual(expected);
  });

  it.each([
    ['none', 0, [0]],
    ['fewer than a batch', AT_A_TIME - 1, [AT_A_TIME - 1]],
    ['a full batch', AT_A_TIME, [AT_A_TIME, 0]],
    ['one more', AT_A_TIME + 1, [AT_A_TIME, 1]],
    ['two batches and some', 2 * AT_A_TIME + 5, [AT_A_TIME, AT_A_TIME, 5]],
  ])('come once each, in batches: %s', async (_title, count, sizes) => {
    const { deps } = open(...many(count));
    const batches = await collect(chargersInPages(deps, 'client'));
    expect(batches.map(({ length }) => length)).toEqual(sizes);
    expect(batches.flat()).toEqual(many(count));
  });

  it('are read as they are consumed', async () => {
    const { deps, scan } = open(...many(3 * AT_A_TIME));
    const chargers = allChargers(deps, 'client');
    for (let i = 0; i < AT_A_TIME; i += 1) await chargers.next();
    expect(scan).toHaveBeenCalledTimes(1);
    await chargers.next();
    expect(scan).toHaveBeenLastCalledWith('client', { siteId: undefined, after: 'C0099', limit: AT_A_TIME });
  });
});
