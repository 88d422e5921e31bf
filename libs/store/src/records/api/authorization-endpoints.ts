import type { Records } from '@busbar/domain';
import type { AuthorizationEndpoint } from '@busbar/domain/real-time-authorization';
import { and, eq, gt, type Document, type Store } from '../../port';
import { collections } from '../collections';

/** The APIs write the settings, services/push the status: each leaves the other's fields as they are. */
export function authorizationEndpointRecords(store: Store): Records['authorizationEndpoints'] {
  const endpoints = store.collection(collections.authorizationEndpoints);
  return {
    async find(clientId) {
      const found = await endpoints.get(clientId);
      return found && toEndpoint(found);
    },
    async listAfter(clientId, limit) {
      const found = await endpoints.find(gt('_id', clientId ?? ''), { sort: [['_id', 1]], limit });
      return found.map(toEndpoint);
    },
    async insert(endpoint) {
      return (await endpoints.insert({ _id: endpoint.clientId, ...endpoint })).inserted;
    },
    async replace(endpoint, revision) {
      const filter = and(eq('_id', endpoint.clientId), eq('revision', revision));
      return (await endpoints.update(filter, { set: settingsOf(endpoint) })) === 1;
    },
    async delete(clientId) {
      return (await endpoints.delete(eq('_id', clientId))) === 1;
    },
    async saveStatus({ clientId, endpointId }, status) {
      await endpoints.update(and(eq('_id', clientId), eq('endpointId', endpointId)), {
        set: { status: { ...status } },
      });
    },
  };
}

function toEndpoint(stored: AuthorizationEndpoint & Document): AuthorizationEndpoint {
  return { ...settingsOf(stored), status: stored.status };
}

function settingsOf(endpoint: AuthorizationEndpoint): Omit<AuthorizationEndpoint, 'status'> {
  const { clientId, endpointId, secret, authorization, createdAt, updatedAt, revision, ...rest } = endpoint;
  const { url, format, timeoutS, onFailure, cacheS, siteIds, enabled } = rest;
  const terms = { url, format, timeoutS, onFailure, cacheS, siteIds, enabled };
  return { clientId, endpointId, secret, authorization, createdAt, updatedAt, revision, ...terms };
}
