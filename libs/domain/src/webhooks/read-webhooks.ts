// Webhooks as their owner sees them: with their status and what waits for them.
import { AppError, type ConcurrencyLimiter } from '@busbar/core';
import { toTimestamp, type Timestamp } from '../timestamp';
import { countWaiting, type CountWaitingDeps } from './count-waiting';
import { webhookStatus, type WebhookStatus } from './webhook-status';
import type { Webhook } from './webhook';
import type { WebhookStanding } from './webhook-standing';
import type { DeadDeliveries, WebhookReader, WebhookStandings } from './webhook-stores';

export interface FindWebhookDeps {
  readonly webhooks: Pick<WebhookReader, 'find'>;
  readonly webhookStandings: Pick<WebhookStandings, 'find'>;
}

export interface ShowWebhookDeps extends CountWaitingDeps {
  readonly webhookStandings: Pick<WebhookStandings, 'find'>;
  readonly deadDeliveries: Pick<DeadDeliveries, 'count'>;
  /** Counting reads pages of the feed. */
  readonly counts: ConcurrencyLimiter;
}

/** A webhook with all that its owner may see; no secret. */
export interface WebhookView extends Pick<WebhookStatus, 'status' | 'statusReason'> {
  readonly webhook: Webhook;
  readonly failingSince: Timestamp | null;
  readonly nextAttemptAt: Timestamp | null;
  readonly lastDeliveryAt: Timestamp | null;
  readonly lastSuccessAt: Timestamp | null;
  /** At most `MAX_WAITING`. */
  readonly waiting: number;
  readonly oldestWaitingAt: Timestamp | null;
  /** Events that were parked. */
  readonly parked: number;
  readonly gap: WebhookStanding['gap'];
}

export interface OwnedWebhook {
  readonly clientId: string;
  readonly webhookId: string;
}

/** Throws `not_found`. */
export async function findWebhook(
  { webhooks, webhookStandings }: FindWebhookDeps,
  { clientId, webhookId }: OwnedWebhook,
): Promise<{ readonly webhook: Webhook; readonly standing: WebhookStanding | undefined }> {
  const webhook = await webhooks.find(clientId, webhookId);
  if (webhook === undefined) throw unknownWebhook(webhookId);
  const [standing] = await webhookStandings.find([webhookId]);
  return { webhook, standing };
}

/** Of one client, in their order. Throws `rate_limited` where too many are counted at the same time. */
export async function showWebhooks(
  deps: ShowWebhookDeps,
  clientId: string,
  webhooks: readonly Webhook[],
): Promise<readonly WebhookView[]> {
  const stored = await deps.webhookStandings.find(webhooks.map(({ webhookId }) => webhookId));
  const standings = new Map(stored.map((standing) => [standing.webhookId, standing]));
  const known = webhooks.map((webhook) => ({ webhook, standing: standings.get(webhook.webhookId) }));
  const waiting = await deps.counts.run(() => countWaiting(deps, clientId, known));
  if (waiting === 'busy') {
    throw new AppError('rate_limited', 'Too many webhooks are read. Retry after the seconds in Retry-After.', {
      details: { retryAfterS: 1 },
    });
  }
  const parked = await Promise.all(webhooks.map(({ webhookId }) => deps.deadDeliveries.count(webhookId)));
  return known.map((each, n) => {
    const { count = 0, oldestAt = null } = waiting[n] ?? {};
    return viewOf(each, { waiting: count, oldestWaitingAt: oldestAt, parked: parked[n] ?? 0 });
  });
}

export function unknownWebhook(webhookId: string): AppError {
  return new AppError('not_found', `There is no webhook ${webhookId}.`);
}

function viewOf(
  { webhook, standing }: { readonly webhook: Webhook; readonly standing: WebhookStanding | undefined },
  counts: Pick<WebhookView, 'waiting' | 'oldestWaitingAt' | 'parked'>,
): WebhookView {
  const { status, statusReason, failingSinceMs, nextAttemptMs } = webhookStatus(webhook, standing);
  return {
    webhook,
    status,
    statusReason,
    failingSince: timestampOf(failingSinceMs),
    nextAttemptAt: timestampOf(nextAttemptMs),
    lastDeliveryAt: standing?.lastDeliveryAt ?? null,
    lastSuccessAt: timestampOf(standing?.health.lastSuccessMs ?? null),
    ...counts,
    gap: standing?.gap ?? null,
  };
}

function timestampOf(ms: number | null): Timestamp | null {
  return ms === null ? null : toTimestamp(new Date(ms));
}
