// The status of a webhook: its owner's wish, and what the deliveries learned.
import { AppError } from '@busbar/core';
import type { Webhook } from './webhook';
import type { WebhookStanding } from './webhook-standing';

/** `owner`: disabled by a request. The others: by push. */
export type StatusReason = 'owner' | 'gone' | 'no_success_72h';

export interface WebhookStatus {
  readonly status: 'active' | 'failing' | 'disabled';
  readonly statusReason: StatusReason | null;
  readonly failingSinceMs: number | null;
  /** While it fails: when one event is sent. */
  readonly nextProbeMs: number | null;
}

const ACTIVE: WebhookStatus = { status: 'active', statusReason: null, failingSinceMs: null, nextProbeMs: null };

/** A webhook without a standing yet, or one that was enabled since, is active. */
export function webhookStatus(webhook: Webhook, standing: WebhookStanding | undefined): WebhookStatus {
  const health = standing?.activation === webhook.activation ? standing.health : undefined;
  if (!webhook.enabled) {
    return {
      status: 'disabled',
      statusReason: 'owner',
      failingSinceMs: health?.failingSinceMs ?? null,
      nextProbeMs: null,
    };
  }
  if (health === undefined) return ACTIVE;
  const { status, statusReason, failingSinceMs, nextProbeMs } = health;
  return { status, statusReason, failingSinceMs, nextProbeMs: status === 'failing' ? nextProbeMs : null };
}

/** Throws `webhook_disabled`. */
export function refuseDisabled(webhook: Webhook, standing: WebhookStanding | undefined): void {
  if (webhookStatus(webhook, standing).status !== 'disabled') return;
  const what = `The webhook ${webhook.webhookId} is disabled.`;
  throw new AppError('webhook_disabled', `${what} Enable it with PATCH and {"enabled": true} first.`);
}
