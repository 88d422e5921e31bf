import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { eq, type Collection, type CollectionDefinition, type Document, type FindOptions, type Store } from '../port';
import { createSqliteStore } from '../sqlite/sqlite-store';
import { createListPage } from './list-page';

interface Row extends Document {
  readonly owner: string;
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
      return { _id: `r${String(i).padStart(2, '0')}`, owner: ['a', 'b', 'c'][i % 3] ?? '', at };
    });
    await rows.bulk(made.map((insert) => ({ insert })));
  });

  afterAll(async () => {
    await store.stop();
    rmSync(directory, { recursive: true });
  });

  it.each([false, true])(
    'of alternatives is the page that the store would make of all (descending: %s)',
    async (sortDescending) => {
      const rows = store.collection(rowsDefinition);
      const pageOf = createListPage(rows);
      const direction = sortDescending ? -1 : 1;
      const whole = await rows.find({ op: 'in', path: 'owner', values: ['a', 'c'] }, { sort: [['at', direction], ['_id', direction]] }); // prettier-ignore
      for (const page of [1, 2, 4, 6, 7]) {
        const wanted = { page, limit: 7, sortKey: 'at', sortDescending };
        const { items, total } = await pageOf([eq('owner', 'a'), eq('owner', 'c')], wanted, '_id');
        expect(items.map(({ _id }) => _id)).toEqual(whole.slice((page - 1) * 7, page * 7).map(({ _id }) => _id));
        expect(total).toBe(40);
      }
    },
  );

  it('of alternatives that have less than a page each is all there is, and is not counted', async () => {
    const rows = store.collection(rowsDefinition);
    const count = (): Promise<number> => Promise.reject(new Error('counted'));
    const pageOf = createListPage({ ...rows, count });
    const wanted = { page: 1, limit: 21, sortKey: 'at', sortDescending: false };
    const { items, total } = await pageOf([eq('owner', 'a'), eq('owner', 'none')], wanted, '_id');
    expect([items.length, total]).toEqual([20, 20]);
  });

  it('of alternatives that are many together is not counted for every page', async () => {
    const asked: unknown[] = [];
    const collection = {
      find: (_filter: unknown, { limit = 0 }: FindOptions) =>
        Promise.resolve(Array.from({ length: limit }, (_each, n): Row => ({ _id: String(n), owner: 'a', at: null }))),
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

  it('of no alternatives is empty', async () => {
    const pageOf = createListPage(store.collection(rowsDefinition));
    const wanted = { page: 1, limit: 10, sortKey: 'at', sortDescending: false };
    expect(await pageOf([], wanted, '_id')).toEqual({ items: [], total: 0 });
  });
});
