import { AppError, createId, randomToken, type Clock } from '@busbar/core';
import { hashApiKey, PERMISSIONS, type ApiKey, type ApiKeyWriter, type Permission } from './api-key';
import { toTimestamp, type Timestamp } from '../timestamp';
import { invalidInput } from '../invalid-input';

export const ALL_PERMISSIONS: readonly Permission[] = PERMISSIONS;

/** Spaces inside are allowed; a header would lose them at an end. */
const PRINTABLE = /^(?! )[\x20-\x7e]{16,200}(?<! )$/;

export interface CreateApiKeyInput {
  readonly clientId: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly expiresAt: Timestamp | null;
  /** Given for scripts; else 256 random bits. */
  readonly secret?: string;
}

/**
 * Creates a key. The secret is returned here and stored nowhere. Throws `invalid_request`, or `conflict` for a secret
 * in use.
 */
export async function createApiKey(
  deps: { readonly apiKeys: ApiKeyWriter; readonly clock: Clock },
  input: CreateApiKeyInput,
): Promise<{ key: ApiKey; secret: string }> {
  const secret = input.secret ?? `bb_${randomToken(32)}`;
  if (!PRINTABLE.test(secret)) {
    throw new AppError(
      'invalid_request',
      'An API key has 16 to 200 printable ASCII characters and no space at its ends.',
    );
  }
  const key: ApiKey = {
    keyId: `key_${createId().toLowerCase()}`,
    clientId: input.clientId,
    name: input.name,
    hash: hashApiKey(secret),
    permissions: [...new Set(input.permissions)],
    expiresAt: input.expiresAt,
    createdAt: toTimestamp(deps.clock.now()),
    lastUsedAt: null,
    revokedAt: null,
  };
  if (key.expiresAt !== null && key.expiresAt <= key.createdAt) {
    throw invalidInput('expiresAt lies in the past.', { field: 'expiresAt', message: 'must lie in the future' });
  }
  if ((await deps.apiKeys.insert(key)) === 'exists') {
    throw new AppError('conflict', 'This API key is in use already.');
  }
  return { key, secret };
}
