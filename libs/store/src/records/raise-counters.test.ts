import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import type { Store } from '../port';
import { createSqliteStore } from '../sqlite/sqlite-store';
import { chargersCollection, ordersCollection } from './collections';
import { createRecords } from './create-records';
import { RAISED_BY, raiseCounters } from './raise-counters';
import { createReportStore } from './report-store';

describe('numbers that are counted in a store that was brought back', () => {
  let directory: string;
  let store: Store;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-counters-'));
    store = createSqliteStore({ directory, logger: createRecordingLogger(), clock: systemClock });
    createRecords(store);
    createReportStore(store);
    await store.start();
  });
  afterEach(async () => {
    await store.stop();
    rmSync(directory, { recursive: true });
  });

  it('go on far above, of chargers that never connected and of deleted ones too', async () => {
    const chargers = store.collection(chargersCollection);
    const ids = Array.from({ length: 1_001 }, (_, i) => `C_${String(i)}`);
    await chargers.bulk(ids.map((chargerId) => ({ insert: { _id: chargerId, chargerId } as never })));
    const reports = createReportStore(store);
    for (const chargerId of ['C_7', 'C_7', 'deleted']) await reports.nextOrder(chargerId, 0);
    await reports.takeTransactionIds(5);

    expect(await raiseCounters(store)).toBe(1_002);

    expect(await store.collection(ordersCollection).count({ op: 'lt', path: 'value', value: RAISED_BY })).toBe(0);
    expect(await reports.nextOrder('C_7', 0)).toBe(RAISED_BY + 3);
    expect(await reports.nextOrder('C_1000', 0)).toBe(RAISED_BY + 1);
    expect(await reports.nextOrder('deleted', 0)).toBe(RAISED_BY + 2);
    expect(await reports.takeTransactionIds(1)).toBe(RAISED_BY + 6);
  });

  it('can be raised again, and in an empty store', async () => {
    expect([await raiseCounters(store), await raiseCounters(store)]).toEqual([0, 0]);
    expect(await createReportStore(store).takeTransactionIds(1)).toBe(2 * RAISED_BY + 1);
  });

  it('exceed what a record shows, and are given once each to all who ask at the same moment', async () => {
    const reports = createReportStore(store);
    expect(await reports.nextOrder('A', 0)).toBe(1);
    const given = await Promise.all(Array.from({ length: 20 }, () => reports.nextOrder('A', 57)));
    expect(new Set(given).size).toBe(20);
    expect(Math.min(...given)).toBeGreaterThan(57);
    expect(await reports.nextOrder('A', 57)).toBeGreaterThan(Math.max(...given));
  });
});
