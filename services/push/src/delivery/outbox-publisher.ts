// Puts the event of a webhook that was disabled from its standing into the feed, after it is stored there.
import type { FeedEvent } from '@busbar/domain/feed';
import type { Webhook } from '@busbar/domain/webhooks';
import type { StandingFacts } from './standing-facts';
import type { StandingSaver } from './standing-saver';

export interface OutboxPublisherDeps {
  readonly webhook: () => Webhook;
  readonly facts: Pick<StandingFacts, 'unpublished' | 'published'>;
  readonly saver: Pick<StandingSaver, 'saveNow'>;
  readonly announce: (webhook: Webhook, event: FeedEvent) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** Never rejects. Does nothing without an event, and while it runs already. */
export function createOutboxPublisher(deps: OutboxPublisherDeps): () => Promise<void> {
  const { facts, saver } = deps;
  let isRunning = false;

  async function publish(event: FeedEvent): Promise<void> {
    // Only what is stored is announced: another process may have the standing.
    if (!(await saver.saveNow())) return;
    await deps.announce(deps.webhook(), event);
    facts.published();
    await saver.saveNow();
  }

  return async () => {
    const event = facts.unpublished();
    if (event === undefined || isRunning) return;
    isRunning = true;
    try {
      await publish(event);
    } catch (error) {
      deps.onFailure(error);
    } finally {
      isRunning = false;
    }
  };
}
