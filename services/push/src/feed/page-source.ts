// Pages of clients' feeds, parsed once for all webhooks of a client. A bounded cache; pages never change.
import type { FeedEvent } from '@busbar/contracts';
import { feedPageKey, type FeedPage, type FeedPageId, type FeedReader } from '@busbar/domain/feed';
import { LRUCache } from 'lru-cache';

export interface SourceEvent {
  readonly event: FeedEvent;
  /** As in the feed, the same text at each call. */
  json(): string;
}

export interface SourcePage {
  readonly page: number;
  /** When it was written. */
  readonly at: string;
  readonly events: readonly SourceEvent[];
}

export interface PageSource {
  /** Undefined where it is not stored: not yet, or not any more. */
  read(id: FeedPageId): Promise<SourcePage | undefined>;
  /** The feed was replaced. */
  clear(): void;
}

/** Read together: a webhook that is behind reads on. */
const PAGES_TOGETHER = 3;
/** Characters of events in the cache; parsed they are some times as many bytes. */
const MAX_CHARACTERS = 8_000_000;

export function createPageSource(feed: Pick<FeedReader, 'pagesAfter'>): PageSource {
  const cache = new LRUCache<string, SourcePage>({ maxSize: MAX_CHARACTERS, maxEntrySize: MAX_CHARACTERS });
  const reading = new Map<string, Promise<SourcePage | undefined>>();

  async function load(id: FeedPageId): Promise<SourcePage | undefined> {
    const found = await feed.pagesAfter({ ...id, page: id.page - 1 }, PAGES_TOGETHER);
    const pages = found.map(parse);
    for (const [n, page] of pages.entries()) {
      const key = feedPageKey({ ...id, page: page.page });
      cache.set(key, page, { size: Math.max(found[n]?.events.length ?? 0, 1) });
    }
    return pages.find(({ page }) => page === id.page);
  }

  return {
    read(id) {
      const key = feedPageKey(id);
      const cached = cache.get(key);
      if (cached !== undefined) return Promise.resolve(cached);
      const current = reading.get(key);
      if (current !== undefined) return current;
      const started = load(id).finally(() => reading.delete(key));
      reading.set(key, started);
      return started;
    },
    clear: () => cache.clear(),
  };
}

function parse({ page, at, events }: FeedPage): SourcePage {
  return { page, at, events: (JSON.parse(events) as FeedEvent[]).map(sourceEvent) };
}

export function sourceEvent(event: FeedEvent): SourceEvent {
  let json: string | undefined;
  return { event, json: () => (json ??= JSON.stringify(event)) };
}
