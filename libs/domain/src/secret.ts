import { randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';

// 2^12: a check takes about 8 ms and 4 MB, so that a thousand reconnecting chargers are checked within seconds. OCPP
// keys have 16–40 characters or 20 random bytes, which no dictionary contains.
const COST = 4096;
const HASH_BYTES = 32;

/** A salted hash of password bytes, as `scrypt$cost$salt$hash` in base64url. */
export function hashSecret(secret: Buffer): string {
  const salt = randomBytes(16);
  const hash = scryptSync(secret, salt, HASH_BYTES, { N: COST });
  return ['scrypt', String(COST), salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/**
 * Returns whether these bytes are the secret of the hash. Runs off the main thread and in constant time; false for a
 * malformed hash.
 */
export async function matchesSecret(secret: Buffer, stored: string): Promise<boolean> {
  const [scheme, cost, salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64url');
  const actual = await derive(secret, Buffer.from(salt, 'base64url'), Number(cost), expected.length);
  return timingSafeEqual(actual, expected);
}

function derive(secret: Buffer, salt: Buffer, cost: number, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, length, { N: cost }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
