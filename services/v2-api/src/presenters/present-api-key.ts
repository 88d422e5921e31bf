import type { ApiKey } from '@busbar/domain/clients';

/** A key without its hash. */
export function presentApiKey({ keyId, name, permissions, expiresAt, createdAt, lastUsedAt }: ApiKey) {
  return { id: keyId, name, permissions, expiresAt, createdAt, lastUsedAt };
}
