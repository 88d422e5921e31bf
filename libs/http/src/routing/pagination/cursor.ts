// Cursors of lists: the place of a page's last item, as an opaque text that is valid for one query only.
import { createHash } from 'node:crypto';
import { parseJson } from '@busbar/core';
import { refusalOf } from '../request/issue';

/** A place in a sorted list, as the store gives it. */
export interface Place {
  readonly value: string | number | null;
  readonly tie: string | number;
}

export interface Cursor {
  readonly place: Place;
  /** The number of the page that it begins, counted from the first request. */
  readonly page: number;
  /** See `nextUpdatedSince`: up to this time nothing can have been missed. Null: not decided yet. */
  readonly completeUntil: string | null;
}

/**
 * The longest is that of tags by name, in base64: a text of 500 characters, each escaped in JSON to six, and a tag of 255, each escaped
 * to two.
 */
const MAX_LENGTH = 5_000;
const VERSION = 1;
const SCOPE_CHARACTERS = 12;
const TIMESTAMP_LENGTH = '2026-01-01T00:00:00.000Z'.length;

export const cursorSchema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_LENGTH,
  pattern: '^[A-Za-z0-9_-]+$',
  'x-pattern-message': 'must be the nextCursor of an earlier response',
  description: '`nextCursor` of the response before, instead of `page`. The other parameters must be the same.',
} as const;

/** Identifies the list with its filters and its order. */
export function scopeOf(list: string, parameters: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  given.sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([list, given]))
    .digest('base64url')
    .slice(0, SCOPE_CHARACTERS);
}

export function writeCursor({ place: { value, tie }, page, completeUntil }: Cursor, scope: string): string {
  return Buffer.from(JSON.stringify([VERSION, scope, page, value, tie, completeUntil])).toString('base64url');
}

/** Throws `invalid_request` for what is no cursor, and for a cursor of another list, other filters or another order. */
export function readCursor(text: string, scope: string): Cursor {
  const parsed = parseJson(Buffer.from(text, 'base64url').toString('utf8'));
  const parts: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
  const [version, ownScope, page, value, tie, completeUntil] = parts;
  const isCursor =
    parts.length === 6 &&
    version === VERSION &&
    isCount(page) &&
    (value === null || isKey(value)) &&
    isKey(tie) &&
    (completeUntil === null || isTimestamp(completeUntil));
  if (!isCursor) throw refusal('is not a cursor: give nextCursor of an earlier response unchanged');
  if (ownScope !== scope) {
    throw refusal('belongs to another query: repeat the filters and the order of the request that it comes from');
  }
  return { place: { value, tie }, page, completeUntil };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isKey(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isTimestamp(value: unknown): value is string {
  return typeof value === 'string' && value.length === TIMESTAMP_LENGTH && Number.isFinite(Date.parse(value));
}

function refusal(message: string) {
  return refusalOf([{ path: '?after', message }]);
}
