// The part of a client's feed that is being delivered to one webhook: the pages that were loaded, and which of their events are done. Pure.
// Its progress is what a standing stores of it.
import type { DeliveryProgress, EventPlace } from '@busbar/domain/webhooks';

export interface LoadedPage {
  readonly stream: number;
  readonly page: number;
  /** Events of the page. */
  readonly count: number;
  /** Indexes of the events that the webhook wants, ascending. */
  readonly wanted: readonly number[];
}

export type FeedWindow = ReturnType<typeof createFeedWindow>;

/** No further page is loaded while so many events are in memory: two pages at most. */
const ROOM = 500;

interface OpenPage {
  readonly page: number;
  /** Wanted events that are not done, ascending. */
  readonly open: Set<number>;
  readonly done: Set<number>;
  readonly wanted: number;
}

interface Stream {
  /** The last page that is done. */
  page: number;
  /** Of the page behind it, before it is loaded. */
  taken: number;
  /** Of later pages, before they are loaded. */
  readonly above: Map<number, Set<number>>;
  readonly loaded: OpenPage[];
}

type Stored = Pick<DeliveryProgress, 'pages' | 'taken' | 'above'>;

export function createFeedWindow(start: DeliveryProgress) {
  const streams = start.pages.map((page, stream) => streamOf(page, stream, start));
  const primed = start.pages.map((_, stream) => lastTouched(stream, start));
  let events = 0;
  const at = (stream: number): Stream => {
    const found = streams[stream];
    if (found === undefined) throw new RangeError(`The feed has no stream ${String(stream)}.`);
    return found;
  };
  const lastLoaded = (stream: number): number => at(stream).loaded.at(-1)?.page ?? at(stream).page;

  function dropDone(of: Stream): void {
    for (let first = of.loaded[0]; first?.open.size === 0; first = of.loaded[0]) {
      of.page = first.page;
      of.taken = 0;
      events -= first.wanted;
      of.loaded.shift();
    }
  }

  return {
    streams: streams.length,
    /** Whether another page may be loaded. */
    hasRoom: () => events < ROOM,
    lastLoaded,
    /** Whether all pages are loaded that were in memory when the progress was stored. Before, it is not known what of them is done. */
    isPrimed: () => primed.every((page, stream) => page <= lastLoaded(stream)),
    /** Adds the page behind the last one. Returns the indexes of the events to deliver. */
    add({ stream, page, count, wanted }: LoadedPage): readonly number[] {
      const of = at(stream);
      if (page !== lastLoaded(stream) + 1) throw new RangeError(`Page ${String(page)} is not the next one.`);
      const taken = page === of.page + 1 ? Math.min(of.taken, count) : 0;
      const done = of.above.get(page) ?? new Set<number>();
      of.above.delete(page);
      const open = wanted.filter((index) => index >= taken && !done.has(index));
      of.loaded.push({ page, open: new Set(open), done, wanted: wanted.length });
      events += wanted.length;
      dropDone(of);
      return open;
    },
    /** The event is delivered or parked (`isDone`), or deferred. */
    pass({ partition, page, index }: EventPlace, isDone: boolean): void {
      const of = at(partition);
      const loaded = of.loaded.find((each) => each.page === page);
      if (loaded === undefined) return;
      if (isDone) loaded.done.add(index);
      if (loaded.open.delete(index)) dropDone(of);
    },
    /** The pages up to this one were deleted by age. */
    skip(stream: number, page: number): void {
      const of = at(stream);
      if (of.loaded.length > 0 || page <= of.page) return;
      of.page = page;
      of.taken = 0;
      for (const each of [...of.above.keys()]) if (each <= page) of.above.delete(each);
    },
    /** Events that are neither done nor deferred. */
    open: () => streams.reduce((sum, { loaded }) => sum + loaded.reduce((all, { open }) => all + open.size, 0), 0),
    progress: (): Stored => ({
      pages: streams.map(({ page }) => page),
      taken: streams.map(takenOf),
      above: streams.flatMap(aboveOf),
    }),
  };
}

function lastTouched(stream: number, { pages, taken, above, deferred }: DeliveryProgress): number {
  const page = pages[stream] ?? 0;
  const places = [...above, ...deferred].filter(({ partition }) => partition === stream);
  return Math.max(page + (taken[stream] === 0 ? 0 : 1), ...places.map((place) => place.page));
}

function streamOf(page: number, stream: number, { taken, above }: Stored): Stream {
  const byPage = new Map<number, Set<number>>();
  for (const place of above) {
    if (place.partition !== stream) continue;
    const indexes = byPage.get(place.page) ?? new Set();
    byPage.set(place.page, indexes.add(place.index));
  }
  return { page, taken: taken[stream] ?? 0, above: byPage, loaded: [] };
}

function takenOf({ taken, loaded: [first] }: Stream): number {
  if (first === undefined) return taken;
  const [open] = first.open;
  return open ?? 0;
}

function aboveOf(of: Stream, partition: number): readonly EventPlace[] {
  const taken = takenOf(of);
  const loaded = of.loaded.map(({ page, done }) => [page, done] as const);
  return [...loaded, ...of.above].flatMap(([page, indexes]) =>
    [...indexes].filter((index) => page > of.page + 1 || index >= taken).map((index) => ({ partition, page, index })),
  );
}
