import type { Metrics } from '@busbar/runtime';
import type { WebhookRunner } from './ownership/webhook-runner';

/** The metrics of a push process. No label names a webhook or a client. */
export function createPushMetrics(metrics: Metrics) {
  return {
    attempts: metrics.counter({
      name: 'busbar_push_attempts_total',
      help: 'Attempts to deliver an event to a webhook, by outcome: delivered, refused (this event), failed (the webhook).',
      labels: ['outcome'],
      initial: [{ outcome: 'delivered' }, { outcome: 'refused' }, { outcome: 'failed' }],
    }),
    parked: metrics.counter({
      name: 'busbar_push_parked_total',
      help: 'Events that were parked after their last attempt.',
    }),
    droppedLog: metrics.counter({
      name: 'busbar_push_dropped_attempts_total',
      help: 'Attempts that are missing in the log of deliveries, because the store was too slow or unavailable.',
    }),
    webhooks: metrics.gauge({
      name: 'busbar_push_webhooks',
      help: 'Webhooks that this process delivers to, by status: active, failing, disabled.',
      labels: ['status'],
    }),
    waiting: metrics.gauge({
      name: 'busbar_push_waiting_events',
      help: 'About how many events wait for the webhooks of this process, without those of disabled ones.',
    }),
  };
}

export type PushMetrics = ReturnType<typeof createPushMetrics>;

const STATUSES = ['active', 'failing', 'disabled'] as const;

/** Sets the gauges. */
export function measureRunners({ webhooks, waiting }: PushMetrics, runners: Iterable<WebhookRunner>): void {
  const all = [...runners];
  for (const status of STATUSES) webhooks.set({ status }, all.filter((each) => each.status() === status).length);
  waiting.set({}, waitingFor(all));
}

/** About how many events wait for the webhooks, without those of disabled ones. */
export function waitingFor(runners: Iterable<Pick<WebhookRunner, 'status' | 'waiting'>>): number {
  return [...runners].reduce((sum, each) => sum + (each.status() === 'disabled' ? 0 : each.waiting()), 0);
}
