// Chargers that move into a site while that site is deleted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createId, systemClock } from '@busbar/core';
import { type Records } from '@busbar/domain';
import { createCharger, updateCharger } from '@busbar/domain/chargers';
import { createSite, deleteSite } from '@busbar/domain/sites';
import { createRecordingLogger } from '@busbar/testing';
import type { Store } from '../../port';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { createRecords } from '../create-records';

describe('a move of a charger into a site that is deleted meanwhile', () => {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-store-'));
  let store: Store;
  let records: Records;
  /** New for each test. */
  let clientId: string;
  let chargerId: string;

  beforeAll(async () => {
    store = createSqliteStore({ directory, logger: createRecordingLogger(), clock: systemClock });
    records = createRecords(store);
    await store.start();
  });
  beforeEach(() => {
    [clientId, chargerId] = [createId(), createId()];
  });
  afterAll(async () => {
    await store.stop();
    rmSync(directory, { recursive: true });
  });

  const deps = () => ({ ...records, clock: systemClock });
  const make = async () => (await createSite(deps(), clientId, { name: 'Site' })).siteId;
  const remove = (siteId: number) => deleteSite(deps(), { clientId, siteId });
  const siteOf = async () => (await records.chargers.findOwned(clientId, chargerId))?.registered.siteId;

  /** Moves the charger after the deletion found its target empty. `meanwhile` runs when both are stored, before the repair. */
  async function moveInto(target: number, meanwhile: () => Promise<unknown>): Promise<void> {
    const [found, moved] = [signal(), signal()];
    const slow = async (...change: Parameters<Records['sites']['make']>) => {
      found.give();
      await moved.given;
      return records.sites.make(...change);
    };
    const deletion = deleteSite({ ...deps(), sites: { ...records.sites, make: slow } }, { clientId, siteId: target });
    await found.given;
    const arrive = async (client: string, siteId: number) => {
      if (siteId !== target) return records.sites.arrive(client, siteId);
      moved.give();
      await deletion;
      await meanwhile();
      return records.sites.arrive(client, siteId);
    };
    const move = updateCharger(
      { ...deps(), sites: { ...records.sites, arrive } },
      { clientId, chargerId },
      { siteId: target },
    );
    await expect(move).rejects.toMatchObject({ code: 'invalid_site_id' });
  }

  it('returns the charger to its previous site, which can then not be deleted', async () => {
    const [before, target] = [await make(), await make()];
    await createCharger(deps(), clientId, { chargerId, name: 'x', siteId: before });
    const seen = await records.sites.find(clientId, before);
    await moveInto(target, () => Promise.resolve());
    expect(await siteOf()).toBe(before);
    expect((await records.sites.find(clientId, before))?.arrivals).toBe((seen?.arrivals ?? 0) + 1);
    await expect(remove(before)).rejects.toMatchObject({ code: 'site_not_empty' });
  });

  it('moves the charger to the oldest site when its previous site was deleted too', async () => {
    const [oldest, before, target] = [await make(), await make(), await make()];
    await createCharger(deps(), clientId, { chargerId, name: 'x', siteId: before });
    await moveInto(target, () => remove(before));
    expect(await siteOf()).toBe(oldest);
    await expect(remove(oldest)).rejects.toMatchObject({ code: 'site_not_empty' });
  });

  it('returns the charger to its previous site also when it is renamed meanwhile', async () => {
    const [before, target] = [await make(), await make()];
    await createCharger(deps(), clientId, { chargerId, name: 'x', siteId: before });
    await moveInto(target, () => updateCharger(deps(), { clientId, chargerId }, { name: 'y' }));
    expect(await siteOf()).toBe(before);
    expect(await records.chargers.findOwned(clientId, chargerId)).toMatchObject({ registered: { name: 'y' } });
  });

  it('deletes a new charger whose site is deleted meanwhile, changed or not', async () => {
    for (const change of [{}, { name: 'y' }]) {
      const target = await make();
      const arrive = async (client: string, siteId: number) => {
        await updateCharger(deps(), { clientId, chargerId }, change);
        // As a deletion that counted before the charger was inserted.
        const site = await records.sites.find(client, siteId);
        if (site !== undefined) await records.sites.withdraw(site);
        return records.sites.arrive(client, siteId);
      };
      const made = createCharger({ ...deps(), sites: { ...records.sites, arrive } }, clientId, {
        chargerId,
        name: 'x',
        siteId: target,
      });
      await expect(made).rejects.toMatchObject({ code: 'invalid_site_id' });
      expect(await siteOf()).toBeUndefined();
    }
  });

  it('keeps the charger in the site to which another caller moved it meanwhile', async () => {
    const [before, target, other] = [await make(), await make(), await make()];
    await createCharger(deps(), clientId, { chargerId, name: 'x', siteId: before });
    await moveInto(target, () => updateCharger(deps(), { clientId, chargerId }, { siteId: other }));
    expect(await siteOf()).toBe(other);
  });
});

function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}
