// The ports of webhooks: the APIs write webhooks and read all; services/push writes standings, attempts and parked events.
import type { Page, PageRequest } from '../page';
import type { Timestamp } from '../timestamp';
import type { Webhook } from './webhook';
import type { WebhookStanding } from './webhook-standing';

/** At most so many webhooks of a client. */
export const MAX_WEBHOOKS = 16;
/** At most so many parked events of a webhook; the oldest above are deleted. */
export const MAX_DEAD_DELIVERIES = 10_000;

export interface WebhookReader {
  find(clientId: string, webhookId: string): Promise<Webhook | undefined>;
  /** Of a client, oldest first: at most `MAX_WEBHOOKS`. */
  listOf(clientId: string): Promise<readonly Webhook[]>;
  /** Of all clients, for services/push: those behind an id, in the order of ids. */
  listAfter(webhookId: string | undefined, limit: number): Promise<readonly Webhook[]>;
}

export interface WebhookWriter {
  /** False where the client has `MAX_WEBHOOKS` already, also where two are created at the same time. */
  insert(webhook: Webhook): Promise<boolean>;
  /** False where its revision is not `revision`. */
  replace(webhook: Webhook, revision: number): Promise<boolean>;
  /** With its standing, attempts and parked events. False where there is none. */
  delete(clientId: string, webhookId: string): Promise<boolean>;
}

export interface WebhookStandings {
  find(webhookIds: readonly string[]): Promise<readonly WebhookStanding[]>;
  /** `revision`: of the standing that it replaces; 0 inserts. False where another was written, or the webhook is deleted. */
  save(standing: WebhookStanding, revision: number): Promise<boolean>;
}

export interface DeliveryAttempt {
  /** A ULID of `at`: attempts of a webhook sort by time. */
  readonly id: string;
  readonly webhookId: string;
  readonly clientId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly chargerId: string | null;
  /** From 1. */
  readonly attempt: number;
  readonly at: Timestamp;
  /** `refused`: the receiver refused this event. `failed`: the webhook failed. */
  readonly outcome: 'delivered' | 'refused' | 'failed';
  readonly httpStatus: number | null;
  readonly tookMs: number;
  /** Null where it was delivered. */
  readonly error: string | null;
  /** Its first 1,000 characters. */
  readonly responseBody: string;
  readonly nextAttemptAt: Timestamp | null;
  /** Absent: stored before it was kept. */
  readonly request?: DeliveryRequest | undefined;
}

/** What was sent. An event with several messages: the last of them. */
export interface DeliveryRequest {
  readonly url: string;
  /** Those that identify and sign it, names in lower case: the others follow from the webhook and the event. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of a test alone, as its event is in no feed. */
  readonly body: string | null;
}

export interface DeliveryFilter {
  readonly outcome?: DeliveryAttempt['outcome'] | undefined;
  readonly eventId?: string | undefined;
  readonly chargerId?: string | undefined;
  readonly from?: Timestamp | undefined;
  readonly to?: Timestamp | undefined;
}

export interface DeliveryLog {
  /** In bulk; the caller does not wait with deliveries. Ids that exist are success. */
  append(attempts: readonly DeliveryAttempt[]): Promise<void>;
  /** Newest first. */
  list(webhookId: string, filter: DeliveryFilter, page: PageRequest<'at'>): Promise<Page<DeliveryAttempt>>;
}

/** An event that was parked after its last attempt. `event` is its JSON, so that it can be sent again when the feed has lost it. */
export interface DeadDelivery {
  readonly webhookId: string;
  readonly clientId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly chargerId: string | null;
  readonly attempts: number;
  readonly lastError: string;
  readonly parkedAt: Timestamp;
  readonly event: string;
}

export interface DeadDeliveries {
  /** By webhook and event: one that exists is success. */
  insert(delivery: DeadDelivery): Promise<void>;
  find(webhookId: string, eventIds: readonly string[]): Promise<readonly DeadDelivery[]>;
  /** It was delivered after all. */
  remove(webhookId: string, eventId: string): Promise<void>;
  count(webhookId: string): Promise<number>;
  /** Newest first. */
  list(webhookId: string, page: PageRequest<'parkedAt'>): Promise<Page<DeadDelivery>>;
}
