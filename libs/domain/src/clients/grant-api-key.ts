import { AppError, type Clock } from '@busbar/core';
import type { ApiKey, ApiKeyReader, ApiKeyWriter } from './api-key';
import { createApiKey, type CreateApiKeyInput } from './create-api-key';

/** Keys of one client that are not revoked. One for each program and person is far fewer. */
export const MAX_API_KEYS = 1000;

/**
 * A key made by means of another one, for the same client. Throws `forbidden` for a permission that the caller's key lacks
 * itself, or a later end than its own: nobody lifts himself up, or stays on, by making keys; `conflict` beyond `MAX_API_KEYS`; and what `createApiKey` throws.
 */
export async function grantApiKey(
  deps: { readonly apiKeys: Pick<ApiKeyReader, 'list'> & ApiKeyWriter; readonly clock: Clock },
  caller: ApiKey,
  input: Pick<CreateApiKeyInput, 'name' | 'permissions' | 'expiresAt'>,
): Promise<{ key: ApiKey; secret: string }> {
  const beyond = input.permissions.filter((permission) => !caller.permissions.includes(permission));
  if (beyond.length > 0) {
    throw new AppError('forbidden', `A key cannot grant what it lacks itself: ${beyond.join(', ')}.`);
  }
  refuseOutliving(caller, input);
  if ((await deps.apiKeys.list(caller.clientId)).length >= MAX_API_KEYS) {
    throw new AppError(
      'conflict',
      `A client has at most ${String(MAX_API_KEYS)} API keys: revoke one that is not used.`,
    );
  }
  return createApiKey(deps, { ...input, clientId: caller.clientId });
}

function refuseOutliving(caller: ApiKey, { expiresAt }: Pick<CreateApiKeyInput, 'expiresAt'>): void {
  const until = caller.expiresAt;
  if (until === null || (expiresAt !== null && expiresAt <= until)) return;
  const message = `must not be after ${until}, when the key that makes this one expires`;
  throw new AppError('forbidden', `A key cannot make one that outlives it: expiresAt ${message}.`, {
    details: { issues: [{ path: '/expiresAt', message }] },
  });
}
