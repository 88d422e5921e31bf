// The contract of the horizon of deletion by age, and of a list of rows that it bounds, for every adapter.
import { createId } from '@busbar/core';
import type { ChargerEventFilter } from '@busbar/domain/history';
import { and, type CollectionDefinition, type Document, type Store } from '../../port';
import { historyRecords } from '../api/history';
import { collections } from '../collections';
import { createRetentionStore } from './retention-store';

const at = (day: number): string => new Date(Date.UTC(2026, 0, day)).toISOString();
const idAt = (day: number): string => createId(Date.parse(at(day)));

interface Row {
  readonly _id: string;
  readonly receivedAt?: string;
}

/** A row of each kind, of the given day in the timestamp of its kind. */
const KINDS: readonly (readonly [kind: CollectionDefinition<Document>, row: (day: number) => Row])[] = [
  [collections.ocppLog, (day) => ({ _id: idAt(day) })],
  [collections.events, (day) => ({ _id: `${idAt(day)}.0001`, receivedAt: at(day) })],
  [collections.stateChanges, (day) => ({ _id: `s${String(day)}`, receivedAt: at(day) })],
  [collections.meterValues, (day) => ({ _id: `m${String(day)}`, receivedAt: at(day) })],
  [collections.transactionEvents, (day) => ({ _id: `t${String(day)}`, receivedAt: at(day) })],
  [collections.orphanStops, (day) => ({ _id: `o${String(day)}`, receivedAt: at(day) })],
];

/** `create` returns an empty store each time. */
export function describeRetentionStore(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let retention: ReturnType<typeof createRetentionStore>;
    let history: ReturnType<typeof historyRecords>;
    beforeEach(async () => {
      store = create();
      retention = createRetentionStore(store);
      history = historyRecords(store);
      await store.start();
    });
    afterEach(() => store.stop());

    it('returns no newest row for an empty store', async () => {
      expect(await retention.newestRowAt()).toBeUndefined();
    });

    it('returns the time of the newest row of all kinds', async () => {
      for (const [kind, row] of KINDS) {
        const rows = store.collection(kind);
        await rows.delete(and());
        await rows.bulk([3, 5, 4].map((day) => ({ insert: row(day) })));
      }
      expect(await retention.newestRowAt()).toBe(at(5));
      for (const [index, [kind, row]] of KINDS.entries()) {
        await store.collection(kind).insert(row(6 + index));
        expect([kind.name, await retention.newestRowAt()]).toEqual([kind.name, at(6 + index)]);
      }
    });

    it('lists the events of a charger by time, component and severity', async () => {
      const rows = store.collection(collections.events);
      const event = (day: number, parts: object) => {
        const ids = { chargerId: 'ACME_1', incarnationId: 'i', clientId: 'c', rowId: '' };
        const _id = idAt(day);
        return { insert: { _id, ...ids, action: 'NotifyEvent', receivedAt: at(day), payload: {}, ...parts } };
      };
      await rows.bulk([
        event(1, {}),
        event(2, { component: 'connector', severity: 4 }),
        event(3, { component: 'connector', severity: 0 }),
        event(4, { component: 'evse', severity: 4 }),
        event(5, { incarnationId: 'earlier' }),
      ]);
      const page = { page: 1, limit: 2, sortKey: 'receivedAt', sortDescending: true } as const;
      const daysOf = async (filter: ChargerEventFilter) => {
        const { items, total } = await history.eventPage('i', filter, page);
        return [items.map(({ receivedAt }) => new Date(receivedAt).getUTCDate()), total];
      };
      expect(await daysOf({})).toEqual([[4, 3], 4]);
      expect(await daysOf({ from: at(2), to: at(4) })).toEqual([[3, 2], 2]);
      expect(await daysOf({ component: 'Connector' })).toEqual([[3, 2], 2]);
      expect(await daysOf({ severities: [4, 7] })).toEqual([[4, 2], 2]);
      expect(await daysOf({ component: 'evse', severities: [0] })).toEqual([[], 0]);
    });

    it('returns no horizon for an empty store, and accepts a first one', async () => {
      expect(await retention.retainedUntil()).toBeUndefined();
      expect(await retention.moveRetainedUntil(at(1), at(2))).toBe(false);
      expect(await retention.retainedUntil()).toBeUndefined();
      expect(await retention.moveRetainedUntil(undefined, at(2))).toBe(true);
      expect(await retention.moveRetainedUntil(undefined, at(3))).toBe(false);
      expect(await retention.retainedUntil()).toBe(at(2));
    });

    it('moves the horizon, forward or back, from its current value only', async () => {
      await retention.moveRetainedUntil(undefined, at(2));
      expect(await retention.moveRetainedUntil(at(1), at(3))).toBe(false);
      expect(await retention.retainedUntil()).toBe(at(2));
      expect(await retention.moveRetainedUntil(at(2), at(3))).toBe(true);
      expect(await retention.moveRetainedUntil(at(3), at(1))).toBe(true);
      expect(await retention.retainedUntil()).toBe(at(1));
    });

    it('moves the horizon once for concurrent moves from one value', async () => {
      await retention.moveRetainedUntil(undefined, at(2));
      const moved = await Promise.all([3, 4, 5].map((day) => retention.moveRetainedUntil(at(2), at(day))));
      expect(moved.filter((each) => each)).toHaveLength(1);
      expect(await retention.retainedUntil()).toBe(at(3 + moved.indexOf(true)));
    });
  });
}
