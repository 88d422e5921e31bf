import type { Records } from '../records';
import type { AuthorizationEndpoint } from '../real-time-authorization/authorization-endpoint';

/** The endpoints of a test in memory, by their client, as a store has them. */
export function storedAuthorizationEndpoints(
  ...endpoints: readonly AuthorizationEndpoint[]
): Records['authorizationEndpoints'] & { readonly all: Map<string, AuthorizationEndpoint> } {
  const all = new Map(endpoints.map((endpoint) => [endpoint.clientId, endpoint]));
  return {
    all,
    find: (clientId) => Promise.resolve(all.get(clientId)),
    listAfter: (after = '', limit) => {
      const later = [...all.values()].filter(({ clientId }) => clientId > after);
      return Promise.resolve(later.sort((a, b) => (a.clientId < b.clientId ? -1 : 1)).slice(0, limit));
    },
    insert: (endpoint) => {
      if (all.has(endpoint.clientId)) return Promise.resolve(false);
      all.set(endpoint.clientId, endpoint);
      return Promise.resolve(true);
    },
    replace: (endpoint, revision) => {
      const stored = all.get(endpoint.clientId);
      if (stored?.revision !== revision) return Promise.resolve(false);
      all.set(endpoint.clientId, { ...endpoint, status: stored.status });
      return Promise.resolve(true);
    },
    delete: (clientId) => Promise.resolve(all.delete(clientId)),
    saveStatus: ({ clientId, endpointId }, status) => {
      const stored = all.get(clientId);
      if (stored?.endpointId === endpointId) all.set(clientId, { ...stored, status });
      return Promise.resolve();
    },
  };
}
