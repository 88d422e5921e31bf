import type { FeedEvent } from '@busbar/contracts';
import type { Clock } from '@busbar/core';
import type { ReadOptions } from './client-feed';
import type { LiveFeeds } from './live-feeds';
import type { FollowedEvents } from './read-events';

export interface WaitForEventsDeps {
  readonly liveFeeds: LiveFeeds;
  readonly clock: Clock;
}

export interface EventsWaitedFor {
  readonly events: readonly FeedEvent[];
  /** Behind them. */
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** Waits until there is an event, at most so long, or until the signal is aborted: then without events. */
export async function waitForEvents(
  { liveFeeds, clock }: WaitForEventsDeps,
  { feed, from, wants }: FollowedEvents,
  {
    waitMs,
    signal,
    limit,
    maxPages,
  }: Pick<ReadOptions, 'limit' | 'maxPages'> & {
    readonly waitMs: number;
    readonly signal: AbortSignal;
  },
): Promise<EventsWaitedFor> {
  const live = await liveFeeds.subscribe(feed.clientId, wants);
  let end = live.position();
  const close = (): void => {
    end = live.position();
    live.close();
  };
  const timer = clock.after(waitMs, close);
  signal.addEventListener('abort', close);
  try {
    // What was stored before the subscription.
    const { events, position, hasMore } = await feed.read(from, { wants, limit, maxPages, until: live.begin.pages });
    if (events.length > 0 || hasMore) return { events, cursor: feed.format(position), hasMore };
    if (signal.aborted) close();
    const more = await live.next();
    if (typeof more !== 'string') {
      const given = more.slice(0, limit);
      const cursor = given.at(-1)?.cursor() ?? feed.format(position);
      return { events: given.map(({ event }) => event), cursor, hasMore: more.length > limit };
    }
    // Otherwise more came than a subscription holds, or the feed was replaced: the next request reads it from the store.
    const isOver = more === 'closed';
    return { events: [], cursor: feed.format(isOver ? end : position), hasMore: !isOver };
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', close);
    live.close();
  }
}
