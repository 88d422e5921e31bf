// A webhook: the address that a client's events are posted to, as its owner configured it. What became of the deliveries is in
// `webhook-standing.ts`, which services/push alone writes.
import type { FeedPosition } from '../feed/feed-cursor';
import type { Timestamp } from '../timestamp';

/** `standard`: the event as in the feed, signed by Standard Webhooks. The others: the documented push messages of v1 and v2. */
export type WebhookFormat = 'standard' | 'push-v1' | 'push-v2';

/** Message kinds of the push formats: what `types` of such a webhook names. */
export const PUSH_KINDS = [
  'ChargerState',
  'ChargerBoot',
  'ChargingTransaction',
  'FullChargingTransaction',
  'Measurements',
] as const;

export type PushKind = (typeof PUSH_KINDS)[number];

/** A signing secret (`whsec_…`), encrypted for the webhook's id. */
export interface WebhookSecret {
  readonly encrypted: string;
  /** It signs until then. Null: it is the newest, without an end. */
  readonly endsAt: Timestamp | null;
}

/** Where the deliveries begin. Another id begins them anew: a webhook that is created, replayed, or enabled with `startAt`. */
export interface WebhookBegin {
  readonly id: string;
  /** The generation of the feed that the position belongs to. */
  readonly generation: string;
  readonly position: FeedPosition;
  /** Of a replay with an end: events after this time are skipped where they were delivered before. */
  readonly until?: Timestamp | undefined;
}

export interface Webhook {
  /** `wh_` and random characters, without `.` or `_` behind the prefix: part of the ids of its own events. */
  readonly webhookId: string;
  readonly clientId: string;
  readonly url: string;
  readonly description: string;
  readonly format: WebhookFormat;
  /** `standard`: patterns as in the feed (`EVENT_PATTERNS`). Push formats: kinds. */
  readonly types: readonly string[];
  /** Null: any charger; any site. */
  readonly chargerIds: readonly string[] | null;
  readonly siteIds: readonly number[] | null;
  readonly includeSubsites: boolean;
  /** `charger`: the events of one charger one after the other. */
  readonly ordering: 'charger' | 'none';
  /** Requests at once: 1 to 32. */
  readonly maxInFlight: number;
  /** The value of the header `authorization` of push formats, encrypted for the webhook's id. */
  readonly authorization: string | null;
  /** Newest first, at most two. */
  readonly secrets: readonly WebhookSecret[];
  /** The owner's wish. What failures decide is `health` of the standing. */
  readonly enabled: boolean;
  /** Raised when the owner enables it: a standing with a smaller number forgets why it was disabled. */
  readonly activation: number;
  readonly begin: WebhookBegin;
  readonly createdAt: Timestamp;
  /** Raised by each change of the owner; the ETag. */
  readonly revision: number;
  readonly updatedAt: Timestamp;
}
