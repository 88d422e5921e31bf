import { newSite } from '../testing/site';
import { storedSites } from '../testing/stored-sites';
import type { Site } from './site';
import { ancestorsOf, ancestorsOfAll, heightOf, MAX_LEVELS, MAX_SITES, withSubsites } from './site-tree';

/** Sites by their id, each with the id of its parent. */
function tree(...parents: readonly (readonly [number, number | null])[]): Site[] {
  return parents.map(([siteId, parentSiteId]) => newSite({ siteId, parentSiteId }));
}

/** A line of sites, each below the one before. */
function line(length: number): Site[] {
  return tree(...Array.from({ length }, (_each, i) => [i + 1, i === 0 ? null : i] as const));
}

/** 1 is above 2 and 3, and 3 above 4; 5 stands alone. Another client's 6 names 1 as its parent. */
const SITES = [
  ...tree([1, null], [2, 1], [3, 1], [4, 3], [5, null]),
  newSite({ siteId: 6, clientId: 'other', parentSiteId: 1 }),
];
const CIRCLE = tree([1, 3], [2, 1], [3, 2]);

function siteOf(sites: readonly Site[], id: number): Site {
  const site = sites.find(({ siteId }) => siteId === id);
  if (site === undefined) throw new Error('the site is not there');
  return site;
}

describe('the ancestors of a site', () => {
  it.each<[string, Site[], number, readonly number[]]>([
    ['are none for a root', SITES, 1, []],
    ['are from the root down', SITES, 4, [1, 3]],
    ['are none where the parent is unknown', tree([2, 1]), 2, []],
    ['end at an unknown parent', tree([3, 2], [2, 1]), 3, [2]],
    ["are not another client's", SITES, 6, []],
  ])('%s', async (_title, sites, siteId, expected) => {
    const found = await ancestorsOf(storedSites(...sites), siteOf(sites, siteId));
    expect(found.map((site) => site.siteId)).toEqual(expected);
  });

  it('are read by level for many sites, a common one once', async () => {
    const sites = storedSites(...SITES);
    const findMany = jest.spyOn(sites, 'findMany');
    const found = await ancestorsOfAll(
      sites,
      'client',
      [2, 3, 4, 5].map((id) => siteOf(SITES, id)),
    );
    const paths = [...found].map(([siteId, path]) => [siteId, path.map((site) => site.siteId)]);
    expect(paths).toEqual([
      [2, [1]],
      [3, [1]],
      [4, [1, 3]],
      [5, []],
    ]);
    expect(findMany.mock.calls).toEqual([['client', [1]]]);
  });

  it.each([
    ['of a tree that is deeper', line(MAX_LEVELS + 10), MAX_LEVELS + 10],
    ['of a circle', CIRCLE, 1],
  ])(`are at most ${String(MAX_LEVELS)} %s`, async (_title, sites, siteId) => {
    expect(await ancestorsOf(storedSites(...sites), siteOf(sites, siteId))).toHaveLength(MAX_LEVELS);
  });
});

describe('sites with those below', () => {
  it.each<[string, Site[], number[], number[]]>([
    ['are none for none', SITES, [], []],
    ['are the site alone where none is below', SITES, [5], [5]],
    ['are those of all levels, and of no other client', SITES, [1], [1, 2, 3, 4]],
    ['have a site once that is named and below another', SITES, [3, 1], [1, 2, 3, 4]],
    ['have each site of a circle once', CIRCLE, [1], [1, 2, 3]],
  ])('%s', async (_title, sites, named, expected) => {
    const found = await withSubsites(storedSites(...sites), 'client', named);
    expect(found.sort((a, b) => a - b)).toEqual(expected);
  });

  it.each([
    ['includes a tree with the most sites', MAX_SITES - 1, true],
    ['refuses a larger tree', MAX_SITES, false],
  ])('%s', async (_title, below, fits) => {
    const childIds = (_clientId: string, parents: readonly number[]) =>
      Promise.resolve(parents.includes(0) ? Array.from({ length: below }, (_each, i) => i + 1) : []);
    const found = withSubsites({ childIds }, 'client', [0]);
    if (fits) await expect(found).resolves.toHaveLength(MAX_SITES);
    else {
      const issues = [{ field: 'includeSubsites', message: `selects more than ${String(MAX_SITES)} sites` }];
      await expect(found).rejects.toMatchObject({ code: 'invalid_request', details: { issues } });
    }
  });
});

describe('the height of a site', () => {
  it.each([
    ['without sites below', 5, 0],
    ['with sites in one level', 3, 1],
    ['with sites in two levels', 1, 2],
  ])('%s is the number of levels below it', async (_title, siteId, height) => {
    expect(await heightOf(storedSites(...SITES), siteOf(SITES, siteId))).toBe(height);
  });

  it(`is at most ${String(MAX_LEVELS)}`, async () => {
    const sites = line(MAX_LEVELS + 10);
    expect(await heightOf(storedSites(...sites), siteOf(sites, 1))).toBe(MAX_LEVELS);
  });

  it('names the parent as the invalid field where the tree is too large', async () => {
    const childIds = () => Promise.resolve(Array.from({ length: MAX_SITES + 1 }, (_each, i) => i + 2));
    await expect(heightOf({ childIds }, newSite())).rejects.toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ field: 'parentSiteId' }] },
    });
  });
});
