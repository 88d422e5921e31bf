import { inUtc } from '@busbar/domain';
import { findWebhook } from '@busbar/domain/webhooks';
import { listReply, pageWanted } from '@busbar/http';
import { presentDelivery, presentParked } from '../../presenters/present-webhook';
import { route } from '../../route';
import {
  deliveryPageSchema,
  deliveryQuerySchema,
  parkedPageSchema,
  parkedQuerySchema,
} from '../../schemas/webhook-delivery';
import { webhookParamsSchema } from '../../schemas/webhook';
import { TAG, type WebhookRouteDeps } from './deps';

export const listDeliveriesRoute = (deps: WebhookRouteDeps) =>
  route({
    method: 'GET',
    path: '/webhooks/:webhookId/deliveries',
    tag: TAG,
    operationId: 'listDeliveries',
    summary: 'List delivery attempts',
    description: [
      'Attempts are kept for three days unless the operator configured another time. They are written after the delivery: the last ones before a',
      'process was killed may be missing.',
    ].join(' '),
    permission: 'webhooks:read',
    params: webhookParamsSchema,
    query: deliveryQuerySchema,
    response: deliveryPageSchema,
    errors: ['invalid_charger_id', 'not_found'],
    async handler({ auth: { clientId }, params: { webhookId }, query }) {
      await findWebhook(deps, { clientId, webhookId });
      const page = pageWanted(query, { sortKey: 'at', sortDescending: true });
      const { outcome, eventId, chargerId } = query;
      const filter = { outcome, eventId, chargerId, from: inUtc(query.from), to: inUtc(query.to) };
      const { items, total } = await deps.deliveryLog.list(webhookId, filter, page);
      return listReply(page, { items: items.map(presentDelivery), total });
    },
  });

export const listParkedEventsRoute = (deps: WebhookRouteDeps) =>
  route({
    method: 'GET',
    path: '/webhooks/:webhookId/parked',
    tag: TAG,
    operationId: 'listParkedEvents',
    summary: 'List parked events',
    description: [
      'An event is parked after its sixth refused attempt, and the deliveries of its charger continue. The newest 10,000 of a webhook are kept,',
      'for 30 days. `POST /v2/webhooks/{webhookId}/redeliver` sends them again.',
    ].join(' '),
    permission: 'webhooks:read',
    params: webhookParamsSchema,
    query: parkedQuerySchema,
    response: parkedPageSchema,
    errors: ['not_found'],
    async handler({ auth: { clientId }, params: { webhookId }, query }) {
      await findWebhook(deps, { clientId, webhookId });
      const page = pageWanted(query, { sortKey: 'parkedAt', sortDescending: true });
      const { items, total } = await deps.deadDeliveries.list(webhookId, page);
      return listReply(page, { items: items.map(presentParked), total });
    },
  });
