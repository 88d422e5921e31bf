import { newSite } from '../testing/site';
import { storedSites } from '../testing/stored-sites';
import { listSites, placeNewSite, placeSites, readSite } from './place-site';
import type { Site } from './site';

const ROOT = newSite({ siteId: 1 });
const MIDDLE = newSite({ siteId: 2, parentSiteId: 1 });
const LEAF = newSite({ siteId: 3, parentSiteId: 2 });
const SECOND_LEAF = newSite({ siteId: 4, parentSiteId: 2 });
const ORPHAN = newSite({ siteId: 5, parentSiteId: 80 });
const FOREIGN = newSite({ siteId: 6, clientId: 'other' });
const BELOW_FOREIGN = newSite({ siteId: 7, parentSiteId: 6 });

function open() {
  const chargers = { countBySite: () => Promise.resolve(new Map([[1, 4] as const, [3, 2] as const])) };
  return { sites: storedSites(ROOT, MIDDLE, LEAF, SECOND_LEAF, ORPHAN, FOREIGN, BELOW_FOREIGN), chargers };
}

function place(site: Site, ancestors: readonly Site[], numberOfChargers: number, numberOfSubsites: number) {
  return { site, ancestors, numberOfChargers, numberOfSubsites };
}

describe('the place of a site', () => {
  it.each<[string, Site, readonly Site[], readonly [chargers: number, subsites: number]]>([
    ['has no ancestors at the root', ROOT, [], [4, 1]],
    ['counts the sites directly below it only, and no chargers there', MIDDLE, [ROOT], [0, 2]],
    ['has its ancestors from the root down', LEAF, [ROOT, MIDDLE], [2, 0]],
    ['has no ancestors where its parent was deleted', ORPHAN, [], [0, 0]],
    ["never shows another client's site among its ancestors", BELOW_FOREIGN, [], [0, 0]],
  ])('%s', async (_title, site, ancestors, [chargers, subsites]) => {
    const expected = place(site, ancestors, chargers, subsites);
    expect(await readSite(open(), 'client', site.siteId)).toEqual(expected);
    expect(await placeSites(open(), 'client', [site])).toEqual([expected]);
  });

  it('has the ancestors of a new site, which contains nothing', async () => {
    expect(await placeNewSite(open(), LEAF)).toEqual(place(LEAF, [ROOT, MIDDLE], 0, 0));
  });

  it.each([
    ['is refused for an unknown site', 80],
    ["is refused for another client's site", 6],
  ])('%s', async (_title, siteId) => {
    const refusal = { code: 'not_found', message: `There is no site (group) ${String(siteId)}.` };
    await expect(readSite(open(), 'client', siteId)).rejects.toMatchObject(refusal);
  });
});

describe('the places of several sites', () => {
  it('returns them in the order of the sites', async () => {
    const placed = await placeSites(open(), 'client', [LEAF, ROOT, MIDDLE]);
    expect(placed.map(({ site }) => site)).toEqual([LEAF, ROOT, MIDDLE]);
  });

  it('reads nothing where there are no sites', async () => {
    const unread = () => Promise.reject(new Error('nothing is to be read'));
    const sites = { find: unread, findMany: unread, countChildren: unread, list: unread };
    expect(await placeSites({ sites, chargers: { countBySite: unread } }, 'client', [])).toEqual([]);
  });

  it('fills a page of the list, and keeps its other fields', async () => {
    const request = { page: 1, limit: 2, sortKey: 'id', sortDescending: false } as const;
    const next = { value: 2, tie: 2 };
    const deps = open();
    const list = jest.fn(() => Promise.resolve({ items: [ROOT, MIDDLE], total: 6, next }));
    const page = await listSites({ ...deps, sites: { ...deps.sites, list } }, 'client', { city: 'Ulm' }, request);
    expect(page).toEqual({ items: [place(ROOT, [], 4, 1), place(MIDDLE, [ROOT], 0, 2)], total: 6, next });
    expect(list).toHaveBeenCalledWith('client', { city: 'Ulm' }, request);
  });
});
