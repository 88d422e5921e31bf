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
  /** Undefined where it is not stored: not yet, or not any more. `ahead`: pages that are read together with it, where it has to be read. */
  read(id: FeedPageId, ahead?: readonly FeedPageId[]): Promise<SourcePage | undefined>;
  /** The feed was replaced. */
  clear(): void;
}

/** Characters of events in the cache; parsed they are some times as many bytes. */
const MAX_CHARACTERS = 8_000_000;

export function createPageSource(feed: Pick<FeedReader, 'pagesOf'>): PageSource {
  const cache = new LRUCache<string, SourcePage>({ maxSize: MAX_CHARACTERS, maxEntrySize: MAX_CHARACTERS });
  const reading = new Map<string, Promise<ReadonlyMap<string, SourcePage>>>();

  async function load(ids: readonly FeedPageId[]): Promise<ReadonlyMap<string, SourcePage>> {
    const loaded = new Map<string, SourcePage>();
    for (const page of await feed.pagesOf(ids)) {
      const key = feedPageKey(page);
      const parsed = parse(page);
      loaded.set(key, parsed);
      cache.set(key, parsed, { size: Math.max(page.events.length, 1) });
    }
    return loaded;
  }

  return {
    async read(id, ahead = []) {
      const key = feedPageKey(id);
      const cached = cache.get(key);
      if (cached !== undefined) return cached;
      const current = reading.get(key);
      if (current !== undefined) return (await current).get(key);
      const isNeeded = (other: FeedPageId): boolean => {
        const otherKey = feedPageKey(other);
        return otherKey !== key && !cache.has(otherKey) && !reading.has(otherKey);
      };
      const ids = [id, ...ahead.filter(isNeeded)];
      const keys = ids.map(feedPageKey);
      const started = load(ids).finally(() => {
        for (const each of keys) reading.delete(each);
      });
      for (const each of keys) reading.set(each, started);
      return (await started).get(key);
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
