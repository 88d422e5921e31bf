import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import {
  and,
  eq,
  ne,
  oneOf,
  type Collection,
  type CollectionDefinition,
  type Document,
  type FindOptions,
  type Store,
} from '../../port';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { createListPage } from './list-page';

interface Row extends Document {
  readonly owner: string;
  /** No index has this path. */
  readonly kind: number;
  readonly at: string | null;
}

const rowsDefinition: CollectionDefinition<Row> = {
  name: 'rows',
  indexes: [{ name: 'byOwner', paths: [['owner', 1], ['at', 1], ['_id', 1]] }], // prettier-ignore
};

describe('a page of a list', () => {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-pages-'));
  let store: Store;

  beforeAll(async () => {
    store = createSqliteStore({ directory, logger: createRecordingLogger(), clock: systemClock });
    const rows = store.collection(rowsDefinition);
    await store.start();
    const made = Array.from({ length: 60 }, (_each, i): Row => {
      const at = i % 7 === 0 ? null : `2026-01-${String((i % 9) + 1).padStart(2, '0')}`;
      return { _id: `r${String(i).padStart(2, '0')}`, owner: ['a', 'b', 'c'][i % 3] ?? '', kind: i % 5, at };
    });
    await rows.bulk(made.map((insert) => ({ insert })));
  });

  afterAll(async () => {
    await store.stop();
    rmSync(directory, { recursive: true });
  });

  const directions = [false, true];
  it.each(directions)(
    'returns the store’s own page of all alternatives together (descending: %s)',
    async (sortDescending) => {
      const rows = store.collection(rowsDefinition);
      const direction = sortDescending ? -1 : 1;
      for (const { indexes, restricted } of [
        { indexes: [], restricted: [] },
        { indexes: rowsDefinition.indexes, restricted: [] },
        { indexes: rowsDefinition.indexes, restricted: [ne('kind', 2)] },
        { indexes: rowsDefinition.indexes, restricted: [ne('at', null)] },
      ]) {
        const pageOf = createListPage(rows, indexes);
        const together = and(oneOf('owner', ['a', 'c']), ...restricted);
        const whole = await rows.find(together, { sort: [['at', direction], ['_id', direction]] }); // prettier-ignore
        expect(whole.length).toBeGreaterThan(30);
        for (const page of [1, 2, 4, 5, 6, 7]) {
          const wanted = { page, limit: 7, sortKey: 'at', sortDescending };
          const each = ['a', 'c'].map((owner) => and(eq('owner', owner), ...restricted));
          const { items, total } = await pageOf(each, wanted, '_id');
          expect(items).toEqual(whole.slice((page - 1) * 7, page * 7));
          expect(total).toBe(whole.length);
        }
      }
    },
  );

  describe('a page of alternatives that one index covers', () => {
    const wanted = { page: 2, limit: 5, sortKey: 'at', sortDescending: true };
    const owners = [eq('owner', 'a'), eq('owner', 'b'), eq('owner', 'c')];
    const recording = () => {
      const found: Row[] = [];
      const rows = store.collection(rowsDefinition);
      const find: typeof rows.find = async (...asked) => {
        const some = await rows.find(...asked);
        found.push(...some);
        return some;
      };
      return { found, rows, collection: { ...rows, find } };
    };

    it('reads only the rows of the page', async () => {
      const { found, collection } = recording();
      const { items, total } = await createListPage(collection, rowsDefinition.indexes)(owners, wanted, '_id');
      expect(items).toHaveLength(5);
      expect(total).toBe(60);
      expect(found.map(({ _id }) => _id).sort()).toEqual(items.map(({ _id }) => _id).sort());
    });

    it('reads each alternative up to the end of the page for a filter outside the indexes', async () => {
      const { found, collection } = recording();
      const pageOf = createListPage(collection, rowsDefinition.indexes);
      const some = owners.map((owner) => and(owner, ne('kind', 2)));
      expect((await pageOf(some, wanted, '_id')).items).toHaveLength(5);
      expect(found).toHaveLength(30);
    });

    it('omits a row that was deleted before it is read', async () => {
      const { rows, collection } = recording();
      const whole = (await createListPage(rows, rowsDefinition.indexes)(owners, wanted, '_id')).items;
      const find: typeof rows.find = async (...asked) => (await rows.find(...asked)).filter(({ _id }) => _id !== gone);
      const gone = whole[2]?._id;
      const { items } = await createListPage({ ...collection, find }, rowsDefinition.indexes)(owners, wanted, '_id');
      expect(items).toEqual(whole.filter(({ _id }) => _id !== gone));
    });

    it('returns the total with an empty page beyond the end', async () => {
      const { rows } = recording();
      const pageOf = createListPage(rows, rowsDefinition.indexes);
      expect(await pageOf(owners, { ...wanted, page: 20 }, '_id')).toEqual({ items: [], total: 60 });
    });
  });

  it('returns the total without a count for alternatives shorter than a page', async () => {
    const rows = store.collection(rowsDefinition);
    const count = (): Promise<number> => Promise.reject(new Error('counted'));
    const pageOf = createListPage({ ...rows, count });
    const wanted = { page: 1, limit: 21, sortKey: 'at', sortDescending: false };
    const { items, total } = await pageOf([eq('owner', 'a'), eq('owner', 'none')], wanted, '_id');
    expect([items.length, total]).toEqual([20, 20]);
  });

  it('counts large alternatives once for several pages', async () => {
    const asked: unknown[] = [];
    const collection = {
      find: (_filter: unknown, { limit = 0 }: FindOptions) =>
        Promise.resolve(
          Array.from({ length: limit }, (_each, n): Row => ({ _id: String(n), owner: 'a', kind: 0, at: null })),
        ),
      count: (filter: unknown) => Promise.resolve(asked.push(filter) * 0 + 6_000),
    } as unknown as Collection<Row>;
    const pageOf = createListPage(collection);
    const wanted = { page: 1, limit: 10, sortKey: 'at', sortDescending: false };
    for (const page of [1, 2, 3]) {
      const { total } = await pageOf([eq('owner', 'a'), eq('owner', 'b')], { ...wanted, page }, '_id');
      expect(total).toBe(12_000);
    }
    expect(asked).toEqual([eq('owner', 'a'), eq('owner', 'b')]);
    expect((await pageOf([eq('owner', 'a')], wanted, '_id')).total).toBe(6_000);
  });

  it('returns an empty page without alternatives', async () => {
    const pageOf = createListPage(store.collection(rowsDefinition));
    const wanted = { page: 1, limit: 10, sortKey: 'at', sortDescending: false };
    expect(await pageOf([], wanted, '_id')).toEqual({ items: [], total: 0 });
  });
});
