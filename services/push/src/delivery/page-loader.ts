// Loads pages of a client's feed into the deliveries of one webhook, finds the events of deferred chargers, and notices what was deleted by
// age.
import type { FeedPageId, FeedReader } from '@busbar/domain/feed';
import type { EventPlace } from '@busbar/domain/webhooks';
import type { FeedHeads } from '../feed/feed-heads';
import type { PageSource, SourceEvent, SourcePage } from '../feed/page-source';
import type { Deliveries, Delivery, NamedDelivery } from './deliveries';

export interface PageLoaderDeps {
  readonly clientId: string;
  readonly feed: Pick<FeedReader, 'firstPage'>;
  readonly source: PageSource;
  readonly heads: Pick<FeedHeads, 'of'>;
  readonly deliveries: Deliveries;
  readonly wants: (event: SourceEvent, place: EventPlace) => boolean;
  /** Pages before one that was written at `to` were deleted by age. `from`: the last page that was read of the stream, if any. */
  readonly onGap: (to: string, from: string | undefined) => void;
}

export interface FoundEvent {
  readonly delivery: NamedDelivery;
  readonly event: SourceEvent;
}

/** Pages of one read: with fewer events than `SMALL` each, a few hundred kB. */
const READ_AHEAD = 32;
const SMALL = 20;

export type PageLoader = ReturnType<typeof createPageLoader>;

export function createPageLoader({ clientId, feed, source, heads, deliveries, wants, onGap }: PageLoaderDeps) {
  const lastRead = new Map<number, string>();
  let turn = 0;
  let pagesLoaded = 0;
  /** Wanted events of each page that was loaded, on average. */
  let eventsPerPage = 1;
  /** All events of each page that was loaded, on average. */
  let countPerPage = SMALL;

  const read = (stream: number, page: number): Promise<SourcePage | undefined> =>
    source.read({ clientId, partition: stream, page });

  function nextStream(): number | undefined {
    const last = heads.of(clientId);
    for (let n = 0; n < deliveries.streams; n += 1) {
      const stream = (turn + n) % deliveries.streams;
      if ((last[stream] ?? 0) <= deliveries.lastLoaded(stream)) continue;
      turn = stream + 1;
      return stream;
    }
    return undefined;
  }

  /** The first page behind a gap. Undefined where the page is missing for another reason. */
  async function behindGap(stream: number, page: number): Promise<SourcePage | undefined> {
    const first = await feed.firstPage({ clientId, partition: stream });
    const found = first > page ? await read(stream, first) : undefined;
    if (found !== undefined) onGap(found.at, lastRead.get(stream));
    return found;
  }

  function add(stream: number, { page, at, events }: SourcePage): void {
    lastRead.set(stream, at);
    pagesLoaded += 1;
    const wanted = events.flatMap((each, index) => {
      const { id: eventId, chargerId } = each.event;
      return wants(each, { partition: stream, page, index }) ? [{ index, eventId, chargerId }] : [];
    });
    eventsPerPage += (wanted.length - eventsPerPage) / 16;
    countPerPage += (events.length - countPerPage) / 16;
    deliveries.add({ stream, page, count: events.length }, wanted);
  }

  /** The first wanted event of the charger from a place on, up to a page. */
  async function search(
    from: Delivery,
    last: number,
  ): Promise<(EventPlace & { readonly event: SourceEvent }) | undefined> {
    const { partition, chargerId } = from;
    let { index } = from;
    for (let { page } = from; page <= last; page += 1, index = 0) {
      const found = (await read(partition, page)) ?? (await behindGap(partition, page));
      if (found === undefined) continue;
      if (found.page > last) return undefined;
      if (found.page > page) [page, index] = [found.page, 0];
      for (let n = index; n < found.events.length; n += 1) {
        const event = found.events[n];
        const place = { partition, page, index: n };
        if (event?.event.chargerId === chargerId && wants(event, place)) return { ...place, event };
      }
    }
    return undefined;
  }

  return {
    /** Loads the next page of the streams in turn. False where there is none. */
    async load(): Promise<boolean> {
      const stream = nextStream();
      if (stream === undefined) return false;
      const page = deliveries.lastLoaded(stream) + 1;
      const found = await source.read(
        { clientId, partition: stream, page },
        countPerPage < SMALL ? nextPages({ clientId, last: heads.of(clientId), deliveries, turn }) : [],
      );
      if (found !== undefined) {
        add(stream, found);
        return true;
      }
      const behind = await behindGap(stream, page);
      if (behind === undefined) return false;
      deliveries.skip(stream, behind.page - 1);
      // Pages before the gap are still being delivered.
      if (deliveries.lastLoaded(stream) !== behind.page - 1) return false;
      add(stream, behind);
      return true;
    },
    /** The event of a delivery; undefined where there is none any more. Then the delivery has ended. */
    async find(delivery: Delivery, nowMs: () => number): Promise<FoundEvent | undefined> {
      if (isNamed(delivery)) {
        const event = (await read(delivery.partition, delivery.page))?.events[delivery.index];
        if (event !== undefined) return { delivery, event };
        await behindGap(delivery.partition, delivery.page);
        deliveries.complete(delivery, nowMs());
        return undefined;
      }
      for (;;) {
        const last = deliveries.lastLoaded(delivery.partition);
        const found = await search(delivery, last);
        if (found !== undefined) {
          return { delivery: deliveries.found(delivery, found, found.event.event.id), event: found.event };
        }
        if (deliveries.caughtUp(delivery, last)) return undefined;
      }
    },
    /** Grows with each page that is loaded. */
    loaded: () => pagesLoaded,
    /** About how many events are to be delivered. */
    waiting(): number {
      const last = heads.of(clientId).slice(0, deliveries.streams);
      const behind = last.map((page, stream) => Math.max(0, page - deliveries.lastLoaded(stream)));
      const pages = behind.reduce((sum, each) => sum + each, 0);
      return deliveries.waiting() + Math.ceil(pages * eventsPerPage);
    },
  };
}

interface Loading {
  readonly clientId: string;
  /** The last page of each stream that exists. */
  readonly last: readonly number[];
  readonly deliveries: Pick<Deliveries, 'streams' | 'lastLoaded'>;
  /** The stream whose turn it is. */
  readonly turn: number;
}

/** The pages that are loaded next, of all streams in turn: small ones cost a read together what one costs. */
function nextPages({ clientId, last, deliveries, turn }: Loading): readonly FeedPageId[] {
  const ids: FeedPageId[] = [];
  for (let round = 1; ids.length < READ_AHEAD; round += 1) {
    const before = ids.length;
    for (let n = 0; n < deliveries.streams && ids.length < READ_AHEAD; n += 1) {
      const partition = (turn + n) % deliveries.streams;
      const page = deliveries.lastLoaded(partition) + round;
      if (page <= (last[partition] ?? 0)) ids.push({ clientId, partition, page });
    }
    if (ids.length === before) break;
  }
  return ids;
}

function isNamed(delivery: Delivery): delivery is NamedDelivery {
  return delivery.eventId !== null;
}
