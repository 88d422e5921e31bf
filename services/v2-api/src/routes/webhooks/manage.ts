import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  findWebhook,
  showWebhooks,
  webhookVersion,
  type ShowWebhookDeps,
  type Webhook,
} from '@busbar/domain/webhooks';
import { pageOf, pageQuerySchema } from '@busbar/http';
import { presentWebhook } from '../../presenters/present-webhook';
import { route, versionedRoute } from '../../route';
import {
  deletedWebhookSchema,
  newWebhookSchema,
  webhookChangeSchema,
  webhookInputSchema,
  webhookListSchema,
  webhookParamsSchema,
  webhookSchema,
} from '../../schemas/webhook';
import { TAG, type WebhookRouteDeps } from './deps';

const path = '/webhooks/:webhookId';
const INPUT_ERRORS = ['invalid_webhook_url', 'invalid_charger_id', 'forbidden', 'cursor_expired', 'conflict'] as const;

export const createWebhookRoute = (deps: WebhookRouteDeps) =>
  versionedRoute({
    method: 'POST',
    path: '/webhooks',
    tag: TAG,
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description: [
      'Events of the feed are posted to its URL, from `startAt` on; what the requests look like is in the section `webhooks` of this document and in',
      'docs/events.md. Only this response contains the signing secret. The key needs the permission of each of its types. A client has at most',
      '16 webhooks (409). 503 `unavailable` where the operator has configured no key for secrets.',
    ].join(' '),
    permission: 'webhooks:write',
    body: webhookInputSchema,
    revealsSecret: true,
    response: newWebhookSchema,
    errors: [...INPUT_ERRORS],
    async handler({ auth, body }) {
      const { webhook, secret } = await createWebhook(deps, auth, body);
      return { body: { ...(await shown(deps, webhook)), secret }, version: webhookVersion(webhook) };
    },
  });

export const listWebhooksRoute = (deps: WebhookRouteDeps) =>
  route({
    method: 'GET',
    path: '/webhooks',
    tag: TAG,
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    permission: 'webhooks:read',
    query: pageQuerySchema(['createdAt', 'description'], 'createdAt, oldest first', 'a part of the description'),
    response: webhookListSchema,
    async handler({ auth: { clientId }, query }) {
      const views = await showWebhooks(deps, clientId, await deps.webhooks.listOf(clientId));
      const options = {
        sort: (webhook: ReturnType<typeof presentWebhook>, by: 'createdAt' | 'description') => webhook[by],
        searched: ({ description }: { readonly description: string }) => description,
      };
      return pageOf(views.map(presentWebhook), query, options);
    },
  });

export const readWebhookRoute = (deps: WebhookRouteDeps) =>
  versionedRoute({
    method: 'GET',
    path,
    tag: TAG,
    operationId: 'getWebhook',
    summary: 'Read a webhook',
    permission: 'webhooks:read',
    params: webhookParamsSchema,
    response: webhookSchema,
    errors: ['not_found'],
    async handler({ auth: { clientId }, params: { webhookId } }) {
      return versioned(deps, (await findWebhook(deps, { clientId, webhookId })).webhook);
    },
  });

export const updateWebhookRoute = (deps: WebhookRouteDeps) =>
  versionedRoute({
    method: 'PATCH',
    path,
    tag: TAG,
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description: [
      '`{"enabled": true}` enables one that was disabled: it continues where it stopped, and `gap` names what was deleted by age meanwhile;',
      'with `"startAt": "now"` it skips what waits. A change of what is sent, or where, needs the permission of each of its types.',
    ].join(' '),
    permission: 'webhooks:write',
    params: webhookParamsSchema,
    body: webhookChangeSchema,
    response: webhookSchema,
    errors: ['not_found', ...INPUT_ERRORS],
    async handler({ auth, params: { webhookId }, body, ifMatch }) {
      const { clientId } = auth;
      return versioned(deps, await changeWebhook(deps, auth, { clientId, webhookId, ifMatch }, body));
    },
  });

export const deleteWebhookRoute = (deps: WebhookRouteDeps) =>
  versionedRoute({
    method: 'DELETE',
    path,
    endsRecord: true,
    tag: TAG,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Deletes its log and its parked events too. Requests that are in flight end.',
    permission: 'webhooks:write',
    params: webhookParamsSchema,
    response: deletedWebhookSchema,
    errors: ['not_found'],
    async handler({ auth: { clientId }, params: { webhookId }, ifMatch }) {
      const webhook = await deleteWebhook(deps, { clientId, webhookId, ifMatch });
      return { body: { id: webhookId }, version: webhookVersion(webhook) };
    },
  });

async function versioned(deps: ShowWebhookDeps, webhook: Webhook) {
  return { body: await shown(deps, webhook), version: webhookVersion(webhook) };
}

async function shown(deps: ShowWebhookDeps, webhook: Webhook) {
  const [view] = await showWebhooks(deps, webhook.clientId, [webhook]);
  if (view === undefined) throw new Error('a webhook has no view');
  return presentWebhook(view);
}
