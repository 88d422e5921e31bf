// The contract of the store port for every adapter. Run by sqlite/sqlite-store.test.ts and mongo-store.integration.test.ts.
import { isAppError } from '@busbar/core';

import { and, contains, eq, gt, gte, lt, lte, ne, oneOf, or } from './port';
import type { Collection, Filter, Json, Store } from './port';
import { itemsDefinition, openItems } from './store-harness.contract';
import type { Item, StoreHarness } from './store-harness.contract';
import { describeModel } from './store-model.contract';
import { describeNames } from './store-names.contract';

export function describeStore(title: string, harness: () => StoreHarness): void {
  describe(title, () => {
    let store: Store;
    let items: Collection<Item>;

    beforeEach(async () => {
      ({ store, items } = await openItems(harness()));
    });
    afterEach(() => store.stop());

    const insert = async (...documents: Item[]): Promise<void> => {
      await items.bulk(documents.map((document) => ({ insert: document })));
    };
    const idsOf = async (filter: Filter): Promise<string[]> => (await items.find(filter)).map(({ _id }) => _id).sort();

    describe('a filter', () => {
      const CASES: readonly (readonly [string, Filter, readonly string[]])[] = [
        ['eq finds a text', eq('name', 'Ada'), ['text']],
        ['eq finds a number, not its text', eq('name', 5), ['number']],
        ['eq finds true, not 1', eq('name', true), ['true']],
        ['eq finds false, not 0', eq('name', false), ['false']],
        ['eq null finds absent and null', eq('name', null), ['absent', 'null']],
        ['eq finds the empty text', eq('name', ''), ['empty']],
        ['ne finds absent', ne('name', 'Ada'), ['absent', 'empty', 'false', 'null', 'number', 'object', 'true']],
        ['ne null excludes absent and null', ne('name', null), ['empty', 'false', 'number', 'object', 'text', 'true']],
        ['in finds texts and numbers', oneOf('name', ['Ada', 5, 'Bob']), ['number', 'text']],
        ['in with an empty list finds nothing', oneOf('name', []), []],
        ['lt of a number finds numbers only', lt('name', 6), ['number']],
        ['lt excludes the bound', lt('name', 5), []],
        ['lte includes the bound', lte('name', 5), ['number']],
        ['gt of a text finds texts only', gt('name', ''), ['text']],
        ['gte includes the bound', gte('name', ''), ['empty', 'text']],
        ['gte of a number finds no text', gte('name', -1), ['number']],
        ['lte of a text finds no number', lte('name', 'zzz'), ['empty', 'text']],
        ['contains ignores ASCII case', contains('name', 'aDA'), ['text']],
        ['contains finds no number', contains('name', '5'), []],
        ['contains of the empty text finds every text', contains('name', ''), ['empty', 'text']],
        ['and finds the intersection', and(ne('name', null), gt('name', 1)), ['number']],
        ['or finds the union', or(eq('name', 'Ada'), eq('name', true)), ['text', 'true']],
        ['an empty or finds nothing', or(), []],
        ['an empty or inside an and finds nothing', and(ne('name', null), or()), []],
        ['_id is found by in', oneOf('_id', ['text', 'nobody']), ['text']],
        ['_id is found by range', gte('_id', 'text'), ['text', 'true']],
        ['_id never equals a number', eq('_id', 5), []],
      ];
      const VALUES: Readonly<Record<string, Json>> = {
        text: 'Ada',
        empty: '',
        number: 5,
        true: true,
        false: false,
        null: null,
        object: { first: 'Ada' },
      };
      // The same cases run on a path without an index, on one with an index, and on nested ones.
      const PATHS = ['name', 'rank', 'owner.deep.name', 'place.city'];

      for (const path of PATHS) {
        it.each(CASES)(`selects documents at ${path}: %s`, async (_title, filter, expected) => {
          const at = (value: Json): Record<string, Json> =>
            path.split('.').reduceRight<Json>((inner, key) => ({ [key]: inner }), value) as unknown as Record<
              string,
              Json
            >;
          await insert({ _id: 'absent' }, ...Object.entries(VALUES).map(([_id, value]) => ({ _id, ...at(value) })));
          const moved = onPath(filter, path);
          expect(await idsOf(moved)).toEqual(expected);
          expect(await items.count(moved)).toBe(expected.length);
        });
      }

      it('selects every document with an empty and', async () => {
        await insert({ _id: 'a' }, { _id: 'b' });
        expect(await idsOf(and())).toEqual(['a', 'b']);
      });

      it('compares each character of contains literally', async () => {
        const signs = ['%', '_', '\\', '.*', '[a]', '(', '$', '^', "'", '"', '?', 'É'];
        await insert({ _id: 'none', rank: 'plain', name: 'plain' });
        await insert(...signs.map((sign, at) => ({ _id: String(at), rank: `x${sign}y`, name: `x${sign}y` })));
        for (const [at, sign] of signs.entries()) {
          expect([sign, await idsOf(contains('name', sign))]).toEqual([sign, [String(at)]]);
          expect([sign, await idsOf(contains('rank', sign))]).toEqual([sign, [String(at)]]);
        }
        expect(await idsOf(contains('name', 'é'))).toEqual([]);
      });

      it('never follows a path through an array or a scalar', async () => {
        await insert({ _id: 'array', list: [{ name: 'x' }] }, { _id: 'scalar', list: 5 });
        expect(await idsOf(ne('list.size', null))).toEqual([]);
        expect(await idsOf(eq('list.size', null))).toEqual(['array', 'scalar']);
      });

      it('rejects invalid paths, operators and values with internal', async () => {
        const wrong: Filter[] = [eq('', 1), eq('a..b', 1), eq('$where', 'x'), eq('a', Number.NaN), gt('a', Infinity)];
        for (const filter of wrong) await expect(items.find(filter)).rejects.toMatchObject({ code: 'internal' });
        const asValue = { $ne: null } as unknown as string;
        await expect(items.find(eq('name', asValue))).rejects.toMatchObject({ code: 'internal' });
        await expect(items.find(oneOf('name', [asValue]))).rejects.toMatchObject({ code: 'internal' });
      });
    });

    describe('find', () => {
      it('sorts by several paths, most significant first', async () => {
        await insert(
          { _id: '1', rank: 1, place: { city: 'B' } },
          { _id: '2', rank: 2, place: { city: 'A' } },
          { _id: '3', rank: 1, place: { city: 'A' } },
          { _id: '4' },
        );
        const sorted = await items.find(and(), {
          sort: [
            ['place.city', 1],
            ['rank', -1],
          ],
        });
        expect(sorted.map(({ _id }) => _id)).toEqual(['4', '2', '3', '1']);
        const byId = await items.find(and(), { sort: [['_id', -1]] });
        expect(byId.map(({ _id }) => _id)).toEqual(['4', '3', '2', '1']);
      });

      it('applies limit and skip', async () => {
        await insert(...[1, 2, 3, 4].map((n) => ({ _id: String(n), n })));
        expect(await items.find(gt('n', 0), { sort: [['n', 1]], skip: 1, limit: 2 })).toEqual([
          { _id: '2', n: 2 },
          { _id: '3', n: 3 },
        ]);
        expect(await items.find(and(), { skip: 3 })).toHaveLength(1);
        expect(await items.find(and(), { limit: 0, sort: [['n', 1]] })).toEqual([]);
      });

      it('returns values in the order, limit and skip that find would use', async () => {
        await insert(
          { _id: '1', rank: 'x', n: { deep: 5 }, serial: 9 },
          { _id: '2', rank: 3, n: { deep: [1] } },
          { _id: '3', rank: true, n: null },
          { _id: '4', rank: { in: 1 } },
          { _id: '5', rank: null, n: 'text' },
        );
        const byId = { sort: [['_id', 1]] } as const;
        expect(await items.findValues(and(), ['rank', '_id', 'n.deep'], byId)).toEqual([
          ['x', '1', 5],
          [3, '2', null],
          [true, '3', null],
          [null, '4', null],
          [null, '5', null],
        ]);
        expect(await items.findValues(and(), ['n', 'n.deep'], byId)).toEqual([
          [null, 5],
          [null, null],
          [null, null],
          [null, null],
          ['text', null],
        ]);
        const sort = [['rank', -1] as const, ['_id', -1] as const];
        const ordered = await items.findValues(oneOf('_id', ['1', '2', '3', '5']), ['rank'], { sort });
        expect(ordered).toEqual([[true], ['x'], [3], [null]]);
        expect(await items.findValues(and(), ['_id'], { ...byId, skip: 1, limit: 2 })).toEqual([['2'], ['3']]);
        expect(await items.findValues(and(), ['serial'], { ...byId, limit: 1 })).toEqual([[9]]);
        expect(await items.findValues(and(), ['_id'], { limit: 0 })).toEqual([]);
        expect(await items.findValues(eq('_id', 'nobody'), ['_id'])).toEqual([]);
      });

      it('returns values that were just updated', async () => {
        await insert({ _id: '1', rank: 1, n: 1 });
        await items.update(eq('_id', '1'), { set: { rank: 2, n: 2 } });
        expect(await items.findValues(and(), ['rank', 'n'])).toEqual([[2, 2]]);
      });

      it('rejects a request for values without a path, or with an invalid one', async () => {
        await expect(items.findValues(and(), [])).rejects.toMatchObject({ code: 'internal' });
        await expect(items.findValues(and(), ['a..b'])).rejects.toMatchObject({ code: 'internal' });
      });

      it('returns a page of a thousand documents', async () => {
        const all = Array.from({ length: 1_500 }, (_, n) => ({
          _id: `d${String(n).padStart(5, '0')}`,
          n,
          pad: 'x'.repeat(600),
        }));
        await insert(...all);
        const page = await items.find(and(), { sort: [['_id', 1]], limit: 1_000, skip: 250 });
        expect(page).toEqual(all.slice(250, 1_250));
      });
    });

    describe('the storage of documents', () => {
      it('returns a document unchanged', async () => {
        const document: Item = {
          _id: 'ключ/ü 🔌',
          text: 'line\nbreak \u2028 "quoted" \\ \u0001 🚗 é',
          nul: 'before\u0000after',
          big: 'x'.repeat(300_000),
          numbers: [0, -1, 1.5, 2 ** 31, 2 ** 40, 2 ** 53 - 1, -(2 ** 53 - 1), 1e300, 5e-324],
          empty: { object: {}, array: [], nested: [[], [{}]] },
          flags: [true, false, null],
          'odd key': { "it's": 1, 'a"b': 2, ключ: 3, '': 4 },
        };
        await insert(document);
        expect(await items.get(document._id)).toEqual(document);
        expect(await items.find(eq('_id', document._id))).toEqual([document]);
      });

      it('finds a document by unusual keys and texts', async () => {
        await insert({ _id: 'a', 'odd key': { "it's": 1, 'a"b': 'y' }, nul: 'x\u0000y' }, { _id: 'b', nul: 'x' });
        expect(await idsOf(eq("odd key.it's", 1))).toEqual(['a']);
        expect(await idsOf(eq('odd key.a"b', 'y'))).toEqual(['a']);
        expect(await idsOf(eq('nul', 'x'))).toEqual(['b']);
        expect(await idsOf(eq('nul', 'x\u0000y'))).toEqual(['a']);
      });

      it('keeps keys that would change a prototype as data', async () => {
        const document = JSON.parse(
          '{"_id":"a","__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}',
        ) as Item;
        await insert(document, { _id: 'b' });
        await items.update(eq('_id', 'b'), { set: { '__proto__.admin': true, 'constructor.prototype.x': 1 } });
        expect(({} as { admin?: boolean }).admin).toBeUndefined();
        expect(JSON.stringify(await items.get('a'))).toBe(JSON.stringify(document));
        expect(JSON.stringify(await items.get('b'))).toBe(JSON.stringify({ ...document, _id: 'b' }));
        expect(await idsOf(eq('__proto__.admin', true))).toEqual(['a', 'b']);
        expect(await idsOf(ne('toString', null))).toEqual([]);
      });

      it('keeps a stored document when a caller changes the object that it read', async () => {
        await insert({ _id: 'a', list: [1] });
        for (const read of [() => items.get('a'), async () => (await items.find(and()))[0]]) {
          const got = (await read()) as unknown as { list: number[] };
          expect(() => {
            try {
              got.list.push(2);
            } catch (error) {
              if (!(error instanceof TypeError)) throw error;
            }
          }).not.toThrow();
          expect(await items.get('a')).toEqual({ _id: 'a', list: [1] });
        }
      });

      it('rejects a document without a text as its id with internal', async () => {
        await expect(items.insert({} as Item)).rejects.toMatchObject({ code: 'internal' });
        await expect(items.insert({ _id: 5 } as unknown as Item)).rejects.toMatchObject({ code: 'internal' });
        await expect(items.bulk([{ insert: { _id: '' } }])).rejects.toMatchObject({ code: 'internal' });
      });

      it('returns undefined for an unknown id', async () => {
        expect(await items.get('nobody')).toBeUndefined();
      });
    });

    describe('insert', () => {
      it('reports a duplicate, and changes nothing', async () => {
        expect(await items.insert({ _id: 'a', serial: 'S1' })).toEqual({ inserted: true });
        expect(await items.insert({ _id: 'a', serial: 'S2' })).toEqual({ inserted: false });
        expect(await items.insert({ _id: 'b', serial: 'S1' })).toEqual({ inserted: false });
        expect(await items.find(and())).toEqual([{ _id: 'a', serial: 'S1' }]);
      });

      it('accepts absent values many times in a unique index', async () => {
        await insert({ _id: 'a' }, { _id: 'b' });
        expect(await items.count(and())).toBe(2);
        expect(await items.insert({ _id: 'e', serial: '' })).toEqual({ inserted: true });
        expect(await items.insert({ _id: 'f', serial: '' })).toMatchObject({ inserted: false });
        expect(await items.insert({ _id: 'g', serial: 7 })).toEqual({ inserted: true });
        expect(await items.insert({ _id: 'h', serial: 7 })).toMatchObject({ inserted: false });
      });

      it('accepts one of many concurrent inserts of one id', async () => {
        const results = await Promise.all(Array.from({ length: 20 }, (_, n) => items.insert({ _id: 'a', n })));
        expect(results.filter(({ inserted }) => inserted)).toHaveLength(1);
      });
    });

    describe('the life cycle', () => {
      it('allows start and stop twice, and rejects calls of a stopped store immediately', async () => {
        await store.start();
        expect(store.ready()).toBe(true);
        await Promise.all([store.stop(), store.stop()]);
        await store.stop();
        expect(store.ready()).toBe(false);
        const rejected = await Promise.allSettled([
          items.get('a'),
          items.find(and()),
          items.insert({ _id: 'a' }),
          items.update(eq('_id', 'a'), {}),
          items.bulk([{ insert: { _id: 'a' } }]),
          items.delete(and()),
          items.findValues(and(), ['n']),
          items.count(and()),
          items.countGroups(['a'], and()),
          items.incrementAndGet('a', 'n'),
        ]);
        expect(rejected.map((one) => one.status === 'rejected' && isAppError(one.reason, 'unavailable'))).toEqual(
          rejected.map(() => true),
        );
      });

      it('returns the same collection for the same definition', () => {
        const definition = itemsDefinition();
        const fresh = harness().create();
        expect(fresh.collection(definition)).toBe(fresh.collection(definition));
      });

      it('keeps documents over a stop and a start, and builds the indexes of a changed definition', async () => {
        const definition = itemsDefinition();
        const data = harness();
        const before = await openItems(data, { ...definition, indexes: [] });
        await before.items.bulk([
          { insert: { _id: 'a', serial: 'S1', rank: 2, place: { city: 'X' } } },
          { insert: { _id: 'b', serial: 'S2', rank: true } },
        ]);
        await before.store.stop();

        const after = await openItems(data, definition);
        expect(await after.items.insert({ _id: 'c', serial: 'S1' })).toEqual({ inserted: false });
        expect(await after.items.find(eq('place.city', 'X'))).toHaveLength(1);
        expect(await after.items.find(eq('rank', true))).toHaveLength(1);
        await after.store.stop();
      });
    });
  });
  describeModel(`${title}, against a model`, harness);
  describeNames(title, harness);
}

function onPath(filter: Filter, path: string): Filter {
  if ('filters' in filter) return { ...filter, filters: filter.filters.map((inner) => onPath(inner, path)) };
  return filter.path === '_id' ? filter : { ...filter, path };
}
