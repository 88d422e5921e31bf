// The status of a webhook: its owner's wish, and what the deliveries learned.
import { AppError } from '@busbar/core';
import type { Webhook } from './webhook';
import type { WebhookHealth } from './webhook-health';
import type { DeliveryProgress, WebhookStanding } from './webhook-standing';

/** `owner`: disabled by a request. The others: by push. */
export type StatusReason = 'owner' | 'gone' | 'no_success_72h';

export interface WebhookStatus {
  readonly status: 'active' | 'failing' | 'disabled';
  readonly statusReason: StatusReason | null;
  readonly failingSinceMs: number | null;
  /** While it fails: when one event is sent. While it is active: when the first of the events that were refused is sent again. */
  readonly nextAttemptMs: number | null;
}

const ACTIVE: WebhookStatus = { status: 'active', statusReason: null, failingSinceMs: null, nextAttemptMs: null };

/** A webhook without a standing yet, or one that was enabled since, is active. */
export function webhookStatus(webhook: Webhook, standing: WebhookStanding | undefined): WebhookStatus {
  const health = standing?.activation === webhook.activation ? standing.health : undefined;
  if (!webhook.enabled) {
    return {
      status: 'disabled',
      statusReason: 'owner',
      failingSinceMs: health?.failingSinceMs ?? null,
      nextAttemptMs: null,
    };
  }
  if (standing === undefined || health === undefined) return ACTIVE;
  const { status, statusReason, failingSinceMs } = health;
  return { status, statusReason, failingSinceMs, nextAttemptMs: nextAttemptMs(health, standing.progress) };
}

function nextAttemptMs({ status, nextProbeMs }: WebhookHealth, { deferred }: DeliveryProgress): number | null {
  if (status === 'failing') return nextProbeMs;
  if (status === 'disabled') return null;
  // Without attempts it only stepped aside for other chargers, or was found again: nothing of it was refused.
  const refused = deferred.filter(({ eventId, attempts }) => eventId !== null && attempts > 0);
  return refused.length === 0 ? null : Math.min(...refused.map((queue) => queue.nextAttemptMs));
}

/** Throws `webhook_disabled`. */
export function refuseDisabled(webhook: Webhook, standing: WebhookStanding | undefined): void {
  if (webhookStatus(webhook, standing).status !== 'disabled') return;
  const what = `The webhook ${webhook.webhookId} is disabled.`;
  throw new AppError('webhook_disabled', `${what} Enable it with PATCH and {"enabled": true} first.`);
}
