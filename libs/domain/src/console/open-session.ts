import type { Clock } from '@busbar/core';
import { isUsable, type ApiKey, type ApiKeyReader, type ApiKeyWriter } from '../clients/api-key';
import { touchKey } from '../clients/authenticate';
import { toTimestamp } from '../timestamp';
import { hashToken, isOpen, TOUCH_EVERY_MS, type ConsoleSession, type ConsoleSessions } from './console-session';

export interface OpenSessionDeps {
  readonly apiKeys: Pick<ApiKeyReader, 'find'> & Pick<ApiKeyWriter, 'touch'>;
  readonly consoleSessions: Pick<ConsoleSessions, 'find' | 'touch'>;
  readonly clock: Clock;
}

export interface OpenSession {
  readonly session: ConsoleSession;
  readonly key: ApiKey;
}

/** The session of a token and its key, both read anew. Undefined when the session has ended or its key is not valid any more. */
export async function findOpenSession(
  { apiKeys, consoleSessions, clock }: OpenSessionDeps,
  token: string,
): Promise<OpenSession | undefined> {
  const session = await consoleSessions.find(hashToken(token));
  const now = clock.now();
  if (session === undefined || !isOpen(session, now)) return undefined;
  const key = await apiKeys.find(session.keyId);
  return key !== undefined && isUsable(key, toTimestamp(now)) ? { session, key } : undefined;
}

/** Records that the session was used, and its key. Never rejects: a store that cannot write still serves reads. */
export async function recordUse(deps: OpenSessionDeps, { session, key }: OpenSession): Promise<void> {
  const { consoleSessions, clock } = deps;
  const now = clock.now();
  if (now.getTime() - Date.parse(session.lastUsedAt) >= TOUCH_EVERY_MS) {
    await consoleSessions.touch(session.hash, toTimestamp(now)).catch(() => undefined);
  }
  await touchKey(deps, key);
}
