// Places in a client's feed that somebody names: `oldest`, `now`, a cursor, or a time.
import type { Timestamp } from '../timestamp';
import type { ClientFeed } from './client-feed';
import { streamCount, type FeedPosition } from './feed-cursor';
import type { FeedReader } from './feed-store';

type TimeReader = Pick<FeedReader, 'firstPage' | 'lastPage' | 'prunedBefore' | 'writtenAt'>;

/** `after`: a cursor, `oldest` or `now`. Throws as `ClientFeed.parse`. */
export function placeOf(feed: ClientFeed, after: string, field: string): Promise<FeedPosition> {
  if (after === 'oldest') return feed.oldest();
  return after === 'now' ? feed.newest() : feed.parse(after, field);
}

/** Throws `cursor_expired` where a page behind the position was deleted by age. */
export async function refuseDeleted(
  reader: Pick<FeedReader, 'firstPage'>,
  feed: ClientFeed,
  { pages }: FeedPosition,
): Promise<void> {
  const { clientId } = feed;
  const first = await Promise.all(pages.map((_, partition) => reader.firstPage({ clientId, partition })));
  if (first.some((page, partition) => page > (pages[partition] ?? 0) + 1)) throw await feed.expired();
}

/**
 * Before the first page that was written at that time or later: all events of that time and later are behind it, and some earlier ones
 * may be. Throws `cursor_expired` where pages of that time may have been deleted.
 */
export async function placeAt(reader: TimeReader, feed: ClientFeed, at: Timestamp): Promise<FeedPosition> {
  const { clientId, identity } = feed;
  const partitions = Array.from({ length: streamCount(identity) }, (_, partition) => partition);
  const prunedBefore = await reader.prunedBefore();
  const time = { at, mayBeDeleted: prunedBefore === undefined || at < prunedBefore };
  const found = await Promise.all(partitions.map((partition) => pageBefore(reader, { clientId, partition }, time)));
  if (found.includes(undefined)) throw await feed.expired();
  return { pages: found.map((page) => page ?? 0), next: 0, taken: 0 };
}

interface WantedTime {
  readonly at: Timestamp;
  /** Deletion by age has come so far. */
  readonly mayBeDeleted: boolean;
}

/** Undefined where the page may have been deleted. */
async function pageBefore(
  reader: TimeReader,
  stream: { readonly clientId: string; readonly partition: number },
  { at, mayBeDeleted }: WantedTime,
): Promise<number | undefined> {
  const [first, last] = await Promise.all([reader.firstPage(stream), reader.lastPage(stream)]);
  if (last === 0) return 0;
  if (mayBeDeleted && first > 1 && ((await reader.writtenAt({ ...stream, page: first })) ?? at) >= at) return undefined;
  // Pages below `low` are older; the one at `high`, if there is one, is not.
  let low = first;
  let high = last + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const written = await reader.writtenAt({ ...stream, page: middle });
    if (written === undefined || written < at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
