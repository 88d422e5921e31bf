import { randomBytes, randomUUID } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** A ULID (26 characters, sorts by creation time): 48 bits of Unix milliseconds, 80 bits of randomness. */
export function createId(nowMs: number = Date.now()): string {
  // Node keeps a pool of random UUIDs, which makes this far cheaper than randomBytes(10). Of its 32 hex digits only the
  // version and variant are fixed; the twenty taken here are random.
  const uuid = randomUUID();
  const high = Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 11), 16);
  const low = Number.parseInt(uuid.slice(26, 36), 16);
  return base32(nowMs, 10) + base32(high, 8) + base32(low, 8);
}

/** What every id made at or after that moment is greater than or equal to, as text. */
export function firstIdAt(ms: number): string {
  return base32(ms, 10) + '0'.repeat(16);
}

/** Unix milliseconds of an id's making; undefined for a text that is no id of ours. */
export function timeOfId(id: string): number | undefined {
  if (!isUlid(id)) return undefined;
  let ms = 0;
  for (let at = 0; at < 10; at += 1) ms = ms * 32 + ALPHABET.indexOf(id.charAt(at));
  return ms;
}

export function isUlid(text: string): boolean {
  return ULID.test(text);
}

/** `bytes` of randomness as URL-safe text: for secrets and names that must not be guessed. */
export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

function base32(value: number, digits: number): string {
  let text = '';
  let rest = value;
  for (let i = 0; i < digits; i += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
