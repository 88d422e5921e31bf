// The part of the store's contract about changing documents; see store.contract.ts.
import { and, eq, lt, ne, oneOf } from './port';
import type { Collection, Store, Update } from './port';
import { itemsDefinition, openItems } from './store-harness.contract';
import type { Item, StoreHarness } from './store-harness.contract';

export function describeChanges(title: string, harness: () => StoreHarness): void {
  describe(title, () => {
    let store: Store;
    let items: Collection<Item>;
    let definition: ReturnType<typeof itemsDefinition>;

    beforeEach(async () => {
      definition = itemsDefinition();
      ({ store, items } = await openItems(harness(), definition));
    });
    afterEach(() => store.stop());

    const updated = async (before: Item, update: Update): Promise<Item | undefined> => {
      await items.insert(before);
      expect(await items.update(eq('_id', before._id), update)).toBe(1);
      return items.get(before._id);
    };

    describe('update', () => {
      it('sets and unsets paths, and creates the objects on a path', async () => {
        const after = await updated(
          { _id: 'a', x: 1, keep: { y: 2, z: 3 }, gone: true },
          { set: { x: [1], 'new.deep.path': 'v', 'keep.y': null }, unset: ['gone', 'keep.z', 'never.there'] },
        );
        expect(after).toEqual({ _id: 'a', x: [1], keep: { y: null }, new: { deep: { path: 'v' } } });
      });

      it('increments a number, and starts an absent one at 0', async () => {
        const after = await updated({ _id: 'a', n: 1, deep: { n: 0.5 } }, { inc: { n: 2, 'deep.n': -1, fresh: 7 } });
        expect(after).toEqual({ _id: 'a', n: 3, deep: { n: -0.5 }, fresh: 7 });
      });

      it('stores the greater value for max', async () => {
        const after = await updated(
          { _id: 'a', low: 1, high: 9, early: '2026-01-01T00:00:00.000Z' },
          { max: { low: 5, high: 5, early: '2026-02-01T00:00:00.000Z', fresh: 'x' } },
        );
        expect(after).toEqual({ _id: 'a', low: 5, high: 9, early: '2026-02-01T00:00:00.000Z', fresh: 'x' });
      });

      it('returns the number of matched documents, changed or not', async () => {
        await items.bulk([
          { insert: { _id: 'a', x: 1 } },
          { insert: { _id: 'b', x: 1 } },
          { insert: { _id: 'c', x: 2 } },
        ]);
        expect(await items.update(eq('x', 1), { set: { x: 1 } })).toBe(1);
        expect(await items.update(eq('x', 1), { set: { y: 1 } }, { many: true })).toBe(2);
        expect(await items.update(eq('x', 9), { set: { y: 1 } }, { many: true })).toBe(0);
        expect(await items.count(ne('y', null))).toBe(2);
        expect(await items.update(eq('_id', 'a'), {})).toBe(1);
        expect(await items.update(eq('_id', 'nobody'), {})).toBe(0);
      });

      it('matches for exactly one of concurrent updates with the same compare-and-set', async () => {
        await items.insert({ _id: 'a', rev: 1 });
        const take = (by: string): Promise<number> =>
          items.update(and(eq('_id', 'a'), eq('rev', 1)), { set: { by }, inc: { rev: 1 } });
        const matched = await Promise.all(['x', 'y', 'z'].map(take));
        expect([...matched].sort()).toEqual([0, 0, 1]);
        expect(await items.get('a')).toMatchObject({ rev: 2, by: ['x', 'y', 'z'][matched.indexOf(1)] });
      });

      it('loses no increment of many concurrent updates of one document', async () => {
        await items.insert({ _id: 'a', n: 0 });
        await Promise.all(Array.from({ length: 50 }, () => items.update(eq('_id', 'a'), { inc: { n: 1 } })));
        expect(await items.get('a')).toEqual({ _id: 'a', n: 50 });
      });

      it('updates the indexes of a document', async () => {
        await items.insert({ _id: 'a', rank: 1, serial: 'S1' });
        await items.update(eq('rank', 1), { set: { rank: 2, serial: 'S2' } });
        expect(await items.count(eq('rank', 1))).toBe(0);
        expect(await items.count(eq('rank', 2))).toBe(1);
        expect(await items.insert({ _id: 'b', serial: 'S1' })).toEqual({ inserted: true });
      });

      it('rejects a duplicate of a unique value with conflict, and changes nothing', async () => {
        await items.bulk([{ insert: { _id: 'a', serial: 'S1' } }, { insert: { _id: 'b', serial: 'S2' } }]);
        const taken = items.update(eq('_id', 'b'), { set: { serial: 'S1', x: 1 } });
        await expect(taken).rejects.toMatchObject({ code: 'conflict' });
        expect(await items.get('b')).toEqual({ _id: 'b', serial: 'S2' });
      });

      it('removes a document from a unique index when the value is unset', async () => {
        for (const id of ['a', 'b']) await items.insert({ _id: id, serial: `S${id}` });
        await items.update(eq('_id', 'a'), { unset: ['serial'] });
        await items.bulk([{ filter: eq('_id', 'b'), update: { unset: ['serial'] } }]);
        expect(await items.count(eq('serial', null))).toBe(2);
        expect(await items.insert({ _id: 'c', serial: 'Sa' })).toEqual({ inserted: true });
      });

      it('rejects only the update that does not fit its document, and changes nothing', async () => {
        await items.insert({ _id: 'a', text: 'x', list: [1] });
        const wrong: Update[] = [{ inc: { text: 1 }, set: { x: 1 } }, { set: { 'text.inner': 1, x: 1 } }];
        const outcomes = await Promise.allSettled([
          ...wrong.map((update) => items.update(eq('_id', 'a'), update)),
          items.insert({ _id: 'b' }),
        ]);
        expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
        for (const one of outcomes.slice(0, 2)) expect(one).toMatchObject({ reason: { code: 'internal' } });
        expect(await items.get('a')).toEqual({ _id: 'a', text: 'x', list: [1] });
      });

      it('rejects overlapping paths, _id and NaN with internal', async () => {
        const wrong: Update[] = [
          { set: { a: 1 }, inc: { a: 1 } },
          { set: { a: {} }, unset: ['a.b'] },
          { set: { _id: 'x' } },
          { inc: { n: Number.NaN } },
        ];
        for (const update of wrong) {
          await expect(items.update(eq('_id', 'a'), update)).rejects.toMatchObject({ code: 'internal' });
        }
      });
    });

    describe('upsert', () => {
      it('inserts the id and the update, and counts 0', async () => {
        const update: Update = { set: { x: 1, 'made.by': 'test' }, inc: { n: 2 }, unset: ['gone'] };
        expect(await items.update(eq('_id', 'a'), update, { upsert: true })).toBe(0);
        expect(await items.get('a')).toEqual({ _id: 'a', x: 1, n: 2, made: { by: 'test' } });
        expect(await items.update(eq('_id', 'a'), update, { upsert: true })).toBe(1);
        expect(await items.get('a')).toEqual({ _id: 'a', x: 1, n: 4, made: { by: 'test' } });
      });

      it('rejects an upsert with a unique value of another document with conflict', async () => {
        await items.insert({ _id: 'a', serial: 'S1' });
        const taken = items.update(eq('_id', 'b'), { set: { serial: 'S1' } }, { upsert: true });
        await expect(taken).rejects.toMatchObject({ code: 'conflict' });
        expect(await items.get('b')).toBeUndefined();
      });

      it('inserts one document for many concurrent upserts, and loses no increment', async () => {
        const one = (): Promise<number> => items.update(eq('_id', 'a'), { inc: { n: 1 } }, { upsert: true });
        const matched = await Promise.all(Array.from({ length: 30 }, one));
        expect(matched.filter((n) => n === 0)).toHaveLength(1);
        expect(await items.get('a')).toEqual({ _id: 'a', n: 30 });
      });

      it.each([
        ['without eq on _id', eq('x', 1)],
        ['with more than that', and(eq('_id', 'a'), eq('x', 1))],
      ])('rejects a filter %s with internal', async (_title, filter) => {
        await expect(items.update(filter, {}, { upsert: true })).rejects.toMatchObject({ code: 'internal' });
      });
    });

    describe('bulk', () => {
      it('leaves duplicates out, and executes the other operations', async () => {
        await items.bulk([{ insert: { _id: 'a', serial: 'S1' } }, { insert: { _id: 'b', rev: 1 } }]);
        const result = await items.bulk([
          { insert: { _id: 'c' } },
          { insert: { _id: 'a' } },
          { filter: and(eq('_id', 'b'), eq('rev', 1)), update: { inc: { rev: 1 } } },
          { insert: { _id: 'd', serial: 'S1' } },
          { filter: eq('_id', 'nobody'), update: { set: { x: 1 } } },
          { filter: eq('_id', 'c'), update: { set: { serial: 'S1' } } },
          { filter: and(eq('_id', 'a'), eq('serial', 'S1')), update: { set: { y: 1 } } },
        ]);
        expect(result).toEqual({ matched: 2, inserted: 1 });
        expect(await items.find(and(), { sort: [['_id', 1]] })).toEqual([
          { _id: 'a', serial: 'S1', y: 1 },
          { _id: 'b', rev: 2 },
          { _id: 'c' },
        ]);
      });

      it('returns zeros for a bulk without operations', async () => {
        expect(await items.bulk([])).toEqual({ matched: 0, inserted: 0 });
      });

      it('accepts a thousand operations, and accepts them again', async () => {
        const operations = Array.from({ length: 1_000 }, (_, n) => ({ insert: { _id: `r${String(n)}`, n } }));
        expect(await items.bulk(operations)).toEqual({ matched: 0, inserted: 1_000 });
        expect(await items.bulk(operations)).toEqual({ matched: 0, inserted: 0 });
      });

      it('changes each of a hundred documents by its own conditional update', async () => {
        const ids = Array.from({ length: 100 }, (_, n) => `r${String(n)}`);
        await items.bulk(ids.map((_id, n) => ({ insert: { _id, rev: n % 2 } })));
        const result = await items.bulk(
          ids.map((_id) => ({ filter: and(eq('_id', _id), eq('rev', 0)), update: { set: { name: _id } } })),
        );
        expect(result).toEqual({ matched: 50, inserted: 0 });
        const changed = await items.find(eq('rev', 0));
        expect(changed.map(({ name }) => name)).toEqual(changed.map(({ _id }) => _id));
        expect(changed).toHaveLength(50);
      });

      it('rejects all operations when one is invalid', async () => {
        const wrong = items.bulk([{ insert: { _id: 'a' } }, { filter: eq('x', 1), update: { set: { _id: 'b' } } }]);
        await expect(wrong).rejects.toMatchObject({ code: 'internal' });
        expect(await items.count(and())).toBe(0);
      });
    });

    describe('bulk with documents that follow', () => {
      const raise = (id: string, from: number) => ({
        filter: and(eq('_id', id), eq('rev', from)),
        update: { inc: { rev: 1 } },
      });
      const following = (...ids: string[]) => {
        return { whenAllMatched: { into: definition, documents: ids.map((_id) => ({ _id, serial: `of ${_id}` })) } };
      };
      beforeEach(async () => {
        await items.bulk(['a', 'b', 'c', 'd'].map((_id) => ({ insert: { _id, rev: 1 } })));
      });

      it.each([1, 4])('inserts them where all of %i updates matched', async (count) => {
        const updates = ['a', 'b', 'c', 'd'].slice(0, count).map((id) => raise(id, 1));
        expect(await items.bulk(updates, following('x', 'y'))).toEqual({ matched: count, inserted: 0, followed: 2 });
        expect(await items.get('x')).toEqual({ _id: 'x', serial: 'of x' });
        expect(await items.get('a')).toEqual({ _id: 'a', rev: 2 });
      });

      it.each([2, 4])('inserts none where one of %i updates did not match', async (count) => {
        const updates = ['a', 'b', 'c', 'd'].slice(0, count).map((id, n) => raise(id, n === 1 ? 7 : 1));
        const result = await items.bulk(updates, following('x'));
        expect(result).toEqual({ matched: count - 1, inserted: 0 });
        expect(await items.get('x')).toBeUndefined();
        // One commit, or none; elsewhere the others stay.
        expect(await items.get('a')).toEqual({ _id: 'a', rev: store.ordersWrites ? 1 : 2 });
      });

      it('inserts none that is taken, and where the store orders writes nothing at all', async () => {
        await items.insert({ _id: 'x', serial: 'first' });
        await items.insert({ _id: 'z', serial: 'of y' });
        for (const taken of ['x', 'y']) {
          const others = items.insert({ _id: `beside ${taken}` });
          const result = await items.bulk([raise('a', 1), raise('b', 1)], following('v', taken));
          expect(result.followed ?? 0).toBeLessThan(2);
          expect(await others).toEqual({ inserted: true });
          expect(await items.get('a')).toEqual({ _id: 'a', rev: store.ordersWrites ? 1 : 2 });
          expect(await items.count(oneOf('_id', ['v', 'y']))).toBe(store.ordersWrites ? 0 : 1);
          await items.update(eq('_id', 'a'), { set: { rev: 1 } });
          await items.update(eq('_id', 'b'), { set: { rev: 1 } });
        }
        expect(await items.get('x')).toEqual({ _id: 'x', serial: 'first' });
        expect(await items.bulk([raise('a', 1)], following('v2'))).toMatchObject({ matched: 1, followed: 1 });
      });

      it('inserts them without any update', async () => {
        expect(await items.bulk([], following('x'))).toMatchObject({ matched: 0, followed: 1 });
      });
    });

    describe('delete', () => {
      it('deletes matching documents up to the limit, and returns their number', async () => {
        await items.bulk(Array.from({ length: 10 }, (_, n) => ({ insert: { _id: String(n), n } })));
        expect(await items.get('0')).toBeDefined();
        expect(await items.delete(lt('n', 5), 3)).toBe(3);
        expect(await items.count(lt('n', 5))).toBe(2);
        expect(await items.delete(lt('n', 5), 0)).toBe(0);
        expect(await items.delete(lt('n', 5))).toBe(2);
        expect(await items.delete(oneOf('_id', ['9', 'nobody']))).toBe(1);
        expect(await items.get('0')).toBeUndefined();
        expect(await items.get('9')).toBeUndefined();
        expect(await items.delete(and())).toBe(4);
      });
    });

    describe('countGroups', () => {
      it.each(['rank', 'kind'])('groups by the values at %s, with counts and sums', async (path) => {
        await items.bulk([
          { insert: { _id: '1', [path]: 'a', wh: 10 } },
          { insert: { _id: '2', [path]: 'a', wh: 2.5 } },
          { insert: { _id: '3', [path]: true, wh: 'text' } },
          { insert: { _id: '4', [path]: null, wh: 1 } },
          { insert: { _id: '5', wh: 1 } },
          { insert: { _id: '6', [path]: 1 } },
          { insert: { _id: '7', [path]: 'a', wh: 100, out: true } },
        ]);
        const groups = await items.countGroups([path], eq('out', null), 'wh');
        groups.sort((a, b) => String(a.values).localeCompare(String(b.values)));
        expect(groups).toEqual([
          { values: [null], count: 2, sum: 2 },
          { values: [1], count: 1, sum: 0 },
          { values: ['a'], count: 2, sum: 12.5 },
          { values: [true], count: 1, sum: 0 },
        ]);
        expect(await items.countGroups([path], eq('_id', '1'))).toEqual([{ values: ['a'], count: 1, sum: 0 }]);
        expect(await items.countGroups([path], eq('_id', 'nobody'))).toEqual([]);
      });

      it.each(['rank', 'kind'])('groups by the values at %s and at another path together', async (path) => {
        await items.bulk([
          { insert: { _id: '1', [path]: 'a', place: { city: 'X' } } },
          { insert: { _id: '2', [path]: 'a', place: { city: 'X' } } },
          { insert: { _id: '3', [path]: 'a', place: { city: true } } },
          { insert: { _id: '4', [path]: null, place: {} } },
          { insert: { _id: '5', place: { city: { of: 1 } } } },
          { insert: { _id: '6', [path]: 1, place: { city: 'X' } } },
          { insert: { _id: '7', [path]: 'a', place: { city: 'X' }, out: true } },
        ]);
        await items.update(eq('_id', '6'), { set: { [path]: 2 } });
        const groups = await items.countGroups([path, 'place.city'], eq('out', null));
        groups.sort((a, b) => (JSON.stringify(a.values) < JSON.stringify(b.values) ? -1 : 1));
        expect(groups).toEqual([
          { values: ['a', 'X'], count: 2, sum: 0 },
          { values: ['a', true], count: 1, sum: 0 },
          { values: [2, 'X'], count: 1, sum: 0 },
          { values: [null, null], count: 2, sum: 0 },
        ]);
        await expect(items.countGroups([], eq('_id', '1'))).rejects.toMatchObject({ code: 'internal' });
      });
    });

    describe('incrementAndGet', () => {
      it('returns each value of a counter once to concurrent callers', async () => {
        const numbers = await Promise.all(
          Array.from({ length: 100 }, () => items.incrementAndGet('counter', 'next.id')),
        );
        expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
        expect(await items.incrementAndGet('counter', 'next.id', 10)).toBe(110);
        expect(await items.get('counter')).toEqual({ _id: 'counter', next: { id: 110 } });
      });

      it('rejects a value that is not a number', async () => {
        await items.insert({ _id: 'a', n: 'x' });
        await expect(items.incrementAndGet('a', 'n')).rejects.toMatchObject({ code: 'internal' });
      });
    });
  });
}
