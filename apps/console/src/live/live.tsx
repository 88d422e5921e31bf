// The feed of events for React: who provides it, and how a screen follows it.
import { createContext, useContext, useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { createFeed, type Feed, type FeedEvent, type FeedStatus } from './feed';
import type { Need } from './needs';

const FeedContext = createContext<Feed | null>(null);

/** Null: the key may not read events. */
export function FeedProvider({ feed, children }: { feed: Feed | null; children: ReactNode }) {
  return <FeedContext value={feed}>{children}</FeedContext>;
}

const NO_STATUS: FeedStatus = { state: 'refused', lagMs: 0 };

/** How the stream stands; null where the key may not read events. */
export function useFeedStatus(): FeedStatus | null {
  const feed = useContext(FeedContext);
  const status = useSyncExternalStore(
    (changed) => feed?.onStatus(changed) ?? (() => undefined),
    () => feed?.status() ?? NO_STATUS,
  );
  return feed === null ? null : status;
}

/** Follows the feed while the component is shown. A need of undefined follows nothing. */
export function useFeed(need: Need | undefined, onEvent: (event: FeedEvent) => void, onGap: () => void): void {
  const feed = useContext(FeedContext);
  const latest = useRef({ onEvent, onGap });
  useEffect(() => {
    latest.current = { onEvent, onGap };
  });
  const wanted = need === undefined ? undefined : JSON.stringify(need);
  useEffect(() => {
    if (feed === null || wanted === undefined) return undefined;
    return feed.follow(JSON.parse(wanted) as Need, {
      onEvent: (event) => latest.current.onEvent(event),
      onGap: () => latest.current.onGap(),
    });
  }, [feed, wanted]);
}

export { createFeed };
export type { FeedEvent };
