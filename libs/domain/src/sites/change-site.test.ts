// Races of several processes run in the store's contract; here each is a situation in which a change finds the tree.
import { createFakeClock } from '@busbar/testing';
import { newSite } from '../testing/site';
import { storedSites } from '../testing/stored-sites';
import { deleteSite, updateSite, type ChangeSiteDeps, type SiteChange } from './change-site';
import type { Site, SiteTreeChange } from './site';

const NOW = '2026-02-01T00:00:00.000Z';
const ROOT = newSite({ siteId: 1 });
const MIDDLE = newSite({ siteId: 2, parentSiteId: 1, city: 'Ulm', version: 3 });
const LEAF = newSite({ siteId: 3, parentSiteId: 2 });
const OTHER_ROOT = newSite({ siteId: 4 });
const FOREIGN = newSite({ siteId: 9, clientId: 'other' });
const OWNED = { clientId: 'client', siteId: 2 };
const STALE = { ...OWNED, ifMatch: () => false };
const OTHER_VERSION = {
  code: 'precondition_failed',
  message: 'The site was changed in the meantime. Read it again, then change it.',
};
const CONTENDED = { code: 'conflict', message: 'Others keep changing the same sites. Try again.' };

function open(...more: readonly Site[]) {
  const sites = storedSites(ROOT, MIDDLE, LEAF, OTHER_ROOT, FOREIGN, ...more);
  const unused = () => Promise.reject(new Error('not for this use case'));
  const chargers = { countBySite: () => Promise.resolve(new Map([[4, 2] as const])) };
  const deps: ChangeSiteDeps = {
    sites: { ...sites, listAll: unused, idsByExternalId: unused },
    chargers,
    clock: createFakeClock(new Date(NOW)),
  };
  return { deps, all: sites.all };
}

function unknown(siteId: number) {
  return { code: 'not_found', message: `There is no site (group) ${String(siteId)}.` };
}

function noParent(siteId: number) {
  const details = { issues: [{ field: 'parentSiteId', message: 'is no site of this client' }] };
  return { code: 'invalid_site_id', message: `There is no parent site (group) ${String(siteId)}.`, details };
}

function circle(siteId: number) {
  return { code: 'site_circle', message: `Site (group) ${String(siteId)} is the site itself or below it.` };
}

describe('changing a site', () => {
  it.each<[string, SiteChange, Partial<Site>]>([
    ['changes the given fields only', { name: 'New' }, { name: 'New', updatedAt: NOW }],
    ['clears a null field', { city: null }, { city: null, updatedAt: NOW }],
    [
      'keeps it in the tree where it is there already',
      { parentSiteId: 1, name: 'New' },
      { name: 'New', updatedAt: NOW },
    ],
    ['moves it below another site', { parentSiteId: 4 }, { parentSiteId: 4, treeChange: 1 }],
    [
      'moves it to the root, with another change',
      { parentSiteId: null, city: 'Bonn' },
      { parentSiteId: null, city: 'Bonn', treeChange: 1 },
    ],
  ])('%s', async (_title, change, expected) => {
    const { deps, all } = open();
    const after = await updateSite(deps, OWNED, change);
    expect(after).toEqual({ ...MIDDLE, ...expected, version: 4 });
    expect(all.get(2)).toEqual(after);
    expect((await deps.sites.readTree('client')).pending).toBeNull();
  });

  it.each<[string, SiteChange]>([
    ['does not write an empty change', {}],
    ['does not write a change without effect', { city: 'Ulm', notes: null }],
    ['does not write a move to where it is', { parentSiteId: 1 }],
  ])('%s', async (_title, change) => {
    const { deps } = open();
    expect(await updateSite(deps, OWNED, change)).toBe(MIDDLE);
    expect((await deps.sites.readTree('client')).changes).toBe(0);
  });

  it('writes the change for the version that its caller expects', async () => {
    const ifMatch = jest.fn(() => true);
    await updateSite(open().deps, { ...OWNED, ifMatch }, { name: 'New' });
    expect(ifMatch).toHaveBeenCalledWith('2-3');
  });
});

describe('a change of a site that is refused', () => {
  const chain = Array.from({ length: 48 }, (_each, i) => newSite({ siteId: 100 + i, parentSiteId: i ? 99 + i : null }));

  it.each<[string, Parameters<typeof updateSite>[1], SiteChange, object]>([
    ['is one of an unknown site', { ...OWNED, siteId: 8 }, { name: 'New' }, unknown(8)],
    ["is one of another client's site", { ...OWNED, siteId: 9 }, { name: 'New' }, unknown(9)],
    ['is one of another version', STALE, { name: 'New' }, OTHER_VERSION],
    ['is one of another version, though without effect', STALE, {}, OTHER_VERSION],
    ['is a move of another version', STALE, { parentSiteId: 4 }, OTHER_VERSION],
    ['is a move below an unknown site, before another version', STALE, { parentSiteId: 8 }, noParent(8)],
    ["is a move below another client's site", OWNED, { parentSiteId: 9 }, noParent(9)],
    ['is a move below itself', OWNED, { parentSiteId: 2 }, circle(2)],
    ['is a move below one of its own sites', OWNED, { parentSiteId: 3 }, circle(3)],
    ['is a move of a root below its tree', { ...OWNED, siteId: 1 }, { parentSiteId: 3 }, circle(3)],
    [
      'is a move after which the tree is too deep',
      { ...OWNED, siteId: 1 },
      { parentSiteId: 147 },
      { code: 'conflict', message: 'A tree of sites has at most 50 levels.' },
    ],
  ])('%s', async (_title, owned, change, refusal) => {
    const { deps, all } = open(...chain);
    const before = [...all.values()];
    await expect(updateSite(deps, owned, change)).rejects.toMatchObject(refusal);
    expect([...all.values()]).toEqual(before);
    expect((await deps.sites.readTree('client')).changes).toBe(0);
  });

  it('is no move that fills the lowest level of the tree', async () => {
    const { deps } = open(...chain);
    expect(await updateSite(deps, OWNED, { parentSiteId: 147 })).toMatchObject({ parentSiteId: 147 });
  });

  it.each<[string, SiteChange, 'update' | 'announce']>([
    ['loses every attempt to other changes', { name: 'New' }, 'update'],
    ['loses every attempt to other moves', { parentSiteId: 4 }, 'announce'],
  ])('%s', async (_title, change, port) => {
    const { deps } = open();
    const sites = { ...deps.sites, [port]: () => Promise.resolve(false) };
    await expect(updateSite({ ...deps, sites }, OWNED, change)).rejects.toMatchObject(CONTENDED);
  });

  it('is one of a site that is deleted right after it', async () => {
    const { deps, all } = open();
    const update = () => Promise.resolve(all.delete(2));
    const change = updateSite({ ...deps, sites: { ...deps.sites, update } }, OWNED, { name: 'New' });
    const message = 'The site (group) 2 was deleted meanwhile.';
    await expect(change).rejects.toMatchObject({ code: 'not_found', message });
  });
});

describe('a change of the tree that finds another process there', () => {
  const below: SiteTreeChange = { siteId: 4, version: 1, arrivals: 0, fields: { parentSiteId: 3 } };

  it('executes the unfinished move first, and then refuses its own circle', async () => {
    const { deps, all } = open();
    await deps.sites.announce('client', { changes: 0, pending: null }, below);
    await expect(updateSite(deps, OWNED, { parentSiteId: 4 })).rejects.toMatchObject(circle(4));
    expect(all.get(4)).toMatchObject({ parentSiteId: 3, treeChange: 1 });
    expect(await deps.sites.readTree('client')).toEqual({ changes: 1, pending: null });
  });

  it.each<[string, (deps: ChangeSiteDeps) => Promise<Site>, Partial<Site> | undefined]>([
    [
      'counts a move as made that the other process executed',
      (deps) => updateSite(deps, OWNED, { parentSiteId: 4 }),
      { parentSiteId: 4, version: 4 },
    ],
    [
      'counts a deletion as made that the other process executed',
      (deps) => deleteSite(deps, { ...OWNED, siteId: 3 }),
      undefined,
    ],
  ])('%s', async (_title, run, expected) => {
    const { deps, all } = open();
    const make: ChangeSiteDeps['sites']['make'] = async (...change) => {
      await deps.sites.make(...change);
      return false;
    };
    const site = await run({ ...deps, sites: { ...deps.sites, make } });
    if (expected === undefined) expect(all.has(site.siteId)).toBe(false);
    else expect(site).toMatchObject(expected);
    expect((await deps.sites.readTree('client')).changes).toBe(1);
  });

  it('moves it again where something arrived at it after the announcement', async () => {
    const { deps } = open();
    const announce: ChangeSiteDeps['sites']['announce'] = async (clientId, seen, change) => {
      if (seen.changes === 0) await deps.sites.arrive(clientId, 2);
      return deps.sites.announce(clientId, seen, change);
    };
    const after = await updateSite({ ...deps, sites: { ...deps.sites, announce } }, OWNED, { parentSiteId: 4 });
    expect(after).toMatchObject({ parentSiteId: 4, arrivals: 1, treeChange: 2 });
  });

  it('does not delete it where something arrived at it after the count', async () => {
    const { deps, all } = open();
    const announce: ChangeSiteDeps['sites']['announce'] = async (clientId, seen, change) => {
      await deps.sites.arrive(clientId, 3);
      all.set(5, newSite({ siteId: 5, parentSiteId: 3 }));
      return deps.sites.announce(clientId, seen, change);
    };
    const deletion = deleteSite({ ...deps, sites: { ...deps.sites, announce } }, { ...OWNED, siteId: 3 });
    await expect(deletion).rejects.toMatchObject({ code: 'site_not_empty' });
    expect(all.has(3)).toBe(true);
  });
});

describe('deleting a site', () => {
  it('removes it, and resolves with it', async () => {
    const { deps, all } = open();
    expect(await deleteSite(deps, { ...OWNED, siteId: 3 })).toBe(LEAF);
    expect(all.has(3)).toBe(false);
    expect(await deps.sites.readTree('client')).toEqual({ changes: 1, pending: null });
  });

  function full(chargers: number, sites: number) {
    const contents = `${String(chargers)} chargers and ${String(sites)} sites`;
    const message = `This site (group) contains ${contents}: move or delete them first.`;
    return { code: 'site_not_empty', message };
  }

  it.each<[string, Parameters<typeof deleteSite>[1], object]>([
    ['refuses an unknown one', { ...OWNED, siteId: 8 }, unknown(8)],
    ["refuses another client's", { ...OWNED, siteId: 9 }, unknown(9)],
    ['refuses one with sites below it', OWNED, full(0, 1)],
    ['refuses one with chargers', { ...OWNED, siteId: 4 }, full(2, 0)],
    ['names its contents before another version', STALE, full(0, 1)],
    ['refuses another version', { ...STALE, siteId: 3 }, OTHER_VERSION],
  ])('%s', async (_title, owned, refusal) => {
    const { deps, all } = open();
    await expect(deleteSite(deps, owned)).rejects.toMatchObject(refusal);
    expect(all.size).toBe(5);
  });

  it('loses every attempt to others', async () => {
    const { deps } = open();
    const sites = { ...deps.sites, announce: () => Promise.resolve(false) };
    await expect(deleteSite({ ...deps, sites }, { ...OWNED, siteId: 3 })).rejects.toMatchObject(CONTENDED);
  });
});
