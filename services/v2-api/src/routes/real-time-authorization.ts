import { rfidTagSchema, chargerIdSchema } from '@busbar/api';
import type { ChargerReader } from '@busbar/domain/chargers';
import {
  deleteAuthorizationEndpoint,
  putAuthorizationEndpoint,
  readAuthorizationEndpoint,
  testAuthorizationEndpoint,
  type AuthorizationEndpoint,
  type AuthorizationLink,
  type ManageEndpointDeps,
} from '@busbar/domain/real-time-authorization';
import { route } from '../route';
import {
  authorizationEndpointInputSchema,
  authorizationEndpointSchema,
  authorizationTestSchema,
  deletedEndpointSchema,
  newAuthorizationEndpointSchema,
} from '../schemas/real-time-authorization';
import { recordSchema } from '../schemas/values';

interface Deps extends ManageEndpointDeps {
  readonly authorizationLink: AuthorizationLink;
  readonly chargers: Pick<ChargerReader, 'findOwned'>;
}

const PATH = '/real-time-authorization';
const TAG = 'Real-time authorization';

export const setRealTimeAuthorizationRoute = (deps: Deps) =>
  route({
    method: 'PUT',
    path: PATH,
    tag: TAG,
    operationId: 'setRealTimeAuthorization',
    summary: 'Set the endpoint for real-time authorization',
    description: [
      'The endpoint is asked whether a tag may charge that this client has not created.',
      'The request replaces all settings: send `authorization` each time. Only the response to the first one contains the secret;',
      'for another secret delete the endpoint and set it again.',
    ].join(' '),
    permission: 'webhooks:write',
    body: authorizationEndpointInputSchema,
    revealsSecret: true,
    response: newAuthorizationEndpointSchema,
    errors: ['invalid_webhook_url', 'conflict'],
    async handler({ auth, body }) {
      const { endpoint, secret } = await putAuthorizationEndpoint(deps, auth.clientId, body);
      return { ...presentEndpoint(endpoint), secret };
    },
  });

export const readRealTimeAuthorizationRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: PATH,
    tag: TAG,
    operationId: 'getRealTimeAuthorization',
    summary: 'Read the endpoint for real-time authorization',
    description: 'With what became of the last requests to it, at most a second old. Secrets are never shown again.',
    permission: 'webhooks:read',
    response: authorizationEndpointSchema,
    errors: ['not_found'],
    handler: async ({ auth }) => presentEndpoint(await readAuthorizationEndpoint(deps, auth.clientId)),
  });

export const deleteRealTimeAuthorizationRoute = (deps: Deps) =>
  route({
    method: 'DELETE',
    path: PATH,
    tag: TAG,
    operationId: 'deleteRealTimeAuthorization',
    summary: 'Delete the endpoint for real-time authorization',
    description: "From then on tags are judged by this client's own, and by open charging.",
    permission: 'webhooks:write',
    response: deletedEndpointSchema,
    errors: ['not_found'],
    async handler({ auth }) {
      await deleteAuthorizationEndpoint(deps, auth.clientId);
      return { deleted: true };
    },
  });

export const testRealTimeAuthorizationRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: `${PATH}/test`,
    tag: TAG,
    operationId: 'testRealTimeAuthorization',
    summary: 'Ask the endpoint for real-time authorization',
    description: [
      'Asks it now about a tag, also where it is disabled, keeps failing, or is for other sites, and whether or not the tag was created.',
      'Nothing is remembered of the verdict.',
    ].join(' '),
    permission: 'webhooks:write',
    body: {
      ...recordSchema('AuthorizationTestInput', 'The charger and the tag to ask about.', {
        chargerId: chargerIdSchema,
        rfidTag: rfidTagSchema,
      }),
      examples: [{ chargerId: 'ACME_1', rfidTag: '04E91C5A123B80' }],
    },
    response: authorizationTestSchema,
    errors: ['not_found'],
    async handler({ auth: { clientId }, body: { chargerId, rfidTag } }) {
      const answer = await testAuthorizationEndpoint(deps, { clientId, chargerId }, rfidTag);
      const { outcome, verdict, tookMs } = answer;
      const given = outcome === 'judged' ? answer : { parentIdTag: undefined, expiresAt: undefined, validForMs: 0 };
      return {
        allowed: verdict === 'accepted',
        verdict,
        source: outcome === 'judged' ? ('endpoint' as const) : ('fallback' as const),
        tookMs,
        error: outcome === 'failed' ? answer.error : null,
        parentIdTag: given.parentIdTag ?? null,
        expiresAt: given.expiresAt ?? null,
        validForS: given.validForMs / 1_000,
      };
    },
  });

function presentEndpoint(endpoint: AuthorizationEndpoint) {
  const { url, format, timeoutS, onFailure, cacheS, siteIds, enabled, createdAt, updatedAt, status } = endpoint;
  return { url, format, timeoutS, onFailure, cacheS, siteIds, enabled, ...status, createdAt, updatedAt };
}
