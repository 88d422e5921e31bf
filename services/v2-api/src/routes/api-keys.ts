import type { Clock } from '@busbar/core';
import { inUtc } from '@busbar/domain';
import { grantApiKey, revokeApiKey, type ApiKeyReader, type ApiKeyWriter } from '@busbar/domain/clients';
import { pageOf, pageQuerySchema, pageSchema } from '@busbar/http';
import { presentApiKey } from '../presenters/present-api-key';
import { route } from '../route';
import { apiKeyInputSchema, apiKeySchema, keyIdSchema, newApiKeySchema } from '../schemas/api-key';
import { paramsSchema, recordSchema } from '../schemas/values';

interface Deps {
  readonly apiKeys: ApiKeyReader & ApiKeyWriter;
  readonly clock: Clock;
}

export const createApiKeyRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/api-keys',
    tag: 'API keys',
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'Only this response contains the secret. The new key can have only permissions of the calling key, and cannot expire later.',
    permission: 'keys:write',
    body: apiKeyInputSchema,
    revealsSecret: true,
    response: newApiKeySchema,
    errors: ['conflict', 'forbidden'],
    async handler({ auth, body }) {
      const expiresAt = inUtc(body.expiresAt ?? null);
      const { key, secret } = await grantApiKey(deps, auth, { ...body, expiresAt });
      return { ...presentApiKey(key), key: secret };
    },
  });

export const listApiKeysRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api-keys',
    tag: 'API keys',
    operationId: 'listApiKeys',
    summary: 'List API keys',
    description: 'Revoked keys are not listed.',
    permission: 'keys:read',
    query: pageQuerySchema(['name', 'createdAt'], 'createdAt, oldest first', 'a part of the name'),
    response: pageSchema('ApiKeyPage', apiKeySchema),
    async handler({ auth, query }) {
      const keys = (await deps.apiKeys.list(auth.clientId)).map(presentApiKey);
      return pageOf(keys, query, { sort: (key, by) => key[by], searched: (key) => key.name });
    },
  });

export const revokeApiKeyRoute = (deps: Deps) =>
  route({
    method: 'DELETE',
    path: '/api-keys/:keyId',
    tag: 'API keys',
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'Requests with it get 401 within a second. Revoked keys cannot be restored.',
    permission: 'keys:write',
    params: paramsSchema({ keyId: keyIdSchema }),
    response: recordSchema('RevokedApiKey', 'The id of the revoked key.', { id: apiKeySchema.properties.id }),
    errors: ['not_found'],
    async handler({ auth, params: { keyId } }) {
      await revokeApiKey(deps, { clientId: auth.clientId, keyId });
      return { id: keyId };
    },
  });
