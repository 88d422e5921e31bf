// Cursors of the feed: how far somebody has read, as an opaque text that belongs to one client and one generation of the feed.
import { createHash } from 'node:crypto';

/** The feed of a store. */
export interface FeedIdentity {
  /** Made with the store, and anew by a restore: page numbers of before mean nothing afterwards. */
  readonly generation: string;
  readonly partitions: number;
}

/**
 * The streams of a client's feed: one for each partition, which its owner writes, and the last one of the events that belong to no
 * charger (`webhook.disabled`), which services/push writes.
 */
export function streamCount({ partitions }: Pick<FeedIdentity, 'partitions'>): number {
  return partitions + 1;
}

/** How far somebody has read. */
export interface FeedPosition {
  /** By stream: the number of the last page that was read completely. */
  readonly pages: readonly number[];
  /** The stream at which reading continues. */
  readonly next: number;
  /** Events of its next page that were read. */
  readonly taken: number;
}

export type ParsedCursor = FeedPosition | 'invalid' | 'expired';

/** At most 5 bytes a partition: 500 characters hold the pages of 64 partitions, 2,000 those of 256. */
export const MAX_CURSOR_CHARACTERS = 2_000;

const VERSION = 1;
const HASH_BYTES = 4;
const HEADER_BYTES = 1 + HASH_BYTES + HASH_BYTES;
const LOW_BITS = 0x80;

export function formatFeedCursor(
  clientId: string,
  { generation }: Pick<FeedIdentity, 'generation'>,
  { pages, next, taken }: FeedPosition,
): string {
  const bytes: number[] = [VERSION, ...hashOf(clientId), ...hashOf(generation)];
  for (const number of [pages.length, next, taken, ...pages]) appendNumber(bytes, number);
  return Buffer.from(bytes).toString('base64url');
}

/** `invalid`: no cursor, or one of another client or number of partitions. `expired`: one of another generation. */
export function parseFeedCursor(text: string, clientId: string, identity: FeedIdentity): ParsedCursor {
  const bytes = Buffer.from(text, 'base64url');
  // Decoding ignores what it does not know.
  if (text.length > MAX_CURSOR_CHARACTERS || bytes.toString('base64url') !== text) return 'invalid';
  if (bytes[0] !== VERSION || !has(bytes, 1, clientId)) return 'invalid';
  const position = positionIn(bytes);
  if (position?.pages.length !== streamCount(identity)) return 'invalid';
  return has(bytes, 1 + HASH_BYTES, identity.generation) ? position : 'expired';
}

function positionIn(bytes: Buffer): FeedPosition | undefined {
  const [partitions = 0, next = 0, taken = 0, ...pages] = numbersIn(bytes, HEADER_BYTES) ?? [];
  return pages.length === partitions && next < partitions ? { pages, next, taken } : undefined;
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, HASH_BYTES);
}

function has(bytes: Buffer, at: number, text: string): boolean {
  return bytes.subarray(at, at + HASH_BYTES).equals(hashOf(text));
}

/** Seven bits a byte, the lowest first; the highest bit of a byte says that more follow (LEB128). */
function appendNumber(bytes: number[], number: number): void {
  let rest = number;
  for (; rest >= LOW_BITS; rest = Math.floor(rest / LOW_BITS)) bytes.push((rest % LOW_BITS) + LOW_BITS);
  bytes.push(rest);
}

/** Undefined where the last number has no end, or one is not exact. */
function numbersIn(bytes: Buffer, from: number): number[] | undefined {
  const numbers: number[] = [];
  let number = 0;
  let factor = 1;
  for (const byte of bytes.subarray(from)) {
    number += (byte % LOW_BITS) * factor;
    if (!Number.isSafeInteger(number)) return undefined;
    factor *= LOW_BITS;
    if (byte >= LOW_BITS) continue;
    numbers.push(number);
    number = 0;
    factor = 1;
  }
  return factor === 1 ? numbers : undefined;
}
