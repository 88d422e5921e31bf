// Reports each attempt to the log of deliveries and the metrics.
import { createId } from '@busbar/core';
import type { FeedEvent } from '@busbar/domain/feed';
import type { DeliveryAttempt, Webhook } from '@busbar/domain/webhooks';
import { LRUCache } from 'lru-cache';
import type { AttemptLog } from './attempt-log';
import type { AttemptEffect } from './deliveries';
import { recordedRequest, type Sent } from './send-event';

export interface AttemptRecorderDeps {
  readonly log: Pick<AttemptLog, 'add'>;
  readonly onAttempt: (outcome: DeliveryAttempt['outcome']) => void;
}

/** An attempt and when the next one is. */
export interface EndedAttempt {
  readonly event: FeedEvent;
  readonly sent: Sent;
  readonly effect: AttemptEffect;
  readonly nextProbeMs: number | null;
}

/** Events whose attempts are counted. */
const MAX_COUNTED = 2_000;
const OUTCOMES = {
  delivered: 'delivered',
  event_refused: 'refused',
  webhook_failed: 'failed',
  webhook_gone: 'failed',
} as const;

export function createAttemptRecorder(
  { webhookId, clientId }: Pick<Webhook, 'webhookId' | 'clientId'>,
  { log, onAttempt }: AttemptRecorderDeps,
) {
  /** Attempts so far, of events that are not delivered. */
  const counts = new LRUCache<string, number>({ max: MAX_COUNTED });

  return ({ event, sent, effect, nextProbeMs }: EndedAttempt): void => {
    const { id: eventId, type: eventType, chargerId } = event;
    const outcome = OUTCOMES[sent.outcome];
    const isLast = effect.kind === 'done' || effect.kind === 'dead';
    const refused = effect.kind === 'done' || effect.kind === 'returned' ? effect.attempts + 1 : effect.attempts;
    const attempt = Math.max((counts.get(eventId) ?? 0) + 1, refused);
    if (isLast) counts.delete(eventId);
    else counts.set(eventId, attempt);
    const nextMs = effect.kind === 'deferred' ? Math.max(effect.nextAttemptMs, nextProbeMs ?? 0) : nextProbeMs;
    onAttempt(outcome);
    log.add({
      id: createId(),
      webhookId,
      clientId,
      eventId,
      eventType,
      chargerId,
      attempt,
      at: new Date(sent.startedMs).toISOString(),
      outcome,
      httpStatus: sent.httpStatus,
      tookMs: sent.tookMs,
      error: sent.error,
      responseBody: sent.responseBody,
      nextAttemptAt: isLast || nextMs === null ? null : new Date(nextMs).toISOString(),
      request: recordedRequest(sent),
    });
  };
}
