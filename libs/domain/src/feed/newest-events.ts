// The newest events of a client's feed that a filter leaves: read backwards from its end.
import type { FeedEvent } from '@busbar/contracts';
import type { FeedPage, FeedReader } from './feed-store';

export interface NewestOptions {
  readonly wants: (event: FeedEvent) => boolean;
  /** Events. */
  readonly limit: number;
  readonly maxPages: number;
}

export interface NewestEvents {
  /** By their time, the newest first; those of one charger and time by their sequence. */
  readonly events: readonly FeedEvent[];
  /** Whether older pages were left unread, or events left out. */
  readonly hasMore: boolean;
  /** The last page of each stream that was not read: all newer ones were searched. Undefined: there is none, or events were left out. */
  readonly older: readonly number[] | undefined;
}

interface Stream {
  readonly partition: number;
  /** The page to read next; 0: all were read. */
  page: number;
  /** When the last page that was read was written: those before it are not newer. */
  writtenAt: string | undefined;
}

/** Pages of a partition that one round reads: the first round one, then more. */
const LARGEST_ROUND = 8;
/** Reading ends with the round that goes beyond. */
const MAX_CHARACTERS = 4_000_000;

/** `until`: the last page of each stream; newer ones are not read. Each round reads where an event may be newer than the oldest of those that are found. */
export async function newestEvents(
  feed: Pick<FeedReader, 'pagesOf'>,
  { clientId, until }: { readonly clientId: string; readonly until: readonly number[] },
  { wants, limit, maxPages }: NewestOptions,
): Promise<NewestEvents> {
  const streams = until.map((page, partition): Stream => ({ partition, page, writtenAt: undefined }));
  let events: readonly FeedEvent[] = [];
  let isCut = false;
  let characters = 0;
  for (
    let left = maxPages, each = 1;
    left > 0 && characters < MAX_CHARACTERS;
    each = Math.min(LARGEST_ROUND, 2 * each)
  ) {
    const due = streams.filter((stream) => mayHaveNewer(stream, events[limit - 1]));
    const ids = due.flatMap(({ partition, page }) =>
      Array.from({ length: Math.min(each, page) }, (_, n) => ({ clientId, partition, page: page - n })),
    );
    if (ids.length === 0) break;
    const asked = ids.slice(0, left);
    const pages = await feed.pagesOf(asked);
    left -= asked.length;
    for (const stream of due.filter(({ partition }) => asked.some((id) => id.partition === partition))) {
      const own = pages.filter(({ partition }) => partition === stream.partition).toSorted((a, b) => b.page - a.page);
      events = [...events, ...own.flatMap((page) => wantedOf(page, wants))];
      stepBack(stream, own);
    }
    characters += pages.reduce((sum, page) => sum + page.events.length, 0);
    isCut ||= events.length > limit;
    events = events.toSorted(byTime).slice(0, limit);
  }
  const isUnread = streams.some(({ page }) => page > 0);
  return {
    events,
    hasMore: isCut || isUnread,
    older: isCut || !isUnread ? undefined : streams.map(({ page }) => page),
  };
}

function mayHaveNewer({ page, writtenAt }: Stream, oldest: FeedEvent | undefined): boolean {
  return page > 0 && (writtenAt === undefined || oldest === undefined || writtenAt >= oldest.timestamp);
}

/** A missing page was deleted by age, and all before it. */
function stepBack(stream: Stream, read: readonly FeedPage[]): void {
  const last = read.at(-1);
  stream.page = last === undefined ? 0 : last.page - 1;
  stream.writtenAt = last?.at ?? stream.writtenAt;
}

/** The newest first. */
function wantedOf({ events }: FeedPage, wants: (event: FeedEvent) => boolean): readonly FeedEvent[] {
  return (JSON.parse(events) as FeedEvent[]).filter(wants).toReversed();
}

/** Equal times stay in their order. */
function byTime(one: FeedEvent, other: FeedEvent): number {
  if (one.timestamp === other.timestamp) return 0;
  return one.timestamp < other.timestamp ? 1 : -1;
}
