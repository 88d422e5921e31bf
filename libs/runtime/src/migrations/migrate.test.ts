import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, systemClock, type Service } from '@busbar/core';
import { createCharger } from '@busbar/domain/chargers';
import { createSite } from '@busbar/domain/sites';
import { chargersCollection, createSqliteStore, eq, sitesCollection, type SqliteStore } from '@busbar/store';
import { createRecordingLogger, type RecordingLogger } from '@busbar/testing';
import { createStorePlatform } from '../platform';
import { createStoreSetup } from '../store-setup';
import { SCHEMA_ID, settingsCollection } from '../store-schema';
import type { Migration } from './migration';

let directory: string;
let store: SqliteStore;
let logger: RecordingLogger;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'migrate-'));
  logger = createRecordingLogger();
  store = createSqliteStore({ directory, logger });
  store.collection(settingsCollection);
  await store.start();
});
afterEach(async () => {
  await store.stop();
  await rm(directory, { recursive: true });
});

/** Notes each part that is done; `parts` of them have something to do. */
function migration(version: number, done: string[], parts = 1): Migration {
  let left = parts;
  return {
    version,
    about: `the ${String(version)}`,
    part() {
      if (left === 0) return Promise.resolve(0);
      left -= 1;
      done.push(`to ${String(version)}`);
      return Promise.resolve(1);
    },
  };
}

function setup(migrations: readonly Migration[]): Service {
  return createStoreSetup({ store, clock: systemClock, logger, partitions: undefined, migrations });
}

async function schema(): Promise<unknown> {
  return store.collection(settingsCollection).get(SCHEMA_ID);
}

async function atVersion(version: number): Promise<void> {
  await store.collection(settingsCollection).insert({ _id: SCHEMA_ID, version });
}

describe('migrations', () => {
  it('run in order from the version that the store has, each once', async () => {
    await atVersion(2);
    const done: string[] = [];
    const all = [migration(2, done), migration(3, done, 2), migration(4, done)];
    await setup(all).start();
    await setup(all).start();
    expect(done).toEqual(['to 3', 'to 3', 'to 4']);
    expect(await schema()).toEqual({ _id: SCHEMA_ID, version: 4 });
    expect(logger.lines.filter(({ message }) => message === 'the store is at a newer version')).toMatchObject([
      { fields: { version: 3, documents: 2 } },
      { fields: { version: 4, documents: 1 } },
    ]);
  });

  it('have nothing to do in a new store', async () => {
    const done: string[] = [];
    await setup([migration(2, done)]).start();
    expect(done).toEqual([]);
    expect(await schema()).toEqual({ _id: SCHEMA_ID, version: 2 });
  });

  it('are begun again where they were broken off, by a failure or by a process that died', async () => {
    await atVersion(1);
    const done: string[] = [];
    const failing: Migration = { ...migration(2, done), part: () => Promise.reject(new Error('a bug')) };
    await expect(setup([failing]).start()).rejects.toThrow('a bug');
    expect(await schema()).toMatchObject({ version: 1, migration: { beat: 1 } });
    await setup([migration(2, done)]).start();
    expect(done).toEqual(['to 2']);
    expect(await schema()).toEqual({ _id: SCHEMA_ID, version: 2 });
  });

  it('go on when the store was away for a moment', async () => {
    await atVersion(1);
    const done: string[] = [];
    const { part, ...rest } = migration(2, done, 2);
    let failures = 2;
    const flaky: Migration = {
      ...rest,
      part: (of) => (failures-- > 0 ? Promise.reject(new AppError('unavailable', 'away')) : part(of)),
    };
    await setup([flaky]).start();
    expect(done).toEqual(['to 2', 'to 2']);
  });

  it('stop between two parts when the process is to end', async () => {
    await atVersion(1);
    const done: string[] = [];
    const endless = migration(2, done, Number.POSITIVE_INFINITY);
    const service: Service = setup([
      {
        ...endless,
        part: (of) => (done.length === 3 ? service.stop().then(() => endless.part(of)) : endless.part(of)),
      },
    ]);
    await expect(service.start()).rejects.toMatchObject({ code: 'unavailable' });
    expect(done).toHaveLength(4);
  });
});

describe('the migration to version 2', () => {
  it("fills in the state of chargers that were stored without it, and leaves the others' alone", async () => {
    await store.stop();
    const platform = createStorePlatform(`file:${directory}`, { logger, clock: systemClock });
    await platform.start();
    const { records } = platform;
    const site = await createSite({ sites: records.sites, clock: systemClock }, 'client', { name: 'A site' });
    for (const chargerId of ['OLD', 'NEW']) {
      const input = { chargerId, name: 'A charger', siteId: site.siteId };
      await createCharger({ ...records, clock: systemClock }, 'client', input);
    }
    const status = { state: 'Charging', at: '2026-01-01T00:00:00.000Z', position: [1, 1] };
    await platform.store
      .collection(chargersCollection)
      .update(eq('_id', 'OLD'), { set: { 'reported.sockets.1': status }, unset: ['reported.ownState'] });
    const before = await records.chargers.find('NEW');
    await platform.store.collection(settingsCollection).update(eq('_id', SCHEMA_ID), { set: { version: 1 } });
    await platform.stop();

    const again = createStorePlatform(`file:${directory}`, { logger, clock: systemClock });
    await again.start();
    expect((await again.records.chargers.find('OLD'))?.reported.ownState).toBe('Charging');
    expect(await again.records.chargers.find('NEW')).toEqual(before);
    await again.stop();
  });
});

describe('the migration to version 3', () => {
  it('lets sites and chargers be searched and sorted that were stored without the keys of lists', async () => {
    await store.stop();
    const platform = createStorePlatform(`file:${directory}`, { logger, clock: systemClock });
    await platform.start();
    const { records } = platform;
    const { siteId } = await createSite({ sites: records.sites, clock: systemClock }, 'client', { name: 'Beta' });
    const second = await createSite({ sites: records.sites, clock: systemClock }, 'client', { name: 'Alpha' });
    const made = { ...records, clock: systemClock };
    await createCharger(made, 'client', { chargerId: 'OLD_1', name: 'Zulu', siteId });
    await createCharger(made, 'client', { chargerId: 'NEW_1', name: 'Yankee', siteId });
    await platform.store.collection(chargersCollection).update(eq('_id', 'OLD_1'), { unset: ['listed'] });
    await platform.store.collection(sitesCollection).update(eq('_id', String(siteId)), { unset: ['listed'] });
    await platform.store.collection(settingsCollection).update(eq('_id', SCHEMA_ID), { set: { version: 2 } });
    await platform.stop();

    const again = createStorePlatform(`file:${directory}`, { logger, clock: systemClock });
    await again.start();
    const page = { page: 1, limit: 10, sortKey: 'name', sortDescending: false } as const;
    const { chargers, sites } = again.records;
    expect((await chargers.list('client', { search: 'old' }, page)).items).toMatchObject([{ chargerId: 'OLD_1' }]);
    const byName = (await chargers.list('client', {}, page)).items.map(({ chargerId }) => chargerId);
    expect(byName).toEqual(['NEW_1', 'OLD_1']);
    const sitesByName = (await sites.list('client', {}, page)).items.map((site) => site.siteId);
    expect(sitesByName).toEqual([second.siteId, siteId]);
    await again.stop();
  });
});

describe('the migration to version 4', () => {
  it('lets statistics be counted without reading chargers whose record has no tally', async () => {
    await store.stop();
    const platform = createStorePlatform(`file:${directory}`, { logger, clock: systemClock });
    await platform.start();
    const { records } = platform;
    await createSite({ sites: records.sites, clock: systemClock }, 'client', { name: 'A site' });
    for (const chargerId of ['OLD', 'NEW']) {
      const sockets = [{ id: 1 }, { id: 2 }];
      await createCharger({ ...records, clock: systemClock }, 'client', { chargerId, name: 'A charger', sockets });
    }
    const chargers = platform.store.collection(chargersCollection);
    const status = { state: 'Charging', at: '2026-01-01T00:00:00.000Z', position: [1, 1] };
    await chargers.update(eq('_id', 'OLD'), { set: { 'reported.sockets.1': status }, unset: ['reported.tally'] });
    const before = await records.chargers.find('NEW');
    await platform.store.collection(settingsCollection).update(eq('_id', SCHEMA_ID), { set: { version: 3 } });
    await platform.stop();

    const again = createStorePlatform(`file:${directory}`, { logger, clock: systemClock });
    await again.start();
    const old = await again.records.chargers.find('OLD');
    expect(old?.reported.tally).toBe('Charging*1,Offline*1');
    expect(old?.revision).toBeGreaterThan(0);
    expect(await again.records.chargers.find('NEW')).toEqual(before);
    await again.stop();
  });
});

it('all migrations change nothing when they run again on what is at their version already', async () => {
  await store.stop();
  const platform = createStorePlatform(`file:${directory}`, { logger, clock: systemClock });
  await platform.start();
  const made = { ...platform.records, clock: systemClock };
  const { siteId } = await createSite(made, 'client', { name: 'A site' });
  await createCharger(made, 'client', { chargerId: 'A_1', name: 'A charger', siteId, sockets: [{ id: 1 }] });
  const charger = await platform.store.collection(chargersCollection).get('A_1');
  const site = await platform.store.collection(sitesCollection).get(String(siteId));
  await platform.store.collection(settingsCollection).update(eq('_id', SCHEMA_ID), { set: { version: 1 } });
  await platform.stop();

  const again = createStorePlatform(`file:${directory}`, { logger, clock: systemClock });
  await again.start();
  expect(await again.store.collection(chargersCollection).get('A_1')).toEqual(charger);
  expect(await again.store.collection(sitesCollection).get(String(siteId))).toEqual(site);
  expect((await again.store.collection(settingsCollection).get(SCHEMA_ID))?.version).toBeGreaterThan(3);
  await again.stop();
});
