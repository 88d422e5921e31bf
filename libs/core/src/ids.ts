import { randomBytes, randomUUID } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
/** Ten bits as two digits. An id is made for every message, so it is put together from few pieces. */
const PAIRS = Array.from({ length: 1_024 }, (_, bits) => ALPHABET.charAt(bits >> 5) + ALPHABET.charAt(bits & 31));
const LAST_MS = 2 ** 48 - 1;

/** A ULID (26 characters, sorts by creation time): 48 bits of Unix milliseconds, 80 bits of randomness. */
export function createId(nowMs: number = Date.now()): string {
  // Node keeps a pool of random UUIDs, which makes this far cheaper than randomBytes(10). Of its 32 hex digits only the
  // version and variant are fixed; the twenty taken here are random.
  const uuid = randomUUID();
  return timeText(nowMs) + hexText(uuid.slice(0, 8) + uuid.slice(9, 11) + uuid.slice(26, 36));
}

/**
 * A ULID that is the same for the same: `ms` of its moment, then the first 80 bits of `digest`. `digest`: 20 hexadecimal
 * digits or more. A moment that no id can have counts as the nearest one.
 */
export function contentId(ms: number, digest: string): string {
  return timeText(Math.min(Math.max(0, ms), LAST_MS)) + hexText(digest);
}

/**
 * Makes ids each of which sorts after the one before, also within a millisecond and when the clock goes back: one more than
 * the last, as the ULID specification has it. Ids of two sources are as far apart as any.
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
      // The last six digits are what is counted up. They begin as five random ones after a zero, below 2^25 of 2^30, which
      // leaves room for a billion ids in one millisecond.
      low = valueOf(random.slice(21));
    } else {
      low += 1;
    }
    return high + pair(low >>> 20) + pair(low >>> 10) + pair(low);
  };
}

/** What every id made at or after that moment is greater than or equal to, as text. */
export function firstIdAt(ms: number): string {
  return timeText(ms) + '0'.repeat(16);
}

/** Unix milliseconds of an id's making; undefined for a text that is no id of ours. */
export function timeOfId(id: string): number | undefined {
  if (!isUlid(id)) return undefined;
  return valueOf(id.slice(0, 10));
}

export function isUlid(text: string): boolean {
  return ULID.test(text);
}

/** `bytes` of randomness as URL-safe text: for secrets and names that must not be guessed. */
export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** Ten digits. */
function timeText(ms: number): string {
  const high = Math.floor(ms / 2 ** 20);
  const low = ms % 2 ** 20;
  return pair(high >>> 20) + pair(high >>> 10) + pair(high) + pair(low >>> 10) + pair(low);
}

/** Twenty hexadecimal digits as sixteen of ours. */
function hexText(hex: string): string {
  let text = '';
  for (let at = 0; at < 20; at += 5) {
    const bits = Number.parseInt(hex.slice(at, at + 5), 16);
    text += pair(bits >>> 10) + pair(bits);
  }
  return text;
}

/** Of at most ten digits. */
function valueOf(digits: string): number {
  let value = 0;
  for (const digit of digits) value = value * 32 + ALPHABET.indexOf(digit);
  return value;
}

/** The last ten bits. */
function pair(bits: number): string {
  return PAIRS[bits & 1_023] ?? '';
}
