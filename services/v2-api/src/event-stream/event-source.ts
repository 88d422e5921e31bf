// A client's feed as a stream of server-sent events: first what is stored behind the cursor, at the speed of the client, then what
// comes. Only the second part waits in memory.
import type { Clock } from '@busbar/core';
import type { FollowedEvents, LiveFeeds, LiveSubscription } from '@busbar/domain/feed';
import type { EventSource, ServerSentEvent } from '@busbar/http';

export interface EventSourceDeps {
  readonly liveFeeds: LiveFeeds;
  readonly clock: Clock;
}

/** A stream ends after an hour, a tenth more or less, so that clients spread over new processes. */
const MAX_AGE_MS = 3_600_000;
const SPREAD = 0.2;
/** Of one read of what is stored. */
const BACKLOG = { limit: 200, maxPages: 50 };

/** Rejects with `cursor_expired`, or while the store is unavailable. */
export async function openEventSource(
  { liveFeeds, clock }: EventSourceDeps,
  { feed, from, wants }: FollowedEvents,
): Promise<EventSource> {
  let position = from;
  let waiting: ServerSentEvent[] = [];
  let live: LiveSubscription | undefined;
  let mayMiss = true;
  let hasEnded = false;
  let disconnect: () => void = () => undefined;

  function close(): void {
    hasEnded = true;
    live?.close();
  }

  async function subscribe(): Promise<void> {
    live = await liveFeeds.subscribe(feed.clientId, wants, (reason) => {
      if (reason === 'slow_reader') disconnect();
    });
    // Closed meanwhile.
    if (hasEnded) live.close();
  }

  async function readStored(): Promise<void> {
    const until = live && { until: live.begin.pages };
    const { events, positions, ...slice } = await feed.read(position, { wants, ...BACKLOG, ...until });
    position = slice.position;
    waiting = events.map((event, n) => {
      return { id: feed.format(positions[n] ?? position), event: event.type, data: event };
    });
    if (slice.hasMore) return;
    if (live === undefined) await subscribe();
    else mayMiss = false;
    // A missing page, or another feed: the client resumes behind its last event.
    if (!mayMiss && live?.begin.pages.some((page, partition) => page > (position.pages[partition] ?? 0)))
      hasEnded = true;
  }

  async function readMore(): Promise<void> {
    if (live === undefined || mayMiss) return readStored();
    const more = await live.next();
    if (typeof more === 'string') hasEnded = true;
    else waiting = more.map(({ event, cursor, json }) => ({ id: cursor(), event: event.type, json: json() }));
  }

  await readStored();
  const age = clock.after(MAX_AGE_MS * (1 - SPREAD / 2 + SPREAD * Math.random()), close);
  return {
    async next() {
      while (!hasEnded) {
        const event = waiting.shift();
        if (event !== undefined) return event;
        await readMore();
      }
      return undefined;
    },
    close() {
      age.cancel();
      close();
    },
    onOpen(how) {
      disconnect = how;
    },
  };
}
