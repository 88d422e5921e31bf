import { AppError, type Clock } from '@busbar/core';
import type { ApiKey, ApiKeyWriter } from '../api-key';
import { createApiKey, type CreateApiKeyInput } from './create-api-key';

/**
 * A key made by means of another one, for the same client. Throws `forbidden` for a permission that the caller's key lacks
 * itself: nobody lifts himself up by making keys; and what `createApiKey` throws.
 */
export async function grantApiKey(
  deps: { readonly apiKeys: ApiKeyWriter; readonly clock: Clock },
  caller: ApiKey,
  input: Pick<CreateApiKeyInput, 'name' | 'permissions' | 'expiresAt'>,
): Promise<{ key: ApiKey; secret: string }> {
  const beyond = input.permissions.filter((permission) => !caller.permissions.includes(permission));
  if (beyond.length > 0) {
    throw new AppError('forbidden', `A key cannot grant what it lacks itself: ${beyond.join(', ')}.`);
  }
  return createApiKey(deps, { ...input, clientId: caller.clientId });
}
