// The pages of the feed, as the owner of a partition and readers read them. They are inserted with the changes of records
// (report-store.ts).
import type { Timestamp } from '@busbar/domain';
import {
  feedPageKey,
  feedStreamKey,
  type FeedPageId,
  type FeedPages,
  type FeedPageWriter,
  type FeedReader,
  type FeedStream,
} from '@busbar/domain/feed';
import { and, eq, gt, lt, oneOf, or, type Filter, type Store } from '../../port';
import { collections } from '../collections';
import { SCHEMA_ID, settingsCollection } from '../store-schema';

/** Beyond the digits of any number: the end of a stream's ids. */
const END = '~';
/** Of one look at what is new in a client's feed. */
const MAX_NEW_PAGES = 500;

export function createFeedPages(store: Store): FeedPages {
  const pages = store.collection(collections.feedPages);
  return {
    async lastPage(stream) {
      const key = feedStreamKey(stream);
      const ofStream = and(gt('_id', `${key}/`), lt('_id', `${key}/${END}`));
      const [last] = await pages.findValues(ofStream, ['page'], { sort: [['_id', -1]], limit: 1 });
      return Number(last?.[0] ?? 0);
    },
    async highestIn(ids) {
      if (ids.length === 0) return new Map();
      const found = await pages.findValues(oneOf('_id', ids.map(feedPageKey)), ['_id', 'highest']);
      return new Map(
        found.map(([key, highest]) => [String(key), JSON.parse(String(highest)) as Readonly<Record<string, number>>]),
      );
    },
  };
}

export function createFeedPageWriter(store: Store): FeedPageWriter {
  const pages = store.collection(collections.feedPages);
  return {
    insert: async (page) => (await pages.insert({ _id: feedPageKey(page), ...page })).inserted,
  };
}

export interface FeedRetention {
  /**
   * Deletes at most `limit` pages that were written before, never the last of a stream, and returns their number. Each call continues where
   * the one before ended, until one returns 0; the next then begins with the oldest page again.
   */
  prune(before: Timestamp, limit: number): Promise<number>;
}

/** Pages of one read. Only their ids are read. */
const PAGES_PER_READ = 200;
/** Ids that show which streams continue: where one stream has so many, those of the others are found by the next walk. */
const MAX_BEHIND = 1_000;

/** The last page of a stream stays, so that its numbers never begin again. Pages of a stream go in the order of their numbers. */
export function createFeedRetention(store: Store): FeedRetention {
  const pages = store.collection(collections.feedPages);
  const settings = store.collection(settingsCollection);
  let pruned: Timestamp | undefined;
  /** Last pages of streams that rest would be read again for each few that are deleted. */
  let after: readonly [at: string, id: string] | undefined;

  async function readOld(before: Timestamp): Promise<readonly (readonly [at: string, id: string])[]> {
    const behind = after && or(gt('at', after[0]), and(eq('at', after[0]), gt('_id', after[1])));
    const filter = and(lt('at', before), ...(behind ? [behind] : []));
    const sort = [['at', 1] as const, ['_id', 1] as const];
    const found = await pages.findValues(filter, ['at', '_id'], { sort, limit: PAGES_PER_READ });
    return found.map(([at, id]) => [String(at), String(id)]);
  }

  /** Those of these pages that are the first of their stream, and not its last. Others with an older time wait for the next walk. */
  async function firstOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const beside = ids.flatMap((id) => [keyBeside(id, -1), keyBeside(id, 1)]);
    const found = await pages.findValues(oneOf('_id', beside), ['_id'], { limit: beside.length });
    const stored = new Set(found.map(([id]) => String(id)));
    const firsts = new Set<string>();
    const alone = await endsOf(ids.filter((id) => !stored.has(keyBeside(id, 1))));
    // A page may follow one that is deleted with it.
    for (const id of ids) {
      const before = keyBeside(id, -1);
      if (!alone.has(id) && (!stored.has(before) || firsts.has(before))) firsts.add(id);
    }
    return firsts;
  }

  /** Those of these pages behind which their stream has none. A deletion that failed half-way leaves pages without the next one. */
  async function endsOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const behind = ids.map((id) => and(gt('_id', id), lt('_id', `${feedStreamKey(partsOf(id).stream)}/${END}`)));
    const found = await pages.findValues(or(...behind), ['_id'], { limit: MAX_BEHIND });
    const streams = new Set(found.map(([id]) => feedStreamKey(partsOf(String(id)).stream)));
    return new Set(ids.filter((id) => !streams.has(feedStreamKey(partsOf(id).stream))));
  }

  /** Before the first page of that age is deleted. */
  async function rememberPruned(before: Timestamp): Promise<void> {
    if (pruned === before) return;
    await settings.update(eq('_id', SCHEMA_ID), { set: { feedPrunedBefore: before } });
    pruned = before;
  }

  return {
    async prune(before, limit) {
      for (;;) {
        const found = await readOld(before);
        const firsts = found.length === 0 ? new Set<string>() : await firstOf(found.map(([, id]) => id));
        const old: string[] = [];
        let place = after;
        for (const each of found) {
          if (old.length === limit) break;
          place = each;
          if (firsts.has(each[1])) old.push(each[1]);
        }
        if (old.length > 0) {
          await rememberPruned(before);
          await pages.delete(oneOf('_id', old));
        }
        // Not where the deletion failed: the next call looks at these pages again.
        after = place;
        if (old.length > 0) return old.length;
        if (found.length < PAGES_PER_READ) {
          after = undefined;
          return 0;
        }
      }
    },
  };
}

function keyBeside(id: string, step: 1 | -1): string {
  const { stream, page } = partsOf(id);
  return feedPageKey({ ...stream, page: page + step });
}

/** Splits an id as `feedPageKey` makes it. */
function partsOf(id: string): { readonly stream: FeedStream; readonly page: number } {
  const [clientId = '', partition, page] = id.split('/');
  return { stream: { clientId, partition: Number(partition) }, page: Number(page) };
}

export function createFeedReader(store: Store): FeedReader {
  const pages = store.collection(collections.feedPages);
  const settings = store.collection(settingsCollection);
  const { lastPage } = createFeedPages(store);
  const behind = ({ page, ...stream }: FeedPageId): Filter =>
    and(gt('_id', feedPageKey({ ...stream, page })), lt('_id', `${feedStreamKey(stream)}/${END}`));
  return {
    async identity() {
      const { partitions, feedGeneration = '' } = (await settings.get(SCHEMA_ID)) ?? {};
      return partitions === undefined ? undefined : { partitions, generation: feedGeneration };
    },
    async prunedBefore() {
      const { feedPrunedBefore } = (await settings.get(SCHEMA_ID)) ?? {};
      return feedPrunedBefore;
    },
    async firstPage(stream) {
      const [first] = await pages.findValues(behind({ ...stream, page: 0 }), ['page'], {
        sort: [['_id', 1]],
        limit: 1,
      });
      return Number(first?.[0] ?? 0);
    },
    lastPage,
    async lastPages(clientId, known) {
      const streams = known.map((page, partition) => behind({ clientId, partition, page }));
      const found = await pages.findValues(or(...streams), ['_id'], { sort: [['_id', -1]], limit: MAX_NEW_PAGES });
      const last = [...known];
      for (const [id] of found) {
        const { stream, page } = partsOf(String(id));
        last[stream.partition] = Math.max(last[stream.partition] ?? 0, page);
      }
      return last;
    },
    async pagesAfter(from, limit) {
      const found = await pages.find(behind(from), { sort: [['_id', 1]], limit });
      const gap = found.findIndex(({ page }, n) => page !== from.page + n + 1);
      return gap === -1 ? found : found.slice(0, gap);
    },
    pagesOf: async (ids) =>
      ids.length === 0 ? [] : pages.find(oneOf('_id', ids.map(feedPageKey)), { sort: [['_id', 1]] }),
    async writtenAt(id) {
      const [found] = await pages.findValues(eq('_id', feedPageKey(id)), ['at'], { limit: 1 });
      return found === undefined ? undefined : String(found[0]);
    },
    async highestAfter(from, limit) {
      const found = await pages.findValues(behind(from), ['page', 'highest'], { sort: [['_id', 1]], limit });
      return found.map(([page, highest]) => ({ page: Number(page), highest: String(highest) }));
    },
  };
}
