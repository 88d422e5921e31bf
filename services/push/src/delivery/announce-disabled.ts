// Puts a webhook's own event into the feed of its client: the last stream, which all processes of push write (docs/adr/0032).
import type { Broker } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { AppError, type Clock } from '@busbar/core';
import { streamCount, type FeedEvent, type FeedPageWriter, type FeedReader } from '@busbar/domain/feed';
import type { Webhook } from '@busbar/domain/webhooks';

export interface AnnounceDeps {
  readonly feed: Pick<FeedReader, 'highestAfter' | 'firstPage' | 'identity'>;
  readonly pages: FeedPageWriter;
  readonly broker: Pick<Broker, 'broadcast'>;
  readonly clock: Clock;
}

const PAGES_TOGETHER = 500;
/** Other processes that announce at the same moment. */
const MAX_TRIES = 20;

/** Does nothing where the event is in the feed. Rejects with `unavailable` where it could not be inserted. */
export function createAnnounceDisabled({ feed, pages, broker, clock }: AnnounceDeps) {
  return async ({ clientId, webhookId }: Webhook, event: FeedEvent): Promise<void> => {
    const identity = await feed.identity();
    if (identity === undefined) return;
    const stream = { clientId, partition: streamCount(identity) - 1 };
    const count = Number(event.id.slice(event.id.lastIndexOf('_') + 1));
    let page = Math.max(0, (await feed.firstPage(stream)) - 1);
    for (let tries = 0; tries < MAX_TRIES;) {
      const found = await feed.highestAfter({ ...stream, page }, PAGES_TOGETHER);
      if (found.some(({ highest }) => (highestOf(highest)[webhookId] ?? 0) >= count)) return;
      page = found.at(-1)?.page ?? page;
      if (found.length > 0) continue;
      tries += 1;
      const next = { ...stream, page: page + 1 };
      const [at, highest] = [clock.now().toISOString(), JSON.stringify({ [webhookId]: count })];
      if (await pages.insert({ ...next, at, highest, count: 1, events: JSON.stringify([event]) })) {
        return broker.broadcast(channels.eventPages, next);
      }
    }
    throw new AppError('unavailable', 'Other processes announce webhooks at the same time. It is tried again.');
  };
}

function highestOf(text: string): Readonly<Record<string, number>> {
  return JSON.parse(text) as Readonly<Record<string, number>>;
}
