import type { FeedEvent } from '@busbar/contracts';
import type { FeedIdentity } from '../feed/feed-cursor';
import { feedPageKey, type FeedPage, type FeedPageId, type FeedReader, type FeedStream } from '../feed/feed-store';

/** The pages of feeds, in memory. `reads` counts reads of pages, `identityReads` those of the identity. */
export function storedFeed(identity: FeedIdentity = { generation: 'g', partitions: 2 }) {
  const pages = new Map<string, FeedPage>();
  const ofStream = ({ clientId, partition }: FeedStream): FeedPage[] =>
    [...pages.values()]
      .filter((page) => page.clientId === clientId && page.partition === partition)
      .sort((one, other) => one.page - other.page);
  const stored = {
    identity,
    reads: 0,
    identityReads: 0,
    prunedBefore: undefined as string | undefined,
    add(id: FeedPageId, events: readonly FeedEvent[], at = '2026-01-01T00:00:00.000Z'): void {
      const highest: Record<string, number> = {};
      for (const event of events)
        highest[event.id.slice('evt_'.length, event.id.lastIndexOf('_'))] =
          event.sequence ?? Number(event.id.split('_').at(-1));
      const page = { ...id, at, highest: JSON.stringify(highest), count: events.length };
      pages.set(feedPageKey(id), { ...page, events: JSON.stringify(events) });
    },
    remove(id: FeedPageId): void {
      pages.delete(feedPageKey(id));
    },
  };
  const feed: FeedReader = {
    identity() {
      stored.identityReads += 1;
      return Promise.resolve(stored.identity);
    },
    lastPages: (clientId, known) =>
      Promise.resolve(
        known.map((page, partition) => Math.max(page, ofStream({ clientId, partition }).at(-1)?.page ?? 0)),
      ),
    prunedBefore: () => Promise.resolve(stored.prunedBefore),
    firstPage: (stream) => Promise.resolve(ofStream(stream)[0]?.page ?? 0),
    lastPage: (stream) => Promise.resolve(ofStream(stream).at(-1)?.page ?? 0),
    pagesAfter({ page: after, ...stream }, limit) {
      stored.reads += 1;
      const found = ofStream(stream)
        .filter(({ page }) => page > after)
        .slice(0, limit);
      return Promise.resolve(found.filter(({ page }, n) => page === after + n + 1));
    },
    pagesOf(ids) {
      stored.reads += 1;
      return Promise.resolve(ids.flatMap((id) => pages.get(feedPageKey(id)) ?? []));
    },
    writtenAt: (id) => Promise.resolve(pages.get(feedPageKey(id))?.at),
    highestAfter: ({ page: after, ...stream }, limit) =>
      Promise.resolve(
        ofStream(stream)
          .filter(({ page }) => page > after)
          .slice(0, limit),
      ),
  };
  return { ...feed, stored };
}
