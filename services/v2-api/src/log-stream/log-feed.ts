// The new rows of chargers' logs, for all streams of this process. Each charger with a stream is read from the store once,
// however many streams it has. So it works with any number of API processes, and without the broker.
import { createPeriodicJob, type Clock, type Logger, type Service } from '@busbar/core';
import type { ChargerReader } from '@busbar/domain/chargers';
import { createLogFollower, type FollowedLog, type LogReader, type LogRow } from '@busbar/domain/history';

export interface LogFeedDeps {
  readonly chargers: Pick<ChargerReader, 'find'>;
  readonly history: LogReader;
  readonly clock: Clock;
  readonly logger: Logger;
}

type FollowedCharger = FollowedLog['charger'];

export type FeedEnd = 'slow_reader' | 'charger_deleted' | 'closed';

export interface FeedSubscription {
  /** The next rows; or why there are no more. */
  next(): Promise<readonly LogRow[] | FeedEnd>;
  close(): void;
}

export type LogFeeds = ReturnType<typeof createLogFeeds>;

const POLL_MS = 500;
/** The registration is read again after so many polls: a deleted charger's streams end. */
const CHECK_EVERY = 6;
/** Rows that wait for one client, and their characters. A row has at most two frames of 16 KiB. */
const MAX_ROWS = 1_000;
const MAX_CHARACTERS = 4_000_000;

export function createLogFeeds(deps: LogFeedDeps) {
  const feeds = new Map<string, Feed>();
  return {
    /** Subscribes to the rows that become visible from now on. Resolves when none can be missed. */
    async subscribe(charger: FollowedCharger): Promise<FeedSubscription> {
      const { incarnationId } = charger;
      const feed = feeds.get(incarnationId) ?? createFeed(deps, charger, () => feeds.delete(incarnationId));
      feeds.set(incarnationId, feed);
      return feed.subscribe();
    },
  };
}

type Feed = ReturnType<typeof createFeed>;

function createFeed({ chargers, history, clock, logger }: LogFeedDeps, charger: FollowedCharger, onEmpty: () => void) {
  const { chargerId, incarnationId } = charger;
  const follower = createLogFollower(history, incarnationId);
  const subscribers = new Set<Buffer>();
  let started: Promise<void> | undefined;
  let polls = 0;

  async function poll(signal: AbortSignal): Promise<void> {
    polls += 1;
    if (polls % CHECK_EVERY === 0 && (await chargers.find(chargerId))?.incarnationId !== incarnationId) {
      for (const subscriber of subscribers) subscriber.end('charger_deleted');
      return;
    }
    const rows = (await follower.read()).filter(follower.take);
    if (rows.length === 0 || signal.aborted) return;
    for (const subscriber of subscribers) subscriber.add(rows);
  }

  const job: Service = createPeriodicJob({
    name: 'log feed',
    everyMs: POLL_MS,
    run: poll,
    failed: "reading a charger's log for its streams failed; it is tried again",
    clock,
    logger,
  });

  async function begin(): Promise<void> {
    try {
      await follower.begin();
      await job.start();
    } catch (error) {
      // Once for all that wait for it: the next subscriber begins anew.
      started = undefined;
      throw error;
    }
  }

  function leave(subscriber: Buffer): void {
    if (!subscribers.delete(subscriber) || subscribers.size > 0) return;
    onEmpty();
    void job.stop();
  }

  return {
    async subscribe(): Promise<FeedSubscription> {
      const subscriber = createBuffer();
      subscribers.add(subscriber);
      try {
        await (started ??= begin());
      } catch (error) {
        leave(subscriber);
        throw error;
      }
      return {
        next: subscriber.next,
        close() {
          subscriber.end('closed');
          leave(subscriber);
        },
      };
    },
  };
}

type Buffer = ReturnType<typeof createBuffer>;

/** The rows that wait for one client. */
function createBuffer() {
  let rows: LogRow[] = [];
  let characters = 0;
  let end: FeedEnd | undefined;
  let wake: () => void = () => undefined;
  return {
    add(more: readonly LogRow[]): void {
      if (end !== undefined) return;
      rows.push(...more);
      for (const { request, response } of more) characters += request.length + response.length;
      if (rows.length > MAX_ROWS || characters > MAX_CHARACTERS) {
        rows = [];
        end = 'slow_reader';
      }
      wake();
    },
    end(reason: FeedEnd): void {
      end ??= reason;
      wake();
    },
    async next(): Promise<readonly LogRow[] | FeedEnd> {
      if (rows.length === 0 && end === undefined) await new Promise<void>((resolve) => (wake = resolve));
      if (rows.length === 0) return end ?? 'closed';
      const taken = rows;
      rows = [];
      characters = 0;
      return taken;
    },
  };
}
