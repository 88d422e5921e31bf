// All routes of webhooks. They share the limit of counts of waiting events.
import { createConcurrencyLimiter } from '@busbar/core';
import type { ApiKey } from '@busbar/domain/clients';
import type { Route } from '@busbar/http';
import {
  createWebhookRoute,
  deleteWebhookRoute,
  listWebhooksRoute,
  readWebhookRoute,
  updateWebhookRoute,
} from './manage';
import { listDeliveriesRoute, listParkedEventsRoute } from './deliveries';
import { redeliverRoute, replayRoute, rotateSecretRoute, testWebhookRoute } from './actions';
import type { WebhookRouteDeps } from './deps';

/** Each count reads up to 200 pages of the feed. */
const COUNTS = { concurrency: 2, maxQueue: 50 };

export function webhookRoutes(deps: Omit<WebhookRouteDeps, 'counts'>): Route<ApiKey>[] {
  const all = { ...deps, counts: createConcurrencyLimiter(COUNTS) };
  return [
    createWebhookRoute(all),
    listWebhooksRoute(all),
    readWebhookRoute(all),
    updateWebhookRoute(all),
    deleteWebhookRoute(all),
    rotateSecretRoute(all),
    testWebhookRoute(all),
    listDeliveriesRoute(all),
    listParkedEventsRoute(all),
    redeliverRoute(all),
    replayRoute(all),
  ];
}
