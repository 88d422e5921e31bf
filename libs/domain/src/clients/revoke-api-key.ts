import { AppError, type Clock } from '@busbar/core';
import type { ApiKeyWriter } from './api-key';
import { toTimestamp } from '../timestamp';

/** Revokes a key: this process refuses it at once, others within a second. Throws `not_found` when the client has no such key or it is revoked already. */
export async function revokeApiKey(
  deps: { readonly apiKeys: ApiKeyWriter; readonly clock: Clock },
  owner: { readonly clientId: string; readonly keyId: string },
): Promise<void> {
  if (await deps.apiKeys.revoke(owner.clientId, owner.keyId, toTimestamp(deps.clock.now()))) return;
  throw new AppError('not_found', 'There is no such API key.');
}
