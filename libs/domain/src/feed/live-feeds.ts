// The new events of feeds, for all that wait for them in this process. The feed of each client that somebody waits for is read from
// the store once, however many wait. Hints say where to look; without them it looks every two seconds.
import type { FeedEvent } from '@busbar/contracts';
import { AppError, createPeriodicJob, isAppError, type Clock, type Logger } from '@busbar/core';
import { openClientFeed, type ClientFeed, type PageReader } from './client-feed';
import type { FeedIdentity, FeedPosition } from './feed-cursor';
import type { FeedPageId } from './feed-store';

export interface LiveFeedDeps {
  readonly feed: PageReader;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** An event with what its readers share. */
export interface LiveEvent {
  readonly event: FeedEvent;
  /** Its JSON. */
  json(): string;
  /** The cursor behind it. */
  cursor(): string;
}

/** Why there are no more events: `restarted` when the feed itself was replaced, or the reader was too late for it. */
export type LiveEnd = 'slow_reader' | 'restarted' | 'closed';

export interface LiveSubscription {
  readonly feed: ClientFeed;
  /** The events come behind this position. */
  readonly begin: FeedPosition;
  /** The next wanted events; or why there are no more. */
  next(): Promise<readonly LiveEvent[] | LiveEnd>;
  /** Behind all events that `next` has returned, while none waits. */
  position(): FeedPosition;
  close(): void;
}

export interface LiveFeeds {
  /**
   * Subscribes to the events behind a position that is not before any page that was stored at the call. `onEnd` is called at once
   * when the subscription ends by itself.
   */
  subscribe(
    clientId: string,
    wants: (event: FeedEvent) => boolean,
    onEnd?: (reason: LiveEnd) => void,
  ): Promise<LiveSubscription>;
  /** A page was stored, or may be. */
  hint(page: FeedPageId): void;
}

const LOOK_MS = 2_000;
/** Small pages are read together: one by one, a feed of many is read more slowly than it is written. */
const SLICE = { wants: () => true, limit: Infinity, maxPages: 64, maxCharacters: 500_000 } as const;
/** Characters of events that wait for one reader. */
const MAX_WAITING = 1_048_576;

export function createLiveFeeds(deps: LiveFeedDeps): LiveFeeds {
  const feeds = new Map<string, LiveFeed>();
  return {
    subscribe(clientId, wants, onEnd = () => undefined) {
      const feed = feeds.get(clientId) ?? createLiveFeed(deps, clientId, () => feeds.delete(clientId));
      feeds.set(clientId, feed);
      return feed.subscribe(wants, onEnd);
    },
    hint(page) {
      feeds.get(page.clientId)?.hint(page);
    },
  };
}

type LiveFeed = ReturnType<typeof createLiveFeed>;

/** One client's feed, with all that wait for its events. */
function createLiveFeed({ feed, clock, logger }: LiveFeedDeps, clientId: string, onEmpty: () => void) {
  const subscribers = new Set<Buffer>();
  let users = 0;

  const reading = createReading(feed, clientId, {
    isNeeded: () => subscribers.size > 0,
    deliver(events) {
      for (const subscriber of subscribers) subscriber.add(events);
    },
    restart() {
      for (const subscriber of subscribers) subscriber.end('restarted');
    },
  });
  const job = createPeriodicJob({
    name: 'feed of events',
    everyMs: LOOK_MS,
    run: reading.look,
    failed: 'reading the feed of events for its readers failed; it is tried again',
    clock,
    logger,
  });

  function leave(): void {
    users -= 1;
    if (users > 0) return;
    onEmpty();
    void job.stop();
  }

  return {
    hint: reading.hint,
    async subscribe(wants: Wants, onEnd: (reason: LiveEnd) => void): Promise<LiveSubscription> {
      users += 1;
      const subscriber = createBuffer(wants, onEnd);
      try {
        await job.start();
        await reading.look();
        const begin = reading.place();
        subscribers.add(subscriber);
        return {
          feed: begin.feed,
          begin: begin.position,
          next: subscriber.next,
          position: reading.position,
          close() {
            subscriber.end('closed');
            if (subscribers.delete(subscriber)) leave();
          },
        };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

interface Readers {
  isNeeded(): boolean;
  deliver(events: readonly LiveEvent[]): void;
  /** The feed was replaced, or pages were deleted before they were read. */
  restart(): void;
}

/** Reads a feed on, one look at a time. */
function createReading(reader: PageReader, clientId: string, readers: Readers) {
  let feed: ClientFeed | undefined;
  let position: FeedPosition = { pages: [], next: 0, taken: 0 };
  /** The highest hinted page of each partition. */
  const hints = new Map<number, number>();
  let isDue = false;
  let running: Promise<void> | undefined;

  function run(): Promise<void> {
    if (running !== undefined) return running.catch(() => undefined).then(continueRun);
    running = advance().finally(() => (running = undefined));
    return running;
  }

  function continueRun(): Promise<void> | undefined {
    if (running !== undefined) return running;
    return isDue || (feed !== undefined && hints.size > 0) ? run() : undefined;
  }

  /** Reads what is due, and delivers it in slices, so that readers take one before the next comes. */
  async function advance(): Promise<void> {
    const isFull = isDue;
    const current = isFull ? await begin() : feed;
    isDue = false;
    if (current === undefined) return;
    try {
      await readUntil(current, isFull ? (await current.newest()).pages : hintedPages());
    } catch (error) {
      if (!isAppError(error, 'cursor_expired')) throw error;
      readers.restart();
      feed = undefined;
    }
  }

  async function readUntil(current: ClientFeed, until: readonly number[]): Promise<void> {
    for (let hasMore = readers.isNeeded(); hasMore;) {
      const slice = await current.read(position, { ...SLICE, until });
      position = slice.position;
      hasMore = slice.hasMore;
      const { events, positions } = slice;
      readers.deliver(events.map((event, n) => liveEvent(current, event, positions[n] ?? position)));
    }
    // Nobody has waited for the pages until here.
    if (!readers.isNeeded()) position = { pages: until, next: 0, taken: 0 };
  }

  function hintedPages(): number[] {
    const pages = position.pages.map((page, partition) => Math.max(page, hints.get(partition) ?? 0));
    hints.clear();
    return pages;
  }

  /** The feed as it is now: a restore replaces it. */
  async function begin(): Promise<ClientFeed> {
    const now = await openClientFeed(reader, clientId);
    if (feed !== undefined && isSameFeed(feed.identity, now.identity)) return feed;
    readers.restart();
    position = await now.newest();
    feed = now;
    return now;
  }

  return {
    /** Looks at all partitions, also where a look is in progress: that may have passed some already. */
    look(): Promise<void> {
      isDue = true;
      return run();
    },
    hint({ partition, page }: FeedPageId): void {
      hints.set(partition, Math.max(page, hints.get(partition) ?? 0));
      // The periodic look repeats what fails.
      run().catch(() => undefined);
    },
    position: () => position,
    /** Where it is. Throws `unavailable` while it begins anew. */
    place() {
      if (feed === undefined) throw new AppError('unavailable', 'The feed of events is beginning anew. Retry.');
      return { feed, position };
    },
  };
}

function isSameFeed(one: FeedIdentity, other: FeedIdentity): boolean {
  return one.generation === other.generation && one.partitions === other.partitions;
}

function liveEvent(feed: ClientFeed, event: FeedEvent, position: FeedPosition): LiveEvent {
  let json: string | undefined;
  let cursor: string | undefined;
  return {
    event,
    json: () => (json ??= JSON.stringify(event)),
    cursor: () => (cursor ??= feed.format(position)),
  };
}

type Wants = (event: FeedEvent) => boolean;
type Buffer = ReturnType<typeof createBuffer>;

/** The events that wait for one reader. */
function createBuffer(wants: Wants, onEnd: (reason: LiveEnd) => void) {
  let events: LiveEvent[] = [];
  let characters = 0;
  let ended: LiveEnd | undefined;
  let wake: () => void = () => undefined;

  function end(reason: LiveEnd): void {
    if (ended !== undefined) return;
    ended = reason;
    wake();
    onEnd(reason);
  }

  return {
    end,
    add(more: readonly LiveEvent[]): void {
      if (ended !== undefined) return;
      const wanted = more.filter(({ event }) => wants(event));
      if (wanted.length === 0) return;
      const leftUntaken = characters;
      for (const each of wanted) characters += each.json().length;
      events.push(...wanted);
      // A reader that had taken everything is not late, however large a page is.
      if (leftUntaken > 0 && characters > MAX_WAITING) {
        events = [];
        end('slow_reader');
      }
      wake();
    },
    async next(): Promise<readonly LiveEvent[] | LiveEnd> {
      if (events.length === 0 && ended === undefined) await new Promise<void>((resolve) => (wake = resolve));
      if (events.length === 0) return ended ?? 'closed';
      const taken = events;
      events = [];
      characters = 0;
      return taken;
    },
  };
}
