import { authenticate, type ApiKey, type AuthenticateDeps, type Permission } from '@busbar/domain/clients';
import type { Access, Credentials } from '@busbar/http';

/** An API key as a caller sends it. */
export interface PresentedKey {
  readonly secret: string;
  /** Where the caller names the client that the key must belong to. */
  readonly clientId?: string;
}

export interface ApiAccessOptions {
  /** Undefined where a request has no credentials, or malformed ones. */
  readonly presentedIn: (credentials: Credentials) => PresentedKey | undefined;
  readonly challenge: string;
  readonly unauthenticatedMessage: string;
}

/** Access by API keys, which each API reads from another part of the request. */
export function apiAccess(deps: AuthenticateDeps, { presentedIn, ...texts }: ApiAccessOptions): Access<ApiKey> {
  return {
    ...texts,
    shownIn(credentials) {
      const presented = presentedIn(credentials);
      return presented && `${presented.clientId ?? ''}\n${presented.secret}`;
    },
    async authenticate(credentials) {
      const presented = presentedIn(credentials);
      return presented && authenticate(deps, presented.secret, presented.clientId);
    },
    permits: (key, permission) => key.permissions.includes(permission as Permission),
    callerOf: ({ keyId, clientId }) => ({ key: keyId, client: clientId }),
    logFieldsOf: ({ clientId, keyId }) => ({ clientId, keyId }),
  };
}
