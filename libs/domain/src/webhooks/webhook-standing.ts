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

/**
 * Deliveries that wait for a retry, while those of other chargers continue: the events of one charger, from a place on; where
 * `ordering` is `none`, one event.
 */
export interface DeferredQueue extends EventPlace {
  /** Null: of the events that belong to no charger. */
  readonly chargerId: string | null;
  /** The event at the place, where it was refused. Null: the next event of the charger at the place or behind it. */
  readonly eventId: string | null;
  /** Refused attempts. */
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly firstStartedMs: number;
  readonly nextAttemptMs: number;
  /** Messages of the event that were delivered, where its format makes several. */
  readonly messages: number;
}

export interface DeliveryProgress {
  /** By stream (partition): the last page of which all events are done. */
  readonly pages: readonly number[];
  /** By stream: the events of the next page that are done, counted from its first. */
  readonly taken: readonly number[];
  /** Done above that; at most about 1,000. */
  readonly above: readonly EventPlace[];
  /** Not done below that; at most about 2,000. */
  readonly deferred: readonly DeferredQueue[];
}

/** A replay with an end: events after it are skipped where `progress` had them done before. */
export interface ReplayedProgress {
  readonly until: Timestamp;
  readonly progress: DeliveryProgress;
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
  /** Null where nothing is replayed, or all behind its end was reached. */
  readonly replay: ReplayedProgress | null;
  readonly health: WebhookHealth;
  readonly lastDeliveryAt: Timestamp | null;
  /** Events that were deleted by age, or lost by a restore, before they were delivered. */
  readonly gap: { readonly from: Timestamp; readonly to: Timestamp } | null;
  /** The webhook's own events (`webhook.disabled`): their number, which is part of their ids. */
  readonly announced: number;
  /** The last of them as JSON until it is in the feed. */
  readonly outbox: string | null;
}
