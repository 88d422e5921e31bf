// Callers of the v2 API send an API key. The web console sends the cookie of its session instead.
import { apiAccess, type PresentedKey } from '@busbar/api';
import { AppError, type Clock } from '@busbar/core';
import type { ApiKey, ApiKeyReader, ApiKeyWriter } from '@busbar/domain/clients';
import { findOpenSession, recordUse, type OpenSessionDeps } from '@busbar/domain/console';
import type { Access, Credentials } from '@busbar/http';
import { isOwnRequest, isUse, tokenIn } from './console/cookie';

/** A key may contain spaces, except at its ends. */
const BEARER = /^Bearer +([\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?)$/i;
const BEARER_SCHEME = /^Bearer\b/i;

/** Callers send their API key as `x-api-key` or `Authorization: Bearer`. */
export function presentedIn({ headers }: Pick<Credentials, 'headers'>): PresentedKey | undefined {
  const own = headers['x-api-key'];
  if (typeof own === 'string' && own !== '') return { secret: own };
  const secret = BEARER.exec(headers.authorization ?? '')?.[1];
  return secret === undefined ? undefined : { secret };
}

/** What only the caller has: its key, or the token of its session. */
export function secretOf(credentials: Credentials): string {
  return presentedIn(credentials)?.secret ?? sessionToken(credentials) ?? '';
}

export type AccessDeps = OpenSessionDeps & {
  readonly apiKeys: ApiKeyReader & ApiKeyWriter;
  readonly clock: Clock;
  /** False: the cookie counts for nothing. */
  readonly hasConsole: boolean;
};

/** Access by API key, else by the cookie. A session has the permissions of its key, read anew for each request. */
export function v2Access(deps: AccessDeps): Access<ApiKey> {
  const byKey = apiAccess(deps, {
    presentedIn,
    challenge: 'Bearer realm="busbar"',
    unauthenticatedMessage:
      'The API key is missing or invalid. Send it in the header x-api-key, or as Authorization: Bearer.',
  });
  if (!deps.hasConsole) return byKey;

  async function bySession(credentials: Credentials, token: string, mayBeUse: boolean): Promise<ApiKey | undefined> {
    const open = await findOpenSession(deps, token);
    if (open === undefined) return undefined;
    // Before the use is recorded: another site must not keep a session open.
    refuseOthers(credentials);
    if (mayBeUse && isUse(credentials)) await recordUse(deps, open);
    return open.key;
  }

  return {
    ...byKey,
    shownIn(credentials) {
      const token = sessionToken(credentials);
      return token === undefined ? byKey.shownIn(credentials) : `console\n${token}`;
    },
    authenticate(credentials) {
      const token = sessionToken(credentials);
      return token === undefined ? byKey.authenticate(credentials) : bySession(credentials, token, true);
    },
    readmit(credentials) {
      const token = sessionToken(credentials);
      return token === undefined ? byKey.authenticate(credentials) : bySession(credentials, token, false);
    },
  };
}

/** The token of the cookie, where no API key is sent: a key counts, also a wrong one. */
function sessionToken({ headers }: Pick<Credentials, 'headers'>): string | undefined {
  const sendsKey = (headers['x-api-key'] ?? '') !== '' || BEARER_SCHEME.test(headers.authorization ?? '');
  return sendsKey ? undefined : tokenIn(headers);
}

/** Throws `forbidden`. */
export function refuseOthers(request: Parameters<typeof isOwnRequest>[0]): void {
  if (isOwnRequest(request)) return;
  throw new AppError(
    'forbidden',
    'The cookie of the console is only for its own pages: Sec-Fetch-Site: same-origin, and x-busbar-console: 1 with changes. Programs send an API key.',
  );
}
