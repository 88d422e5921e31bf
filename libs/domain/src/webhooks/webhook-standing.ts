// How far the deliveries of a webhook have come, and how they go. One document a webhook, which its owner among the processes of
// services/push writes by compare-and-set: two owners for a moment make doubles, never a gap.
import type { Timestamp } from '../timestamp';
import type { WebhookHealth } from './webhook-health';

/** An event of the feed, by its place: zero-based within its page. */
export interface EventPlace {
  readonly partition: number;
  readonly page: number;
  readonly index: number;
}

export interface DeliveryProgress {
  /** By partition: the last page of which all events are done. */
  readonly pages: readonly number[];
  /** By partition: the events of the next page that are done, counted from its first. */
  readonly taken: readonly number[];
  /** Done above that; at most 1,000. */
  readonly above: readonly EventPlace[];
}

export interface WebhookStanding {
  readonly webhookId: string;
  readonly clientId: string;
  /** Raised by each write: the compare-and-set. */
  readonly revision: number;
  /** `begin.id` and `activation` of the webhook that this was made from. */
  readonly beginId: string;
  readonly activation: number;
  /** Of the feed. After a restore the deliveries begin at the end of the restored feed. */
  readonly generation: string;
  readonly progress: DeliveryProgress;
  readonly health: WebhookHealth;
  readonly lastDeliveryAt: Timestamp | null;
  /** Events that were deleted by age, or lost by a restore, before they were delivered. */
  readonly gap: { readonly from: Timestamp; readonly to: Timestamp } | null;
  /** The webhook's own events (`webhook.disabled`): their number, which is part of their ids. */
  readonly announced: number;
  /** The last of them as JSON until it is in the feed. */
  readonly outbox: string | null;
}
