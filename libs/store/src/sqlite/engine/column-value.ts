// JSON values in SQLite's columns. The order of types is MongoDB's (null, numbers, texts, booleans), and different
// values stay different. A boolean is a one-byte blob, because 1 is a number. An object or array is a blob of its JSON,
// used only by `exists` and unique indexes.
import type { Scalar } from '../../port';
import type { SqlValue } from './database';

const FALSE = Uint8Array.of(0);
const TRUE = Uint8Array.of(1);
// The library binds texts up to the first NUL. Escaping U+0000 and U+0001 keeps texts complete, distinct and in order.
// eslint-disable-next-line no-control-regex
const ESCAPED = /[\u0000\u0001]/g;
// eslint-disable-next-line no-control-regex
const ESCAPES = /\u0001[\u0001\u0002]/g;

const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;
// In JSON text: an escaped backslash, which is skipped, or an escaped half of a surrogate pair.
const ESCAPED_SURROGATE = /\\(\\|ud[89a-f][0-9a-f]{2})/g;

/** The document's JSON text. */
export function toText(document: unknown): string {
  const text = JSON.stringify(document);
  if (!text.includes('\\ud')) return text;
  return text.replace(ESCAPED_SURROGATE, (all, sign: string) => (sign === '\\' ? all : '\ufffd'));
}

/** The same of a scalar, cheaper: the text that it has is searched, not the one that is made. */
export function scalarText(value: Scalar): string {
  return JSON.stringify(typeof value === 'string' ? wellFormed(value) : value);
}

export function toColumn(value: unknown): SqlValue {
  if (typeof value === 'string') return textColumn(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return value ? TRUE : FALSE;
  if (value === undefined || value === null) return null;
  return Buffer.from(JSON.stringify(value));
}

/** Half a surrogate pair has no UTF-8 form and becomes U+FFFD, as in MongoDB. */
export function wellFormed(text: string): string {
  return LONE_SURROGATE.test(text) ? text.replace(LONE_SURROGATES, '\ufffd') : text;
}

/** A text as column and as parameter. */
export function textColumn(given: string): string {
  const text = wellFormed(given);
  return hasControl(text) ? text.replace(ESCAPED, (sign) => `\u0001${sign === '\u0000' ? '\u0001' : '\u0002'}`) : text;
}

/** Decodes a column; objects and arrays, which no reader of columns needs, become null. */
export function fromColumn(value: SqlValue): string | number | boolean | null {
  if (typeof value === 'string') {
    if (!value.includes('\u0001')) return value;
    return value.replace(ESCAPES, (pair) => (pair === '\u0001\u0001' ? '\u0000' : '\u0001'));
  }
  if (value instanceof Uint8Array) return value.length === 1 ? value[0] === 1 : null;
  return typeof value === 'bigint' ? Number(value) : value;
}

/** True where a column's text was escaped, so that only the document can answer about its parts. */
export function hasControl(text: string): boolean {
  return text.includes('\u0000') || text.includes('\u0001');
}
