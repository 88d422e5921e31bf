// What a standing has beside the progress of its deliveries and the health of its webhook.
import type { FeedEvent } from '@busbar/domain/feed';
import type { DeliveryProgress, EventPlace, Webhook, WebhookStanding } from '@busbar/domain/webhooks';
import { hasPassed, isDone } from './open-standing';

export type StandingFacts = ReturnType<typeof createStandingFacts>;

export function createStandingFacts(standing: WebhookStanding, { ordering, createdAt }: Webhook) {
  let facts: Omit<WebhookStanding, 'revision' | 'progress' | 'health'> = standing;

  return {
    current: () => facts,
    attempted(at: string): void {
      facts = { ...facts, lastDeliveryAt: at };
    },
    /** Events up to `to` were deleted by age. `from`: of the last one that was read before. */
    addGap(to: string, from: string | undefined): void {
      const { gap, lastDeliveryAt } = facts;
      facts = { ...facts, gap: { from: gap?.from ?? from ?? lastDeliveryAt ?? createdAt, to } };
    },
    /** Whether the event was delivered before a replay, and is behind the end of the replay. */
    isSkipped({ timestamp, chargerId }: FeedEvent, place: EventPlace): boolean {
      const { replay } = facts;
      if (replay === null || timestamp <= replay.until) return false;
      return isDone(replay.progress, { ...place, chargerId }, ordering);
    },
    /** Forgets a replay that has ended. */
    passed(progress: DeliveryProgress): void {
      const { replay } = facts;
      if (replay !== null && hasPassed(progress, replay.progress)) facts = { ...facts, replay: null };
    },
    /** The webhook was disabled: its event waits in the outbox. */
    disable(reason: string, at: Date): void {
      const { webhookId } = facts;
      const announced = facts.announced + 1;
      const ofNone = { sequence: null, chargerId: null, siteId: null, externalSiteId: null };
      const id = `evt_${webhookId}_${String(announced)}`;
      const event: FeedEvent = {
        id,
        type: 'webhook.disabled',
        timestamp: at.toISOString(),
        ...ofNone,
        data: { webhookId, reason },
      };
      facts = { ...facts, announced, outbox: JSON.stringify(event) };
    },
    /** The event in the outbox. */
    unpublished: (): FeedEvent | undefined =>
      facts.outbox === null ? undefined : (JSON.parse(facts.outbox) as FeedEvent),
    published(): void {
      facts = { ...facts, outbox: null };
    },
  };
}
