import { authenticate, type ApiKey, type AuthenticateDeps, type Permission } from '@busbar/domain';
import type { Access } from '@busbar/http';

/** Callers show their API key as the query parameter `code`, with the `clientId` that it belongs to, on every request. */
export function legacyAccess(deps: AuthenticateDeps): Access<ApiKey> {
  return {
    async authenticate({ query }) {
      const code = onlyOne(query, 'code');
      const clientId = onlyOne(query, 'clientId');
      return code === undefined || clientId === undefined ? undefined : authenticate(deps, code, clientId);
    },
    permits: (key, permission) => key.permissions.includes(permission as Permission),
    rateKeyOf: (key) => key.keyId,
    logFieldsOf: ({ clientId, keyId }) => ({ clientId, keyId }),
    challenge: 'ApiKey realm="busbar"',
    unauthenticatedMessage: 'Send a valid API key and its client id as the query parameters code and clientId.',
  };
}

/** Given twice, nobody knows which is meant. */
function onlyOne(query: URLSearchParams, name: string): string | undefined {
  const [first, ...more] = query.getAll(name);
  return first === undefined || first === '' || more.length > 0 ? undefined : first;
}
