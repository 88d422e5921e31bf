// Parses path and query parameters by their schema, for the validator.
import type { ErrorCode } from '@busbar/core';
import { decodeComponent } from './request-target';
import type { Issue } from './issue';
import { ERROR_CODE_KEYWORD, type ObjectSchema } from '../route';

/** A part of a list: escaped, a separator, or plain. */
const PIECE = /\\[\\,]|,|\\|[^\\,]+/g;
const ESCAPED: ReadonlySet<string> = new Set(['\\,', '\\\\']);
const MALFORMED = 'is not validly percent-encoded UTF-8';

export interface Parameters {
  readonly values: Readonly<Record<string, unknown>>;
  readonly issues: readonly Issue[];
}

/** Path parameters, decoded. A malformed escape is an issue with the parameter's own error code. */
export function pathParameters(raw: Readonly<Record<string, string>>, schema: ObjectSchema): Parameters {
  const values: Record<string, unknown> = {};
  const issues: Issue[] = [];
  for (const [name, text] of Object.entries(raw)) {
    const decoded = decodeComponent(text);
    if (decoded !== undefined) values[name] = toValue(decoded, keywordOf(schema, name, 'type'));
    else issues.push({ path: `:${name}`, message: MALFORMED, ...codeOf(schema, name) });
  }
  return { values, issues };
}

/** A parsed query. */
export interface Query {
  readonly values: URLSearchParams;
  /** Names of parameters whose value cannot be decoded; it is not in `values` as sent. */
  readonly malformed: ReadonlySet<string>;
}

/** Parses a query as forms encode it: `+` is a space. */
export function readQuery(text: string): Query {
  const pairs = text.split('&').map((pair) => pair.replaceAll('+', ' '));
  const malformed = pairs.map((pair) => {
    const mark = pair.indexOf('=');
    return decodeComponent(pair.slice(mark + 1)) === undefined && mark !== -1
      ? decodeComponent(pair.slice(0, mark))
      : undefined;
  });
  return { values: new URLSearchParams(text), malformed: new Set(malformed.filter((name) => name !== undefined)) };
}

/**
 * The query parameters of the schema, without others (`unknownParameters`). A list's values are repeated, separated by commas, or both; any
 * other repeated parameter is an issue. Commas separate after decoding, since clients encode them; `\,` is part of a value.
 */
export function queryParameters({ values: given, malformed }: Query, schema: ObjectSchema): Parameters {
  const values: Record<string, unknown> = {};
  const issues: Issue[] = [];
  for (const name of Object.keys(schema.properties)) {
    const [first, ...more] = given.getAll(name);
    if (first === undefined) continue;
    if (malformed.has(name)) issues.push({ path: `?${name}`, message: MALFORMED, ...codeOf(schema, name) });
    else if (keywordOf(schema, name, 'type') === 'array') values[name] = listOf([first, ...more], schema, name);
    else if (more.length > 0)
      issues.push({ path: `?${name}`, message: 'is given more than once', ...codeOf(schema, name) });
    else values[name] = toValue(first, keywordOf(schema, name, 'type'));
  }
  return { values, issues };
}

function listOf(texts: readonly string[], schema: ObjectSchema, name: string): unknown[] {
  const items = keywordOf(schema, name, 'items') as { readonly type?: unknown } | undefined;
  return texts.flatMap((text) => valuesIn(text)).map((text) => toValue(text, items?.type));
}

/** Splits at commas. `\,` is a comma within a value and `\\` a backslash; any other backslash is itself. */
function valuesIn(text: string): string[] {
  const values: string[] = [];
  let value = '';
  for (const [piece] of text.matchAll(PIECE)) {
    if (piece === ',') {
      values.push(value);
      value = '';
    } else value += ESCAPED.has(piece) ? piece.slice(1) : piece;
  }
  return [...values, value];
}

/** A text of another type stays a text, which the validator rejects. */
function toValue(text: string, type: unknown): unknown {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  // Only canonical integers: not `1e3`, `0x10`, ` 7` or `007`, and none that loses digits.
  if (type === 'integer' && String(Number(text)) === text && Number.isSafeInteger(Number(text))) return Number(text);
  return text;
}

function codeOf(schema: ObjectSchema, name: string): { code?: ErrorCode } {
  const code = keywordOf(schema, name, ERROR_CODE_KEYWORD);
  return code === undefined ? {} : { code: code as ErrorCode };
}

function keywordOf(schema: ObjectSchema, name: string, keyword: string): unknown {
  const property = schema.properties[name];
  return typeof property === 'object' ? (property as Record<string, unknown>)[keyword] : undefined;
}
