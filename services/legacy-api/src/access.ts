import { authenticate, type ApiKey, type AuthenticateDeps, type Permission } from '@busbar/domain/clients';
import type { Access } from '@busbar/http';

/** Callers show their API key as the query parameter `code`, with the `clientId` that it belongs to, on every request. */
export function legacyAccess(deps: AuthenticateDeps): Access<ApiKey> {
  return {
    shownIn({ query }) {
      const shown = credentialsFrom(query);
      return shown && `${shown.clientId}\n${shown.code}`;
    },
    async authenticate({ query }) {
      const shown = credentialsFrom(query);
      return shown && authenticate(deps, shown.code, shown.clientId);
    },
    permits: (key, permission) => key.permissions.includes(permission as Permission),
    callerOf: ({ keyId, clientId }) => ({ key: keyId, client: clientId }),
    logFieldsOf: ({ clientId, keyId }) => ({ clientId, keyId }),
    challenge: 'ApiKey realm="busbar"',
    unauthenticatedMessage: 'Send a valid API key and its client id as the query parameters code and clientId.',
  };
}

function credentialsFrom(query: URLSearchParams): { readonly code: string; readonly clientId: string } | undefined {
  const code = onlyOne(query, 'code');
  const clientId = onlyOne(query, 'clientId');
  return code === undefined || clientId === undefined ? undefined : { code, clientId };
}

/** Given twice, nobody knows which is meant. */
function onlyOne(query: URLSearchParams, name: string): string | undefined {
  const [first, ...more] = query.getAll(name);
  return first === undefined || first === '' || more.length > 0 ? undefined : first;
}
