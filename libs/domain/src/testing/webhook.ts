import { HEALTHY } from '../webhooks/webhook-health';
import type { WebhookStanding } from '../webhooks/webhook-standing';
import type { DeadDelivery, DeliveryAttempt } from '../webhooks/webhook-stores';
import type { Webhook } from '../webhooks/webhook';

const AT = '2026-01-01T12:00:00.000Z';

/** An enabled webhook of the client `c` that begins with the first event. */
export function newWebhook(over: Partial<Webhook> = {}): Webhook {
  return {
    webhookId: 'wh_1',
    clientId: 'c',
    url: 'https://hooks.example.com/busbar',
    description: '',
    format: 'standard',
    types: ['*'],
    chargerIds: null,
    siteIds: null,
    includeSubsites: false,
    ordering: 'charger',
    maxInFlight: 8,
    authorization: null,
    secrets: [],
    enabled: true,
    activation: 1,
    begin: { id: 'b1', generation: 'g', position: { pages: [0], next: 0, taken: 0 } },
    createdAt: AT,
    revision: 1,
    updatedAt: AT,
    ...over,
  };
}

export function newStanding(over: Partial<WebhookStanding> = {}): WebhookStanding {
  return {
    webhookId: 'wh_1',
    clientId: 'c',
    revision: 1,
    beginId: 'b1',
    activation: 1,
    generation: 'g',
    progress: { pages: [0], taken: [0], above: [], deferred: [] },
    replay: null,
    health: HEALTHY,
    lastDeliveryAt: null,
    gap: null,
    announced: 0,
    outbox: null,
    ...over,
  };
}

export function newAttempt(over: Partial<DeliveryAttempt> & Pick<DeliveryAttempt, 'id'>): DeliveryAttempt {
  return {
    webhookId: 'wh_1',
    clientId: 'c',
    eventId: 'evt_I_1',
    eventType: 'session.started',
    chargerId: 'A',
    attempt: 1,
    at: AT,
    outcome: 'delivered',
    httpStatus: 200,
    tookMs: 12,
    error: null,
    responseBody: '',
    nextAttemptAt: null,
    request: { url: 'https://receiver.example/', headers: { 'webhook-id': 'evt_I_1' }, body: null },
    ...over,
  };
}

export function newDeadDelivery(over: Partial<DeadDelivery> = {}): DeadDelivery {
  return {
    webhookId: 'wh_1',
    clientId: 'c',
    eventId: 'evt_I_1',
    eventType: 'session.started',
    chargerId: 'A',
    attempts: 6,
    lastError: 'http_500',
    parkedAt: AT,
    event: '{}',
    ...over,
  };
}
