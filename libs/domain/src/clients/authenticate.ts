import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '@busbar/core';
import { hashApiKey, isUsable, type ApiKey, type ApiKeyReader, type ApiKeyWriter } from './api-key';
import { toTimestamp } from '../timestamp';

/** The precision of `lastUsedAt`: one write a minute and key, not one a request. */
const TOUCH_EVERY_MS = 60_000;

export interface AuthenticateDeps {
  readonly apiKeys: ApiKeyReader & ApiKeyWriter;
  readonly clock: Clock;
}

/**
 * The key with this secret. Undefined where there is none, it is expired, revoked or another client's. Found by hash
 * and compared in constant time.
 */
export async function authenticate(
  deps: AuthenticateDeps,
  secret: string,
  clientId?: string,
): Promise<ApiKey | undefined> {
  const hash = hashApiKey(secret);
  const key = await deps.apiKeys.findByHash(hash);
  if (key === undefined || !sameText(key.hash, hash)) return undefined;
  if (clientId !== undefined && !sameText(hashApiKey(key.clientId), hashApiKey(clientId))) return undefined;
  if (!isUsable(key, toTimestamp(deps.clock.now()))) return undefined;
  await touchKey(deps, key);
  return key;
}

/** Records a use of the key, at most once a minute. Never rejects. */
export async function touchKey(
  { apiKeys, clock }: { readonly apiKeys: Pick<ApiKeyWriter, 'touch'>; readonly clock: Clock },
  key: ApiKey,
): Promise<void> {
  const now = clock.now();
  if (key.lastUsedAt !== null && now.getTime() - Date.parse(key.lastUsedAt) < TOUCH_EVERY_MS) return;
  // A store that cannot write, such as one with a full disk, still serves reads.
  await apiKeys.touch(key, toTimestamp(now)).catch(() => undefined);
}

/** Both are hashes of one length. */
function sameText(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
