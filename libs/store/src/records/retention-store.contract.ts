// What every adapter must do for the time that deletion by age goes by.
import { createId } from '@busbar/core';
import { and, type CollectionDefinition, type Document, type Store } from '../port';
import {
  eventsCollection,
  logCollection,
  meterValuesCollection,
  orphanStopsCollection,
  stateChangesCollection,
} from './collections';
import { createRetentionStore } from './retention-store';

const at = (day: number): string => new Date(Date.UTC(2026, 0, day)).toISOString();
const idAt = (day: number): string => createId(Date.parse(at(day)));

interface Row {
  readonly _id: string;
  readonly receivedAt?: string;
}

/** A row of each kind, as old as that by what the kind is dated by. */
const KINDS: readonly (readonly [kind: CollectionDefinition<Document>, row: (day: number) => Row])[] = [
  [logCollection, (day) => ({ _id: idAt(day) })],
  [eventsCollection, (day) => ({ _id: idAt(day), receivedAt: at(day) })],
  [stateChangesCollection, (day) => ({ _id: `s${String(day)}`, receivedAt: at(day) })],
  [meterValuesCollection, (day) => ({ _id: `m${String(day)}`, receivedAt: at(day) })],
  [orphanStopsCollection, (day) => ({ _id: `o${String(day)}`, receivedAt: at(day) })],
];

/** `create`: an empty store each time. */
export function describeRetentionStore(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let retention: ReturnType<typeof createRetentionStore>;
    beforeEach(async () => {
      store = create();
      retention = createRetentionStore(store);
      await store.start();
    });
    afterEach(() => store.stop());

    it('has no newest row in an empty store', async () => {
      expect(await retention.newestRowAt()).toBeUndefined();
    });

    it('gives the time of the newest row, of whatever kind that is', async () => {
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

    it('has no horizon at first, and takes the first that is given', async () => {
      expect(await retention.retainedUntil()).toBeUndefined();
      expect(await retention.moveRetainedUntil(at(1), at(2))).toBe(false);
      expect(await retention.retainedUntil()).toBeUndefined();
      expect(await retention.moveRetainedUntil(undefined, at(2))).toBe(true);
      expect(await retention.moveRetainedUntil(undefined, at(3))).toBe(false);
      expect(await retention.retainedUntil()).toBe(at(2));
    });

    it('moves the horizon, forward or back, only from where it is', async () => {
      await retention.moveRetainedUntil(undefined, at(2));
      expect(await retention.moveRetainedUntil(at(1), at(3))).toBe(false);
      expect(await retention.retainedUntil()).toBe(at(2));
      expect(await retention.moveRetainedUntil(at(2), at(3))).toBe(true);
      expect(await retention.moveRetainedUntil(at(3), at(1))).toBe(true);
      expect(await retention.retainedUntil()).toBe(at(1));
    });

    it('moves the horizon once where several move it from the same place', async () => {
      await retention.moveRetainedUntil(undefined, at(2));
      const moved = await Promise.all([3, 4, 5].map((day) => retention.moveRetainedUntil(at(2), at(day))));
      expect(moved.filter((each) => each)).toHaveLength(1);
      expect(await retention.retainedUntil()).toBe(at(3 + moved.indexOf(true)));
    });
  });
}
