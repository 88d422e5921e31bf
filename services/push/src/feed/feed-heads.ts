// How far the feeds of clients reach: by hints, and by a look every two seconds. One look for all webhooks of a client.
import { createConcurrencyLimiter, createPeriodicJob, type Clock, type Logger, type Service } from '@busbar/core';
import { streamCount, type FeedIdentity, type FeedPageId, type FeedReader } from '@busbar/domain/feed';

export interface FeedHeads extends Service {
  hint(page: FeedPageId): void;
  /** Calls `onMore` whenever the feed of the client reaches further. Returns how to end it. */
  watch(clientId: string, onMore: () => void): () => void;
  /** The last known page of each stream. */
  of(clientId: string): readonly number[];
  /** Looks at one client now. */
  look(clientId: string): Promise<void>;
  /** Undefined before the first start of charger-state on the store. */
  identity(): FeedIdentity | undefined;
  /** Reads the identity, which a restore changes. */
  refresh(): Promise<FeedIdentity | undefined>;
}

export interface FeedHeadsDeps {
  readonly feed: Pick<FeedReader, 'identity' | 'lastPages'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The feed was replaced. */
  readonly onReplaced: () => void;
}

const LOOK_MS = 2_000;
const LOOK_CONCURRENCY = 8;

interface Head {
  pages: number[];
  readonly watchers: Set<() => void>;
}

export function createFeedHeads({ feed, clock, logger, onReplaced }: FeedHeadsDeps): FeedHeads {
  const heads = new Map<string, Head>();
  const limiter = createConcurrencyLimiter({ concurrency: LOOK_CONCURRENCY, maxQueue: Infinity });
  let identity: FeedIdentity | undefined;

  async function refresh(): Promise<FeedIdentity | undefined> {
    const now = await feed.identity();
    const isReplaced = identity !== undefined && now?.generation !== identity.generation;
    identity = now;
    if (!isReplaced) return now;
    for (const head of heads.values()) head.pages = [];
    onReplaced();
    return now;
  }

  async function look(clientId: string): Promise<void> {
    const head = heads.get(clientId);
    if (head === undefined || identity === undefined) return;
    const { generation } = identity;
    const known = Array.from({ length: streamCount(identity) }, (_, stream) => head.pages[stream] ?? 0);
    const found = await feed.lastPages(clientId, known);
    if (identity.generation === generation) raise(head, found);
  }

  function raise(head: Head, pages: readonly number[]): void {
    const raised = pages.map((page, stream) => Math.max(page, head.pages[stream] ?? 0));
    const isMore = raised.some((page, stream) => page > (head.pages[stream] ?? 0));
    head.pages = raised;
    if (isMore) for (const watcher of head.watchers) watcher();
  }

  const job = createPeriodicJob({
    name: 'looks at feeds',
    everyMs: LOOK_MS,
    run: async () => {
      if ((await refresh()) === undefined) return;
      await Promise.all([...heads.keys()].map((clientId) => limiter.run(() => look(clientId))));
    },
    failed: 'looking at the feeds of webhooks failed; it is tried again',
    clock,
    logger,
  });

  return {
    ...job,
    hint({ clientId, partition, page }) {
      const head = heads.get(clientId);
      if (head === undefined || identity === undefined || partition >= streamCount(identity)) return;
      const pages = Array.from({ length: streamCount(identity) }, (_, stream) => head.pages[stream] ?? 0);
      raise(head, pages.with(partition, Math.max(page, pages[partition] ?? 0)));
    },
    watch(clientId, onMore) {
      const head = heads.get(clientId) ?? { pages: [], watchers: new Set() };
      heads.set(clientId, head);
      head.watchers.add(onMore);
      return () => {
        head.watchers.delete(onMore);
        if (head.watchers.size === 0 && heads.get(clientId) === head) heads.delete(clientId);
      };
    },
    of: (clientId) => heads.get(clientId)?.pages ?? [],
    look,
    identity: () => identity,
    refresh,
  };
}
