import type { IncomingHttpHeaders } from 'node:http';
import { authenticate, type ApiKey, type AuthenticateDeps, type Permission } from '@busbar/domain/clients';
import type { Access } from '@busbar/http';

/** A key may hold spaces inside. */
const BEARER = /^Bearer +([\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?)$/i;

/** Callers show their API key as `x-api-key` or `Authorization: Bearer`. */
export function v2Access(deps: AuthenticateDeps): Access<ApiKey> {
  return {
    shownIn: ({ headers }) => secretFrom(headers),
    async authenticate({ headers }) {
      const secret = secretFrom(headers);
      return secret === undefined ? undefined : authenticate(deps, secret);
    },
    permits: (key, permission) => key.permissions.includes(permission as Permission),
    callerOf: ({ keyId, clientId }) => ({ key: keyId, client: clientId }),
    logFieldsOf: ({ clientId, keyId }) => ({ clientId, keyId }),
    challenge: 'Bearer realm="busbar"',
    unauthenticatedMessage: 'Send a valid API key in the header x-api-key, or as Authorization: Bearer.',
  };
}

/** The secret that a caller shows, of a key or not. */
export function secretFrom(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-api-key'];
  if (typeof own === 'string' && own !== '') return own;
  return BEARER.exec(headers.authorization ?? '')?.[1];
}
