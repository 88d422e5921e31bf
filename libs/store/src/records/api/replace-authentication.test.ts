import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createCharger, type ChargerAuthentication } from '@busbar/domain/chargers';
import { createSite } from '@busbar/domain/sites';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { createRecords } from '../create-records';

const AT = '2026-03-01T00:00:00.000Z';

describe('replaceAuthentication', () => {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-store-'));
  const store = createSqliteStore({ directory, logger: createRecordingLogger(), clock: systemClock });
  const records = createRecords(store);
  const { chargers } = records;
  beforeAll(async () => {
    await store.start();
    await createSite({ ...records, clock: systemClock }, 'c_1', { name: 'Yard' });
  });
  afterAll(async () => {
    await store.stop();
    rmSync(directory, { recursive: true });
  });

  async function make(chargerId: string) {
    await createCharger({ ...records, clock: systemClock }, 'c_1', { chargerId, name: 'x' });
    return read(chargerId);
  }

  async function read(chargerId: string) {
    const charger = await chargers.find(chargerId);
    if (charger === undefined) throw new Error(`no ${chargerId}`);
    return charger;
  }

  const next = (version: number): ChargerAuthentication => ({ securityProfile: 1, passwordHash: 'scrypt$x', version });

  it('replaces the authentication for the registration’s current version only, and increments that version', async () => {
    const before = await make('ACME_1');
    expect(await chargers.updateRegistration(before, { name: 'y' }, AT)).toBe(true);
    expect(await chargers.replaceAuthentication(before, next(1), AT)).toBe(false);
    const renamed = await read('ACME_1');
    expect(await chargers.replaceAuthentication(renamed, next(1), AT)).toBe(true);
    expect((await read('ACME_1')).registered).toMatchObject({ version: 3, updatedAt: AT, authentication: next(1) });
    expect(await chargers.updateRegistration(renamed, { name: 'z' }, AT)).toBe(false);
  });

  it('replaces the authentication for a command despite a change by the owner, and keeps the version', async () => {
    const before = await make('ACME_2');
    expect(await chargers.updateRegistration(before, { name: 'y' }, AT)).toBe(true);
    expect(await chargers.replaceAuthentication(before, next(1))).toBe(true);
    expect(await chargers.replaceAuthentication(before, next(1))).toBe(false);
    expect((await read('ACME_2')).registered).toMatchObject({ name: 'y', version: 2, authentication: next(1) });
  });
});
