import { randomBytes, randomUUID } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
/** Ten bits as two digits. Every message gets an id, so encoding has few steps. */
const PAIRS = Array.from({ length: 1_024 }, (_, bits) => ALPHABET.charAt(bits >> 5) + ALPHABET.charAt(bits & 31));
const LAST_MS = 2 ** 48 - 1;

/** A ULID (26 characters, sorts by creation time): 48 bits of Unix milliseconds, 80 bits of randomness. */
export function createId(nowMs: number = Date.now()): string {
  // Node caches random UUIDs, which makes this far cheaper than randomBytes(10). The twenty hexadecimal digits taken
  // here are random: only the version and variant digits of a UUID are fixed.
  const uuid = randomUUID();
  return timeText(nowMs) + hexText(uuid.slice(0, 8) + uuid.slice(9, 11) + uuid.slice(26, 36));
}

/**
 * A deterministic ULID: `ms` as its time, then the first 80 bits of `digest` (20 or more hexadecimal digits). A time
 * that no id can hold becomes the nearest one.
 */
export function contentId(ms: number, digest: string): string {
  return timeText(Math.min(Math.max(0, ms), LAST_MS)) + hexText(digest);
}

/**
 * Makes ids in ascending order, also within a millisecond and when the clock steps back: the last id plus one, as the
 * ULID specification says. Ids of two sources do not collide.
 */
export function createIdSource(): (nowMs: number) => string {
  let lastMs = -1;
  let high = '';
  let low = 0;
  return (nowMs) => {
    if (nowMs > lastMs) {
      lastMs = nowMs;
      const random = createId(nowMs);
      high = random.slice(0, 20);
      // Only the last six digits are incremented. They start below 2^25 of 2^30, which leaves room for a billion ids in
      // a millisecond.
      low = valueOf(random.slice(21));
    } else {
      low += 1;
    }
    return high + pair(low >>> 20) + pair(low >>> 10) + pair(low);
  };
}

/** The least id of that time, as text. */
export function firstIdAt(ms: number): string {
  return timeText(ms) + '0'.repeat(16);
}

/** The Unix milliseconds of an id; undefined for a text that is no ULID. */
export function timeOfId(id: string): number | undefined {
  if (!isUlid(id)) return undefined;
  return valueOf(id.slice(0, 10));
}

export function isUlid(text: string): boolean {
  return ULID.test(text);
}

/** `bytes` of randomness as URL-safe text, for secrets and unpredictable names. */
export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** Ten digits. */
function timeText(ms: number): string {
  const high = Math.floor(ms / 2 ** 20);
  const low = ms % 2 ** 20;
  return pair(high >>> 20) + pair(high >>> 10) + pair(high) + pair(low >>> 10) + pair(low);
}

/** Twenty hexadecimal digits as sixteen digits of an id. */
function hexText(hex: string): string {
  let text = '';
  for (let at = 0; at < 20; at += 5) {
    const bits = Number.parseInt(hex.slice(at, at + 5), 16);
    text += pair(bits >>> 10) + pair(bits);
  }
  return text;
}

/** Decodes at most ten digits. */
function valueOf(digits: string): number {
  let value = 0;
  for (const digit of digits) value = value * 32 + ALPHABET.indexOf(digit);
  return value;
}

/** The last ten bits. */
function pair(bits: number): string {
  return PAIRS[bits & 1_023] ?? '';
}
