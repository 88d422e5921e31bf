// Lists of chargers against a list that the test computes. The number of chargers exercises every form of a search.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { type Records } from '@busbar/domain';
import { type Charger, type ChargerFilter, type ChargerSortKey } from '@busbar/domain/chargers';
import { newCharger } from '@busbar/domain/testing';
import { createRecordingLogger } from '@busbar/testing';
import type { Store } from '../../port';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { listedKeys } from './chargers';
import { collections } from '../collections';
import { createRecords } from '../create-records';

const at = '2026-03-01T00:00:00.000Z';

function chargerOf(i: number): Charger {
  const names = ['ACME north', 'Brand', 'acme 🔌', 'Øst'];
  return newCharger({
    chargerId: `${i % 10 === 0 ? 'Brand' : 'ACME'}_${String(i).padStart(4, '0')}`,
    clientId: 'c',
    registered: {
      name: names[i % names.length] ?? '',
      siteId: i % 7,
      createdAt: new Date(Date.parse(at) + (i % 100) * 1000).toISOString(),
      version: 1,
    },
    connection: { active: i % 3 === 0 },
    reported: { ownState: i % 2 === 0 ? 'Charging' : 'Available' },
  });
}

const all = Array.from({ length: 2500 }, (_, i) => chargerOf(i));

const KEYS: Readonly<Record<ChargerSortKey, (charger: Charger) => string>> = {
  chargerId: ({ chargerId }) => chargerId,
  name: ({ registered }) => registered.name.toLowerCase(),
  createdAt: ({ registered }) => registered.createdAt,
  // None has one: the ids decide.
  updatedAt: ({ updatedAt }) => updatedAt ?? '',
};

function expected({ siteIds, state, activeConnection, search }: ChargerFilter, sortKey: ChargerSortKey): string[] {
  const prefix = search?.toLowerCase() ?? '';
  const found = all.filter(
    ({ chargerId, connection, registered, reported }) =>
      (siteIds?.includes(registered.siteId) ?? true) &&
      (activeConnection ?? connection.active) === connection.active &&
      (state ?? (connection.active ? reported.ownState : 'Offline')) ===
        (connection.active ? reported.ownState : 'Offline') &&
      [chargerId, registered.name].some((text) => text.toLowerCase().startsWith(prefix)),
  );
  const keyOf = (charger: Charger) => Buffer.from(`${KEYS[sortKey](charger)}\u0000${charger.chargerId}`);
  return found.sort((a, b) => Buffer.compare(keyOf(a), keyOf(b))).map(({ chargerId }) => chargerId);
}

describe('the records of chargers', () => {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-store-'));
  let store: Store;
  let records: Records;

  beforeAll(async () => {
    store = createSqliteStore({ directory, logger: createRecordingLogger(), clock: systemClock });
    records = createRecords(store);
    await store.start();
    const chargers = store.collection(collections.chargers);
    const foreign = { ...chargerOf(1), chargerId: 'ACME_foreign', clientId: 'other' };
    await chargers.bulk(
      [...all, foreign].map((charger) => {
        const { chargerId, registered } = charger;
        return { insert: { _id: chargerId, ...charger, listed: listedKeys(chargerId, registered.name) } };
      }),
    );
  });
  afterAll(async () => {
    await store.stop();
    rmSync(directory, { recursive: true });
  });

  it.each<[string, ChargerFilter]>([
    ['all chargers', {}],
    ['the chargers of one site', { siteIds: [3] }],
    ['the chargers of some sites', { siteIds: [1, 3, 99] }],
    ['the chargers of no site', { siteIds: [] }],
    ['the chargers in a state', { state: 'Charging' }],
    ['chargers without a connection', { state: 'Offline' }],
    ['nothing for a contradiction', { state: 'Offline', activeConnection: true }],
    ['few chargers by id', { search: 'acme_01' }],
    ['few chargers by name, beyond ASCII', { search: 'ØS' }],
    ['few chargers by name, before a character beyond 16 bits', { search: 'Acme ' }],
    ['many chargers by id and name', { search: 'a' }],
    ['many chargers by id and name at a site', { search: 'ac', siteIds: [2], activeConnection: true }],
    ['all chargers for an empty search', { search: '' }],
    ['no chargers for an unknown prefix', { search: 'zzz' }],
  ])('lists %s in every order, page by page', async (_title, filter) => {
    for (const sortKey of ['chargerId', 'name', 'createdAt'] as const) {
      for (const sortDescending of [false, true]) {
        const wanted = expected(filter, sortKey);
        if (sortDescending) wanted.reverse();
        for (const page of [1, 2, Math.max(1, Math.ceil(wanted.length / 100))]) {
          const listed = await records.chargers.list('c', filter, { page, limit: 100, sortKey, sortDescending });
          expect(listed.items.map(({ chargerId }) => chargerId)).toEqual(wanted.slice((page - 1) * 100, page * 100));
          expect(listed.total).toBe(wanted.length);
        }
      }
    }
  });

  it('counts the chargers of each site', async () => {
    expect([...(await records.chargers.countBySite('c', [0, 6, 99]))].sort()).toEqual([
      [0, 358],
      [6, 357],
    ]);
  });

  it('accepts one of two concurrent changes of a version, and no change of an older version', async () => {
    const { chargers } = records;
    const from = { ...chargerOf(0), chargerId: 'CHANGED' };
    await chargers.insert(from);
    const changes = ['a', 'b'].map((name) => chargers.updateRegistration(from, { name }, at));
    expect((await Promise.all(changes)).sort()).toEqual([false, true]);
    expect(await chargers.remove(from)).toBe(false);
    const now = await chargers.find('CHANGED');
    expect(now?.registered).toMatchObject({ version: 2, siteId: from.registered.siteId });
    expect(now !== undefined && (await chargers.remove(now))).toBe(true);
  });

  it('does not change the successor of a deleted charger', async () => {
    const { chargers } = records;
    const before = { ...chargerOf(0), chargerId: 'SUCCEEDED' };
    await chargers.insert({ ...before, incarnationId: 'next' });
    expect(await chargers.updateRegistration(before, { name: 'late' }, at)).toBe(false);
    expect(await chargers.remove(before)).toBe(false);
    expect(await chargers.find('SUCCEEDED')).toMatchObject({ incarnationId: 'next' });
  });
});
