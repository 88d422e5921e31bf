import { createFakeClock } from '@busbar/testing';
import { newSite } from '../testing/site';
import { storedSites } from '../testing/stored-sites';
import { createSite } from './create-site';
import type { Site } from './site';

const NOW = '2026-02-01T00:00:00.000Z';
/** A chain of sites, each below the one before: site n is at level n. */
const CHAIN = Array.from({ length: 50 }, (_each, i) => newSite({ siteId: i + 1, parentSiteId: i === 0 ? null : i }));
const FOREIGN = newSite({ siteId: 90, clientId: 'other' });

function open() {
  return { sites: storedSites(...CHAIN, FOREIGN), clock: createFakeClock(new Date(NOW)) };
}

function noParent(siteId: number) {
  const details = { issues: [{ field: 'parentSiteId', message: 'is no site of this client' }] };
  return { code: 'invalid_site_id', message: `There is no parent site (group) ${String(siteId)}.`, details };
}

describe('creating a site', () => {
  it.each<[string, Partial<Parameters<typeof createSite>[2]>, Partial<Site>]>([
    ['gives absent fields their defaults', {}, {}],
    ['gives null fields their defaults', { city: null, isPublicSite: null, tags: null, parentSiteId: null }, {}],
    ['stores the given fields', { city: 'Ulm', groupType: 'SUB_CPO' }, { city: 'Ulm', groupType: 'SUB_CPO' }],
    ['puts it below the given site', { parentSiteId: 1 }, { parentSiteId: 1 }],
    ['puts it at the lowest level of a tree', { parentSiteId: 49 }, { parentSiteId: 49 }],
  ])('%s', async (_title, input, expected) => {
    const deps = open();
    const site = await createSite(deps, 'client', { name: 'New', ...input });
    expect(site).toEqual(newSite({ siteId: 91, name: 'New', createdAt: NOW, updatedAt: NOW, ...expected }));
    expect(deps.sites.all.get(91)).toEqual(site);
    // A concurrent deletion of the parent notices the arrival.
    const arrivals = [...deps.sites.all.values()].filter((each) => each.arrivals === 1);
    expect(arrivals.map(({ siteId }) => siteId)).toEqual(expected.parentSiteId ? [expected.parentSiteId] : []);
  });

  it.each<[string, number, object]>([
    ['refuses an unknown parent', 80, noParent(80)],
    ["refuses another client's parent", 90, noParent(90)],
    [
      'refuses a place below the lowest level',
      50,
      { code: 'conflict', message: 'A tree of sites has at most 50 levels.' },
    ],
  ])('%s, and stores nothing', async (_title, parentSiteId, refusal) => {
    const deps = open();
    await expect(createSite(deps, 'client', { name: 'New', parentSiteId })).rejects.toMatchObject(refusal);
    expect(deps.sites.all.size).toBe(51);
  });

  it('withdraws it where its parent is deleted meanwhile', async () => {
    const deps = open();
    const sites = { ...deps.sites, arrive: () => Promise.resolve(false) };
    const creation = createSite({ ...deps, sites }, 'client', { name: 'New', parentSiteId: 1 });
    await expect(creation).rejects.toMatchObject(noParent(1));
    expect(deps.sites.all.has(91)).toBe(false);
  });
});
