// The contract of counters for every adapter, also in a store that was restored from a backup.
import type { ReportStore } from '@busbar/domain/reports';
import type { Store } from '../../port';
import { collections } from '../collections';
import { createRecords } from '../create-records';
import { RAISED_BY, raiseCounters } from './raise-counters';
import { createReportStore } from './report-store';

/** `create` returns an empty store each time. */
export function describeCounters(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let reports: ReportStore;
    beforeEach(async () => {
      store = create();
      createRecords(store);
      reports = createReportStore(store);
      await store.start();
    });
    afterEach(() => store.stop());

    it('raises counters far above their values, also for chargers that never connected and deleted ones', async () => {
      const chargers = store.collection(collections.chargers);
      const ids = Array.from({ length: 1_001 }, (_, i) => `C_${String(i)}`);
      await chargers.bulk(ids.map((chargerId) => ({ insert: { _id: chargerId, chargerId } as never })));
      for (const chargerId of ['C_7', 'C_7', 'deleted']) await reports.nextOrder(chargerId, 0);
      await reports.takeTransactionIds(5);

      expect(await raiseCounters(store)).toBe(1_002);

      expect(
        await store.collection(collections.connectionOrders).count({ op: 'lt', path: 'value', value: RAISED_BY }),
      ).toBe(0);
      expect(await reports.nextOrder('C_7', 0)).toBe(RAISED_BY + 3);
      expect(await reports.nextOrder('C_1000', 0)).toBe(RAISED_BY + 1);
      expect(await reports.nextOrder('deleted', 0)).toBe(RAISED_BY + 2);
      expect(await reports.takeTransactionIds(1)).toBe(RAISED_BY + 6);
    });

    it('raises counters repeatedly, also in an empty store', async () => {
      expect([await raiseCounters(store), await raiseCounters(store)]).toEqual([0, 0]);
      expect(await reports.takeTransactionIds(1)).toBe(2 * RAISED_BY + 1);
    });

    it('issues orders above the order in a record, each once to concurrent callers', async () => {
      expect(await reports.nextOrder('A', 0)).toBe(1);
      const given = await Promise.all(Array.from({ length: 20 }, () => reports.nextOrder('A', 57)));
      expect(new Set(given).size).toBe(20);
      expect(Math.min(...given)).toBeGreaterThan(57);
      expect(await reports.nextOrder('A', 57)).toBeGreaterThan(Math.max(...given));
    });

    it("counts a client's starts by day up to its limit, and deletes previous days", async () => {
      const take = (clientId: string, day: string, count: number) =>
        reports.takeClientStarts(clientId, day, { count, max: 4 });
      const countOf = async (day: string) =>
        (await store.collection(collections.clientStarts).get('client'))?.days[day];
      expect(await take('client', '2026-01-31', 3)).toBe(3);
      expect(await take('client', '2026-01-31', 2)).toBe(1);
      for (let n = 0; n < 3; n += 1) expect(await take('client', '2026-01-31', 2)).toBe(0);
      expect(await countOf('2026-01-31')).toBe(4);
      expect(await take('other', '2026-01-31', 1)).toBe(1);
      expect(await take('client', '2026-02-01', 2)).toBe(2);
      // A late start of the previous day does not count for today.
      expect(await take('client', '2026-01-31', 1)).toBe(1);
      expect(await take('client', '2026-02-01', 1)).toBe(1);
      expect(await countOf('2026-02-01')).toBe(3);
      expect(await take('client', '2026-02-02', 1)).toBe(1);
      const stored = await store.collection(collections.clientStarts).get('client');
      expect(stored?.days).toEqual({ '2026-02-02': 1 });
    });
  });
}
