import type { DeadDelivery, DeliveryAttempt, WebhookView } from '@busbar/domain/webhooks';

/** Names each field: a stored webhook also has its encrypted secrets. */
export function presentWebhook({ webhook, ...view }: WebhookView) {
  const { webhookId, url, description, format, types, siteIds, includeSubsites, chargerIds } = webhook;
  const { ordering, maxInFlight, enabled, createdAt, updatedAt } = webhook;
  return {
    id: webhookId,
    url,
    description,
    format,
    types: [...types],
    siteIds: siteIds === null ? null : [...siteIds],
    includeSubsites,
    chargerIds: chargerIds === null ? null : [...chargerIds],
    ordering,
    maxInFlight,
    enabled,
    status: view.status,
    statusReason: view.statusReason,
    failingSince: view.failingSince,
    nextAttemptAt: view.nextAttemptAt,
    lastDeliveryAt: view.lastDeliveryAt,
    lastSuccessAt: view.lastSuccessAt,
    waiting: view.waiting,
    oldestWaitingAt: view.oldestWaitingAt,
    parked: view.parked,
    gap: view.gap === null ? null : { ...view.gap },
    createdAt,
    updatedAt,
  };
}

export function presentDelivery(attempt: DeliveryAttempt) {
  const { id, eventId, eventType, chargerId, attempt: number, at, outcome, httpStatus, tookMs } = attempt;
  const { responseBody, error, nextAttemptAt, request } = attempt;
  return {
    id,
    eventId,
    eventType,
    chargerId,
    attempt: number,
    at,
    outcome,
    httpStatus,
    tookMs,
    responseBody,
    error,
    nextAttemptAt,
    request: request === undefined ? null : { ...request },
  };
}

export function presentParked(delivery: DeadDelivery) {
  const { eventId, eventType, chargerId, attempts, lastError, parkedAt } = delivery;
  return { eventId, eventType, chargerId, attempts, lastError, parkedAt };
}
