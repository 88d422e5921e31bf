// Answers requests about webhooks: a test, and events that are sent again past the line. Any process answers, the owner or not.
import type { PushAnswer, PushRequest } from '@busbar/contracts';
import { createConcurrencyLimiter, createId, isAppError, messageOf, type Clock, type Logger } from '@busbar/core';
import type { FeedEvent } from '@busbar/domain/feed';
import type { DeadDeliveries, DeliveryAttempt, DeliveryRequest, Webhook, WebhookReader } from '@busbar/domain/webhooks';
import { recordedRequest, type SendEvent, type Sent } from '../delivery/send-event';
import { sourceEvent, type SourceEvent } from '../feed/page-source';

export interface PushRequestDeps {
  readonly webhooks: Pick<WebhookReader, 'find'>;
  readonly deadDeliveries: Pick<DeadDeliveries, 'find' | 'remove'>;
  /** Rejects with `not_found` where it is not in the feed. */
  readonly findEvent: (clientId: string, eventId: string) => Promise<FeedEvent>;
  readonly send: SendEvent;
  readonly log: { add(attempt: DeliveryAttempt): void };
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Tests at once, and how many may wait. */
const TESTS = { concurrency: 16, maxQueue: 16 };
/** Events that are sent again at once; a request has up to 100. */
const REDELIVERIES = { concurrency: 8, maxQueue: 1_000 };

export function createPushRequests(deps: PushRequestDeps) {
  const { webhooks, send, log, clock, logger } = deps;
  const tests = createConcurrencyLimiter(TESTS);
  const redeliveries = createConcurrencyLimiter(REDELIVERIES);

  async function test(webhook: Webhook): Promise<PushAnswer> {
    const { webhookId } = webhook;
    const event: FeedEvent = {
      // It is not in the feed, and has no number there.
      id: `evt_${webhookId}_${createId()}`,
      type: 'webhook.test',
      timestamp: clock.now().toISOString(),
      sequence: null,
      chargerId: null,
      siteId: null,
      externalSiteId: null,
      data: { webhookId },
    };
    const sent = await send(webhook, sourceEvent(event), 0);
    if (sent === 'nothing') return { result: 'gone' };
    record(webhook, event, sent, sent.request);
    const { httpStatus, tookMs, responseBody, error } = sent;
    return { result: 'tested', outcome: outcomeOf(sent), httpStatus, tookMs, responseBody, error };
  }

  async function redeliver(webhook: Webhook, eventIds: readonly string[]): Promise<PushAnswer> {
    const { clientId, webhookId } = webhook;
    const dead = new Map((await deps.deadDeliveries.find(webhookId, eventIds)).map((each) => [each.eventId, each]));
    const found: SourceEvent[] = [];
    for (const eventId of new Set(eventIds)) {
      const letter = dead.get(eventId);
      const event = letter === undefined ? await inFeed(clientId, eventId) : (JSON.parse(letter.event) as FeedEvent);
      if (event !== undefined) found.push(sourceEvent(event));
    }
    if (redeliveries.queued() + found.length > REDELIVERIES.maxQueue) return { result: 'busy' };
    for (const source of found) {
      void redeliveries.run(() => sendAgain(webhook, source, dead.has(source.event.id)));
    }
    return { result: 'accepted', accepted: found.length };
  }

  /** Never rejects. */
  async function sendAgain(webhook: Webhook, source: SourceEvent, isDead: boolean): Promise<void> {
    const { webhookId } = webhook;
    const { id: eventId } = source.event;
    try {
      const sent = await send(webhook, source, 0);
      if (sent === 'nothing') return;
      record(webhook, source.event, sent, recordedRequest(sent));
      if (isDead && sent.outcome === 'delivered') await deps.deadDeliveries.remove(webhookId, eventId);
    } catch (error) {
      logger.warn({ webhookId, eventId, err: error }, 'an event could not be sent again');
    }
  }

  async function inFeed(clientId: string, eventId: string): Promise<FeedEvent | undefined> {
    try {
      return await deps.findEvent(clientId, eventId);
    } catch (error) {
      if (isAppError(error, 'not_found')) return undefined;
      throw error;
    }
  }

  function record({ webhookId, clientId }: Webhook, event: FeedEvent, sent: Sent, request: DeliveryRequest): void {
    const { id: eventId, type: eventType, chargerId } = event;
    const { httpStatus, tookMs, error, responseBody } = sent;
    const at = new Date(sent.startedMs).toISOString();
    const of = { id: createId(), webhookId, clientId, eventId, eventType, chargerId, attempt: 1, at };
    log.add({ ...of, outcome: outcomeOf(sent), httpStatus, tookMs, error, responseBody, nextAttemptAt: null, request });
  }

  /** Rejects where the store is unavailable. */
  return async (request: PushRequest): Promise<PushAnswer> => {
    const webhook = await webhooks.find(request.clientId, request.webhookId);
    if (webhook === undefined) return { result: 'gone' };
    if (!webhook.enabled) return { result: 'disabled' };
    try {
      if (request.request === 'redeliver') return await redeliver(webhook, request.eventIds);
      const answer = await tests.run(() => test(webhook));
      return answer === 'busy' ? { result: 'busy' } : answer;
    } catch (error) {
      if (!isAppError(error, 'invalid_configuration')) throw error;
      logger.warn({ webhookId: webhook.webhookId, reason: messageOf(error) }, 'a webhook cannot be sent to');
      return { result: 'no_key' };
    }
  };
}

function outcomeOf({ outcome }: Sent): DeliveryAttempt['outcome'] {
  if (outcome === 'delivered') return 'delivered';
  return outcome === 'event_refused' ? 'refused' : 'failed';
}
