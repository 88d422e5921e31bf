// Encrypts secrets that the service must send, and so cannot store as hashes: signing secrets of webhooks, values of
// `authorization`, tokens of partners. AES-256-GCM (NIST SP 800-38D) of Node's own crypto, with the
// id of the secret's owner as associated data.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AppError } from '@busbar/core';
import type { StoredSecrets } from '@busbar/domain';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** For a change of keys two are enough. */
const MAX_KEYS = 8;
/** Names the format, so that another can follow it. */
const PREFIX = 'v1.';
const HOW_TO_MAKE = "make one with `node -p \"require('node:crypto').randomBytes(32).toString('base64')\"`";

/**
 * `keys`: 32 bytes in base64 each, separated by commas. The first encrypts, all decrypt. Throws AppError `invalid_configuration`
 * that names the wrong key by its position, never by its text.
 */
export function createStoredSecrets(keys: string): StoredSecrets {
  const parsed = parseKeys(keys);
  const [current = Buffer.alloc(0)] = parsed;

  return {
    encrypt(secret, ownerId) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, current, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(ownerId));
      const encrypted = [cipher.update(secret, 'utf8'), cipher.final()];
      return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]).toString('base64url');
    },
    decrypt(stored, ownerId) {
      for (const key of parsed) {
        const secret = decryptWith(key, stored, ownerId);
        if (secret !== undefined) return secret;
      }
      return undefined;
    },
    isCurrent: (stored, ownerId) => decryptWith(current, stored, ownerId) !== undefined,
  };
}

function parseKeys(keys: string): readonly Buffer[] {
  const texts = keys.split(',').map((text) => text.trim());
  if (texts.length > MAX_KEYS) {
    throw new AppError('invalid_configuration', `SECRETS_KEY has more than ${String(MAX_KEYS)} keys: remove old ones.`);
  }
  return texts.map((text, n) => {
    const key = Buffer.from(text, 'base64');
    // Node ignores what is no base64.
    if (key.length === KEY_BYTES && key.toString('base64') === text) return key;
    const message = `Key ${String(n + 1)} of SECRETS_KEY is not 32 bytes in base64: ${HOW_TO_MAKE}.`;
    throw new AppError('invalid_configuration', message);
  });
}

function decryptWith(key: Buffer, stored: string, ownerId: string): string | undefined {
  if (!stored.startsWith(PREFIX)) return undefined;
  const bytes = Buffer.from(stored.slice(PREFIX.length), 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(ownerId));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const secret = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([secret, decipher.final()]).toString('utf8');
  } catch {
    // Another key, another owner, or changed bytes: GCM does not say which.
    return undefined;
  }
}
