import { inUtc } from '@busbar/domain';
import { redeliverEvents, replayWebhook, rotateWebhookSecret, testWebhook } from '@busbar/domain/webhooks';
import { route } from '../../route';
import {
  redeliveredSchema,
  redeliverSchema,
  replayedSchema,
  replaySchema,
  rotateSecretSchema,
  testWebhookSchema,
  webhookSecretSchema,
  webhookTestSchema,
} from '../../schemas/webhook-delivery';
import { webhookParamsSchema } from '../../schemas/webhook';
import { TAG, type WebhookRouteDeps } from './deps';

const DEFAULT_GRACE_S = 86_400;

export const rotateSecretRoute = (deps: WebhookRouteDeps) =>
  route({
    method: 'POST',
    path: '/webhooks/:webhookId/secret',
    tag: TAG,
    operationId: 'rotateWebhookSecret',
    summary: 'Give a webhook a new signing secret',
    description: [
      'Requests are signed with the new secret and, for `graceS` seconds, with the one before it too: accept both, then only the new one.',
      'At most two sign at a time: a third takes the place of the oldest. Only this response contains the secret.',
    ].join(' '),
    permission: 'webhooks:write',
    params: webhookParamsSchema,
    body: rotateSecretSchema,
    revealsSecret: true,
    response: webhookSecretSchema,
    errors: ['not_found', 'conflict'],
    async handler({ auth: { clientId }, params: { webhookId }, body: { graceS = DEFAULT_GRACE_S } }) {
      return { secret: await rotateWebhookSecret(deps, { clientId, webhookId }, graceS) };
    },
  });

export const testWebhookRoute = (deps: WebhookRouteDeps) =>
  route({
    method: 'POST',
    path: '/webhooks/:webhookId/test',
    tag: TAG,
    operationId: 'testWebhook',
    summary: 'Send a test event now',
    description:
      'Sends one event `webhook.test`, without waiting for others, and responds with its outcome within 20 seconds.',
    permission: 'webhooks:write',
    params: webhookParamsSchema,
    body: testWebhookSchema,
    response: webhookTestSchema,
    errors: ['not_found', 'webhook_disabled'],
    waits: true,
    handler: ({ auth: { clientId }, params: { webhookId } }) => testWebhook(deps, { clientId, webhookId }),
  });

export const redeliverRoute = (deps: WebhookRouteDeps) =>
  route({
    method: 'POST',
    path: '/webhooks/:webhookId/redeliver',
    tag: TAG,
    operationId: 'redeliverEvents',
    summary: 'Send events again',
    description:
      'Sends them as they were, with the same `webhook-id`, without waiting for others. A parked event that succeeds leaves the list.',
    permission: 'webhooks:write',
    params: webhookParamsSchema,
    body: redeliverSchema,
    response: redeliveredSchema,
    errors: ['not_found', 'webhook_disabled'],
    waits: true,
    async handler({ auth: { clientId }, params: { webhookId }, body: { eventIds } }) {
      return { accepted: await redeliverEvents(deps, { clientId, webhookId }, eventIds) };
    },
  });

export const replayRoute = (deps: WebhookRouteDeps) =>
  route({
    method: 'POST',
    path: '/webhooks/:webhookId/replay',
    tag: TAG,
    operationId: 'replayWebhook',
    summary: 'Deliver a part of the feed again',
    description:
      'All deliveries begin there again, in order. With `to`, events after it that were delivered are left out.',
    permission: 'webhooks:write',
    params: webhookParamsSchema,
    body: replaySchema,
    response: replayedSchema,
    errors: ['not_found', 'webhook_disabled', 'cursor_expired', 'conflict'],
    async handler({ auth: { clientId }, params: { webhookId }, body: { after, to } }) {
      return { from: await replayWebhook(deps, { clientId, webhookId }, { after, to: inUtc(to) }) };
    },
  });
