// Interrupted and late changes of the site tree, and the next change after them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createId, systemClock } from '@busbar/core';
import { type Records } from '@busbar/domain';
import { createSite, deleteSite, updateSite, type Site, type SiteTreeChange } from '@busbar/domain/sites';
import { createRecordingLogger } from '@busbar/testing';
import type { Store } from '../../port';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { createRecords } from '../create-records';

describe('the site tree', () => {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-store-'));
  let store: Store;
  let records: Records;
  /** New for each test. */
  let clientId: string;

  beforeAll(async () => {
    store = createSqliteStore({ directory, logger: createRecordingLogger(), clock: systemClock });
    records = createRecords(store);
    await store.start();
  });
  beforeEach(() => {
    clientId = createId();
  });
  afterAll(async () => {
    await store.stop();
    rmSync(directory, { recursive: true });
  });

  const deps = () => ({ ...records, clock: systemClock });
  const make = (parentSiteId: number | null = null) => createSite(deps(), clientId, { name: 'Site', parentSiteId });
  const parentOf = async ({ siteId }: Site) => (await records.sites.find(clientId, siteId))?.parentSiteId;
  const move = ({ siteId }: Site, parent: Site) =>
    updateSite(deps(), { clientId, siteId }, { parentSiteId: parent.siteId });

  /** Announces a change as a process that dies right after. Returns the step that the process would have done next. */
  async function announce(site: Site, fields: SiteTreeChange['fields']): Promise<() => Promise<boolean>> {
    const now = await records.sites.find(clientId, site.siteId);
    const { siteId, version = 0, arrivals = 0 } = now ?? site;
    const tree = await records.sites.readTree(clientId);
    const change = { siteId, version, arrivals, fields };
    expect(await records.sites.announce(clientId, tree, change)).toBe(true);
    return () => records.sites.make(clientId, tree.changes + 1, change);
  }

  it('completes an announced move before it checks the next one', async () => {
    const [a, b] = [await make(), await make()];
    const late = await announce(a, { parentSiteId: b.siteId });
    await expect(move(b, a)).rejects.toMatchObject({ code: 'site_circle' });
    expect(await parentOf(a)).toBe(b.siteId);
    expect(await late()).toBe(false);
  });

  it('completes an announced deletion before it checks a move', async () => {
    const [a, b] = [await make(), await make()];
    const late = await announce(a, null);
    await expect(move(b, a)).rejects.toMatchObject({ code: 'invalid_site_id' });
    expect(await records.sites.find(clientId, a.siteId)).toBeUndefined();
    expect(await late()).toBe(false);
  });

  it('discards an announced move when the site was renamed since, also when the move comes late', async () => {
    const [a, b, c] = [await make(), await make(), await make()];
    const late = await announce(a, { parentSiteId: b.siteId });
    await updateSite(deps(), { clientId, siteId: a.siteId }, { name: 'Renamed' });
    await move(c, b);
    expect(await parentOf(a)).toBeNull();
    expect(await late()).toBe(false);
    expect(await parentOf(a)).toBeNull();
  });

  it('rejects an announced deletion of a site that received a subsite since', async () => {
    const a = await make();
    const late = await announce(a, null);
    const child = await make(a.siteId);
    expect(await late()).toBe(false);
    expect(await parentOf(child)).toBe(a.siteId);
    await expect(deleteSite(deps(), { clientId, siteId: a.siteId })).rejects.toMatchObject({ code: 'site_not_empty' });
  });

  it('accepts one of two concurrent announcements', async () => {
    const [a, b] = [await make(), await make()];
    const seen = await records.sites.readTree(clientId);
    const change = (site: Site): SiteTreeChange => ({
      siteId: site.siteId,
      version: 1,
      arrivals: 0,
      fields: { parentSiteId: null },
    });
    const both = [records.sites.announce(clientId, seen, change(a)), records.sites.announce(clientId, seen, change(b))];
    expect((await Promise.all(both)).sort()).toEqual([false, true]);
  });

  it('keeps a separate tree for each client', async () => {
    const a = await make();
    await announce(a, { parentSiteId: null });
    const theirs = await createSite(deps(), 'another', { name: 'Theirs' });
    const other = await createSite(deps(), 'another', { name: 'Other' });
    await updateSite(deps(), { clientId: 'another', siteId: theirs.siteId }, { parentSiteId: other.siteId });
    expect((await records.sites.readTree(clientId)).pending).not.toBeNull();
  });

  it('accepts one of two concurrent changes of one version of a site', async () => {
    const site = await make();
    const changes = ['a', 'b'].map((name) => records.sites.update(site, { name }, site.updatedAt));
    expect((await Promise.all(changes)).sort()).toEqual([false, true]);
  });
});
