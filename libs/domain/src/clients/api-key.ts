import { createHash } from 'node:crypto';
import type { Timestamp } from '../timestamp';

/** The permissions that a client's keys can grant. */
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
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'keys:read',
  'keys:write',
] as const;

/** Sees the whole deployment: its dead letters and processes. Only `admin -- key create --operator` grants it, no API. */
export const OPERATOR = 'operator';

export type Permission = (typeof PERMISSIONS)[number] | typeof OPERATOR;

export interface ApiKey {
  readonly keyId: string;
  readonly clientId: string;
  readonly name: string;
  /** SHA-256 of the secret, hexadecimal. The secret itself is shown once and stored nowhere. */
  readonly hash: string;
  readonly permissions: readonly Permission[];
  readonly expiresAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp | null;
  readonly revokedAt: Timestamp | null;
}

/** The name of keys from `BOOTSTRAP_API_KEY`. A revoked one stays stored, or the next start would create it again. */
export const BOOTSTRAP_KEY_NAME = 'bootstrap';

export interface ApiKeyReader {
  /** May be up to a second old. A key that this process revoked is never returned as unrevoked. */
  findByHash(hash: string): Promise<ApiKey | undefined>;
  /** As stored now, revoked or not. */
  find(keyId: string): Promise<ApiKey | undefined>;
  /** A client's unrevoked keys, oldest first; at most `MAX_API_KEYS`. */
  list(clientId: string): Promise<ApiKey[]>;
}

export interface ApiKeyWriter {
  insert(key: ApiKey): Promise<'inserted' | 'exists'>;
  /** False when the client has no such key, or it is revoked already. */
  revoke(clientId: string, keyId: string, at: Timestamp): Promise<boolean>;
  /** Records a use, unless another one was recorded since the key was read: concurrent uses are one write. */
  touch(key: Pick<ApiKey, 'keyId' | 'hash' | 'lastUsedAt'>, at: Timestamp): Promise<void>;
}

/**
 * The hash by which a key is found. One SHA-256 is enough for generated keys of 256 bits; the operator chooses those of
 * BOOTSTRAP_API_KEY.
 */
export function hashApiKey(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

/** Returns whether the key is valid at that time. */
export function isUsable(key: ApiKey, now: Timestamp): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}
