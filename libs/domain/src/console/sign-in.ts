import { randomToken, type Clock } from '@busbar/core';
import { isUsable, OPERATOR, type ApiKey, type ApiKeyReader } from '../clients/api-key';
import { authenticate, type AuthenticateDeps } from '../clients/authenticate';
import { toTimestamp } from '../timestamp';
import {
  hashToken,
  MAX_AGE_MS,
  MAX_SESSIONS_PER_KEY,
  type ConsoleSession,
  type ConsoleSessions,
  type SignInCodes,
} from './console-session';

const TOKEN_BYTES = 32;
export const CODE_MINUTES = 10;
/** Each start of the one-process mode makes one. */
const MAX_CODES = 20;

export interface SignInDeps extends AuthenticateDeps {
  readonly consoleSessions: Pick<ConsoleSessions, 'insert'>;
  readonly signInCodes: SignInCodes;
}

export interface SignedIn {
  /** For the cookie; nothing else has it. */
  readonly token: string;
  readonly session: ConsoleSession;
  readonly key: ApiKey;
}

/** Undefined for a wrong, expired, revoked or another client's key. */
export async function signInWithKey(
  deps: SignInDeps,
  { clientId, apiKey }: { readonly clientId: string; readonly apiKey: string },
): Promise<SignedIn | undefined> {
  const key = await authenticate(deps, apiKey, clientId);
  return key && beginSession(deps, key);
}

/** Undefined for a code that is unknown, used or expired, or whose key is no longer valid. A code is used up in any case. */
export async function signInWithCode(deps: SignInDeps, code: string): Promise<SignedIn | undefined> {
  const found = await deps.signInCodes.take(hashToken(code));
  const now = toTimestamp(deps.clock.now());
  if (found === undefined || found.expiresAt <= now) return undefined;
  const key = await deps.apiKeys.find(found.keyId);
  return key !== undefined && isUsable(key, now) ? beginSession(deps, key) : undefined;
}

/** A code for `signInWithCode`, valid for `CODE_MINUTES`. It is returned here and stored nowhere. */
export async function createSignInCode(
  { signInCodes, clock }: { readonly signInCodes: Pick<SignInCodes, 'insert'>; readonly clock: Clock },
  keyId: string,
): Promise<string> {
  const code = randomToken(TOKEN_BYTES);
  const now = clock.now();
  const expiresAt = toTimestamp(new Date(now.getTime() + CODE_MINUTES * 60_000));
  await signInCodes.insert({ hash: hashToken(code), keyId, createdAt: toTimestamp(now), expiresAt }, MAX_CODES);
  return code;
}

/**
 * The key for a client's sign-in link: the oldest valid one with the most permissions, but no operator's. Undefined where there is
 * none.
 */
export async function keyForLink(
  { apiKeys, clock }: { readonly apiKeys: Pick<ApiKeyReader, 'list'>; readonly clock: Clock },
  clientId: string,
): Promise<ApiKey | undefined> {
  const now = toTimestamp(clock.now());
  const keys = await apiKeys.list(clientId);
  const usable = keys.filter((key) => isUsable(key, now) && !key.permissions.includes(OPERATOR));
  return usable.toSorted((a, b) => b.permissions.length - a.permissions.length)[0];
}

/** Always a new token: a cookie from before the sign-in never becomes a session. */
async function beginSession({ consoleSessions, clock }: SignInDeps, key: ApiKey): Promise<SignedIn> {
  const token = randomToken(TOKEN_BYTES);
  const now = clock.now();
  const at = toTimestamp(now);
  const expiresAt = toTimestamp(new Date(now.getTime() + MAX_AGE_MS));
  const session = { hash: hashToken(token), keyId: key.keyId, createdAt: at, lastUsedAt: at, expiresAt };
  await consoleSessions.insert(session, MAX_SESSIONS_PER_KEY);
  return { token, session, key };
}
