import { createHash } from 'node:crypto';
import type { Timestamp } from '../timestamp';

export const PERMISSIONS = [
  'sites:read',
  'sites:write',
  'chargers:read',
  'chargers:write',
  'chargers:operate',
  'sessions:read',
  'sessions:write',
  'tags:read',
  'tags:write',
  'logs:read',
  'keys:read',
  'keys:write',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

export interface ApiKey {
  readonly keyId: string;
  readonly clientId: string;
  readonly name: string;
  /** SHA-256 of the secret, hexadecimal: the secret itself is shown once and kept nowhere. */
  readonly hash: string;
  readonly permissions: readonly Permission[];
  readonly expiresAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp | null;
  readonly revokedAt: Timestamp | null;
}

/** The name of keys that `BOOTSTRAP_API_KEY` brought: a revoked one is kept, or the next start would make it again. */
export const BOOTSTRAP_KEY_NAME = 'bootstrap';

export interface ApiKeyReader {
  findByHash(hash: string): Promise<ApiKey | undefined>;
  /** A client's keys that are not revoked, oldest first: all of them, since they are few (`MAX_API_KEYS`). */
  list(clientId: string): Promise<ApiKey[]>;
}

export interface ApiKeyWriter {
  insert(key: ApiKey): Promise<'inserted' | 'exists'>;
  /** False when the client has no such key, or it was revoked before. */
  revoke(clientId: string, keyId: string, at: Timestamp): Promise<boolean>;
  /** Notes a use, unless another has been noted since the key was read: many at a time are one write. */
  touch(key: Pick<ApiKey, 'keyId' | 'lastUsedAt'>, at: Timestamp): Promise<void>;
}

/**
 * The hash that a key is found by. Keys that the service makes carry 256 bits, for which one SHA-256 is enough; those of
 * BOOTSTRAP_API_KEY are the operator's own choice.
 */
export function hashApiKey(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

/** Whether the key may be used at that moment. */
export function isUsable(key: ApiKey, now: Timestamp): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}
