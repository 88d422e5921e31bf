// The broadcasts that name the pages of the feed that were just stored. Hints only: readers also look by themselves.
import type { Broker, Subscription } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import type { Service } from '@busbar/core';
import type { FeedPageId } from '@busbar/domain/feed';

export interface FeedHints extends Service {
  /** Calls the handler for each broadcast while the service runs. */
  listen(handler: (page: FeedPageId) => void): void;
}

export function createFeedHints(broker: Pick<Broker, 'listen'>): FeedHints {
  const handlers: ((page: FeedPageId) => void)[] = [];
  let subscription: Subscription | undefined;
  return {
    name: 'hints of the feed',
    listen: (handler) => void handlers.push(handler),
    async start() {
      subscription ??= await broker.listen(channels.eventPages, (page) => {
        for (const handler of handlers) handler(page);
      });
    },
    async stop() {
      await subscription?.close();
      subscription = undefined;
    },
    ready: () => subscription !== undefined,
  };
}
