import { AppError, type Clock } from '@busbar/core';
import { OPERATOR, type ApiKey, type ApiKeyReader, type ApiKeyWriter } from './api-key';
import { createApiKey, type CreateApiKeyInput } from './create-api-key';

/** Unrevoked keys of one client. One for each program and person is far fewer. */
export const MAX_API_KEYS = 1000;

/**
 * Creates a key for the caller's client. Throws `forbidden` for a permission that the caller's key lacks, or for a
 * later expiry; `conflict` beyond `MAX_API_KEYS`; and the errors of `createApiKey`.
 */
export async function grantApiKey(
  deps: { readonly apiKeys: Pick<ApiKeyReader, 'list'> & ApiKeyWriter; readonly clock: Clock },
  caller: ApiKey,
  input: Pick<CreateApiKeyInput, 'name' | 'permissions' | 'expiresAt'>,
): Promise<{ key: ApiKey; secret: string }> {
  const beyond = input.permissions.filter(
    (permission) => permission === OPERATOR || !caller.permissions.includes(permission),
  );
  if (beyond.length > 0) {
    throw new AppError('forbidden', `A key cannot grant permissions that it lacks: ${beyond.join(', ')}.`);
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
  throw new AppError('forbidden', `A key cannot create one that expires later: expiresAt ${message}.`, {
    details: { issues: [{ field: 'expiresAt', message }] },
  });
}
