// A charger's log as the events of one client: first what it missed since its last event, then what becomes visible.
import { fullBucket, refillBucket, takeTokens, type Clock } from '@busbar/core';
import {
  createLogFollower,
  formatLogCursor,
  LOG_PAGE,
  type FollowedLog,
  type LogFollower,
  type LogReader,
  type LogRow,
} from '@busbar/domain/history';
import type { EventSource, ServerSentEvent } from '@busbar/http';
import { presentExchange } from '../presenters/present-exchange';
import type { FeedSubscription, LogFeeds } from './log-feed';

export interface LogEventsDeps {
  readonly clock: Clock;
  readonly history: LogReader;
  readonly feeds: LogFeeds;
}

/** New rows that a stream sends. What it missed before it sends at the speed of the client. */
const LIVE_ROWS = { perSecond: 50, burst: 50 };

/** Begins behind the cursor, or with the next row. Rejects while the store is unavailable. */
export async function openLogEvents(
  { history, feeds, clock }: LogEventsDeps,
  { charger, cursor }: FollowedLog,
): Promise<EventSource> {
  const follower = createLogFollower(history, charger.incarnationId);
  const subscribe = () => feeds.subscribe(charger);
  if (cursor !== undefined) {
    await follower.resume(cursor);
    return createSource(clock, follower, subscribe);
  }
  // Before the response begins: what is stored after it is not missed.
  const subscription = await subscribe();
  try {
    await follower.begin();
  } catch (error) {
    subscription.close();
    throw error;
  }
  return createSource(clock, follower, subscribe, subscription);
}

/** Without a subscription it reads the backlog first, at the speed of the client, and then subscribes. */
function createSource(
  clock: Clock,
  follower: LogFollower,
  subscribe: () => Promise<FeedSubscription>,
  subscription?: FeedSubscription,
): EventSource {
  let live = subscription;
  let mayMiss = subscription === undefined;
  let waiting: LogRow[] = [];
  let skipped = 0;
  let hasEnded = false;
  const bucket = fullBucket(LIVE_ROWS, clock.monotonicMs());

  async function readMissed(): Promise<void> {
    // Once more with a subscription, for what is stored between the last read and the subscription.
    const isLast = live !== undefined;
    waiting = await follower.read();
    if (waiting.length === LOG_PAGE) return;
    if (isLast) mayMiss = false;
    else live = await subscribe();
    // Closed meanwhile.
    if (hasEnded) live?.close();
  }

  /** The reason of the end, where there are no more rows. */
  async function readMore(): Promise<string | undefined> {
    if (live === undefined || mayMiss) {
      await readMissed();
      return undefined;
    }
    const more = await live.next();
    if (typeof more === 'string') return more;
    keepNewest(more);
    return undefined;
  }

  /** A person who watches wants the newest: the oldest beyond the rate are skipped, and count as sent. */
  function keepNewest(rows: readonly LogRow[]): void {
    refillBucket(bucket, LIVE_ROWS, clock.monotonicMs());
    const allowed = Math.min(rows.length, Math.floor(bucket.tokens));
    takeTokens(bucket, LIVE_ROWS, allowed);
    const beyond = rows.length - allowed;
    skipped = rows.slice(0, beyond).filter(follower.take).length;
    waiting = rows.slice(beyond);
  }

  return {
    async next() {
      while (!hasEnded) {
        if (skipped > 0) {
          const data = { rows: skipped };
          skipped = 0;
          return { event: 'skipped', data };
        }
        const row = waiting.shift();
        if (row !== undefined) {
          if (follower.take(row)) return eventOf(row, follower);
          continue;
        }
        const reason = await readMore();
        if (reason === undefined) continue;
        hasEnded = true;
        return { event: 'end', data: { reason } };
      }
      return undefined;
    },
    close() {
      hasEnded = true;
      live?.close();
    },
  };
}

function eventOf(row: LogRow, follower: LogFollower): ServerSentEvent {
  return { id: formatLogCursor(follower.cursor()), data: presentExchange(row) };
}
