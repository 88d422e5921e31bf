// The contract of the pages of the feed for every adapter.
import type { Charger } from '@busbar/domain/chargers';
import { feedPageKey, type FeedPage } from '@busbar/domain/feed';
import { noRows, type ChargerChange, type ReportStore } from '@busbar/domain/reports';
import { eq, type Store } from '../../port';
import { collections } from '../collections';
import { createRecords } from '../create-records';
import { SCHEMA_ID, settingsCollection } from '../store-schema';
import { createFeedPages, createFeedPageWriter, createFeedReader, createFeedRetention } from './feed-pages';
import { createReportStore } from './report-store';

const STREAM = { clientId: 'c', partition: 3 };

/** A page of two events, written at that second. */
export function pageAt(page: number, over: Partial<FeedPage> = {}): FeedPage {
  const at = new Date(Date.UTC(2026, 0, 1, 0, 0, page)).toISOString();
  return { ...STREAM, page, at, highest: '{"I":2}', count: 2, events: '[{"sequence":1},{"sequence":2}]', ...over };
}

/** `create` returns an empty store each time. */
export function describeFeedPages(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let reports: ReportStore;
    beforeEach(async () => {
      store = create();
      createRecords(store);
      reports = createReportStore(store);
      await store.start();
      await store.collection(collections.chargers).insert({ _id: 'A', ...charger() });
    });
    afterEach(() => store.stop());

    const write = (...pages: FeedPage[]) => reports.write(noRows(), [], pages);
    const numbers = async (after: number, limit = 100): Promise<number[]> => {
      const found = await createFeedReader(store).pagesAfter({ ...STREAM, page: after }, limit);
      return found.map(({ page }) => page);
    };

    it('stores pages with the change of a record that has their events', async () => {
      expect(await reports.write(noRows(), [change({ page: 1 })], [pageAt(1)])).toBe('written');
      const [loaded] = await reports.loadChargers(['A']);
      expect(loaded?.outbox).toEqual({ page: 1, items: '{}', first: 1, next: 2 });
      expect(await createFeedReader(store).pagesAfter({ ...STREAM, page: 0 }, 10)).toEqual([
        { _id: feedPageKey(pageAt(1)), ...pageAt(1) },
      ]);
    });

    it('reads pages by their ids, those that are stored', async () => {
      await write(pageAt(1), pageAt(2), pageAt(3));
      const found = await createFeedReader(store).pagesOf([pageAt(3), pageAt(1), pageAt(4)]);
      expect(found.map(({ page }) => page)).toEqual([1, 3]);
      expect(await createFeedReader(store).pagesOf([])).toEqual([]);
    });

    it('says when a page was written', async () => {
      await write(pageAt(1));
      const reader = createFeedReader(store);
      expect(await reader.writtenAt(pageAt(1))).toBe(pageAt(1).at);
      expect(await reader.writtenAt(pageAt(2))).toBeUndefined();
    });

    it('stores no page where another writer has changed a record', async () => {
      await store.collection(collections.chargers).insert({ _id: 'B', ...charger('B') });
      const lost = { ...change({ page: 1 }, 'B'), from: { ...charger('B'), revision: 9 } };
      expect(await reports.write(noRows(), [change({ page: 1 }), lost], [pageAt(1)])).toBe('conflict');
      expect(await numbers(0)).toEqual([]);
      expect((await reports.loadChargers(['A']))[0]?.outbox?.page).toBe(reports.commitsPages ? undefined : 1);
    });

    it('reports a conflict where another owner has written a page of that number', async () => {
      await write(pageAt(1));
      const other = pageAt(1, { highest: '{"J":7}' });
      expect(await reports.write(noRows(), [change({ page: 1 })], [other])).toBe('conflict');
      // The outbox then has the text of its events.
      expect((await reports.loadChargers(['A']))[0]?.outbox?.page).toBe(reports.commitsPages ? undefined : 1);
      expect(await createFeedPages(store).highestIn([pageAt(1)])).toEqual(
        new Map([[feedPageKey(pageAt(1)), { I: 2 }]]),
      );
    });

    it('finds the last page of each client and partition', async () => {
      await write(pageAt(1), pageAt(1, { clientId: 'd' }), pageAt(1, { partition: 4 }));
      for (let page = 2; page <= 12; page += 1) await write(pageAt(page));
      await write(pageAt(2, { partition: 4 }));
      const { lastPage } = createFeedPages(store);
      expect(await lastPage(STREAM)).toBe(12);
      expect(await lastPage({ clientId: 'd', partition: 3 })).toBe(1);
      expect(await lastPage({ clientId: 'c', partition: 4 })).toBe(2);
      expect(await lastPage({ clientId: 'c', partition: 30 })).toBe(0);
    });

    it('finds the last pages of all streams of a client behind the known ones', async () => {
      await write(pageAt(1, { partition: 0 }), pageAt(1), pageAt(1, { clientId: 'd', partition: 1 }));
      for (let page = 2; page <= 12; page += 1) await write(pageAt(page));
      const { lastPages } = createFeedReader(store);
      expect(await lastPages('c', [0, 0, 0, 0])).toEqual([1, 0, 0, 12]);
      expect(await lastPages('c', [1, 7, 0, 9])).toEqual([1, 7, 0, 12]);
      expect(await lastPages('e', [0, 0])).toEqual([0, 0]);
    });

    it('inserts a page whose number is free', async () => {
      const { insert } = createFeedPageWriter(store);
      expect([await insert(pageAt(1)), await insert(pageAt(1)), await insert(pageAt(2))]).toEqual([true, false, true]);
      expect(await numbers(0)).toEqual([1, 2]);
    });

    it('stores several pages of one stream in their order', async () => {
      expect(await write(pageAt(1), pageAt(2), pageAt(3))).toBe('written');
      expect(await write(pageAt(3), pageAt(4))).toBe('conflict');
      expect((await numbers(0)).slice(0, 3)).toEqual([1, 2, 3]);
    });

    it('reads pages behind a number, up to a limit and to the first gap', async () => {
      for (const page of [1, 2, 3, 5]) await write(pageAt(page));
      expect(await numbers(0, 2)).toEqual([1, 2]);
      expect(await numbers(1)).toEqual([2, 3]);
      expect(await numbers(3)).toEqual([]);
    });

    it('finds the partitions and the generation of the feed', async () => {
      const { identity } = createFeedReader(store);
      expect(await identity()).toBeUndefined();
      await store.collection(settingsCollection).insert({ _id: SCHEMA_ID, version: 1, partitions: 16 });
      expect(await identity()).toEqual({ partitions: 16, generation: '' });
      await store.collection(settingsCollection).update(eq('_id', SCHEMA_ID), { set: { feedGeneration: 'g' } });
      expect(await identity()).toEqual({ partitions: 16, generation: 'g' });
    });

    it('finds the oldest page, and the highest sequences of the pages behind a number', async () => {
      const { firstPage, highestAfter } = createFeedReader(store);
      expect(await firstPage(STREAM)).toBe(0);
      await write(pageAt(1, { partition: 2 }), pageAt(1, { partition: 4 }));
      for (const page of [3, 4, 6]) await write(pageAt(page, { highest: `{"I":${String(page)}}` }));
      expect(await firstPage(STREAM)).toBe(3);
      expect(await highestAfter({ ...STREAM, page: 3 }, 10)).toEqual([
        { page: 4, highest: '{"I":4}' },
        { page: 6, highest: '{"I":6}' },
      ]);
      expect(await highestAfter({ ...STREAM, page: 0 }, 1)).toEqual([{ page: 3, highest: '{"I":3}' }]);
    });

    it('finds the highest sequence of each charger in the pages that exist', async () => {
      await write(pageAt(1, { highest: '{"I":2,"J":40}' }));
      const found = await createFeedPages(store).highestIn([pageAt(1), pageAt(2)]);
      expect(found).toEqual(new Map([[feedPageKey(pageAt(1)), { I: 2, J: 40 }]]));
    });

    it('deletes pages by age, oldest first, and never the last of a stream', async () => {
      for (let page = 1; page <= 5; page += 1) await write(pageAt(page));
      await write(pageAt(1, { clientId: 'd' }));
      const { prune } = createFeedRetention(store);
      expect(await prune(pageAt(4).at, 2)).toBe(2);
      expect(await numbers(2)).toEqual([3, 4, 5]);
      expect(await prune('2027-01-01T00:00:00.000Z', 2)).toBe(2);
      expect(await prune('2027-01-01T00:00:00.000Z', 2)).toBe(0);
      expect(await numbers(4)).toEqual([5]);
      expect(await createFeedPages(store).lastPage({ clientId: 'd', partition: 3 })).toBe(1);
    });

    it('deletes pages of a stream in the order of their numbers, whatever their times, and notes how far', async () => {
      await write(pageAt(1, { at: '2026-02-02T00:00:00.000Z' }));
      await write(pageAt(2, { at: '2026-02-01T00:00:00.000Z' }));
      await write(pageAt(3, { at: '2026-02-03T00:00:00.000Z' }));
      const { prune } = createFeedRetention(store);
      const before = '2026-02-01T12:00:00.000Z';
      expect(await prune(before, 5)).toBe(0);
      expect(await createFeedReader(store).prunedBefore()).toBeUndefined();
      const later = '2026-02-02T12:00:00.000Z';
      expect([await prune(later, 5), await prune(later, 5), await prune(later, 5)]).toEqual([1, 0, 1]);
      expect(await numbers(2)).toEqual([3]);
    });

    it('finds pages to delete behind many last ones, without reading those again for each few that are deleted', async () => {
      for (let n = 0; n < 250; n += 1) await write(pageAt(1, { clientId: `rests-${String(n)}` }));
      for (let page = 2; page <= 6; page += 1) await write(pageAt(page));
      let reads = 0;
      const counted = countReads(store, () => (reads += 1));
      const { prune } = createFeedRetention(counted);
      const deleted: number[] = [];
      do deleted.push(await prune('2027-01-01T00:00:00.000Z', 2));
      while (deleted.at(-1) !== 0);
      expect(deleted).toEqual([2, 2, 0]);
      // Of 256 pages, 250 of which are last ones.
      expect(reads).toBeLessThan(20);
      expect(await prune('2027-01-01T00:00:00.000Z', 2)).toBe(0);
      expect(await numbers(5)).toEqual([6]);
    });
  });
}

/** The store, which counts reads of the pages. */
function countReads(store: Store, onRead: () => void): Store {
  const collection: Store['collection'] = (definition) => {
    const opened = store.collection(definition);
    const findValues: typeof opened.findValues = (...args) => {
      onRead();
      return opened.findValues(...args);
    };
    return { ...opened, findValues };
  };
  return { ...store, collection };
}

function charger(chargerId = 'A'): Charger {
  const registered = { authentication: {}, sockets: [] };
  const parts = { chargerId, clientId: 'c', incarnationId: 'I', revision: 0, registered, connection: {} };
  return { ...parts, reported: { deviations: {} }, applied: [] } as unknown as Charger;
}

/** A change that makes one event. */
function change({ page }: { readonly page: number }, chargerId = 'A'): ChargerChange {
  const from = charger(chargerId);
  return { from, to: { ...from, revision: 1, outbox: { page, items: '{}', first: 1, next: 2 } } };
}
