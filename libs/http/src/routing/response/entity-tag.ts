// ETag and If-Match (RFC 9110 clauses 8.8.3 and 13.1.1). The tag covers only the fields that a client can change. The
// same response contains reports of the charger, which must not reject a change. Responses are `no-store`, so no cache
// misuses the tag.
import { AppError } from '@busbar/core';

/** Returns whether the caller's `If-Match` allows a change of this version. */
export type Precondition = (version: string) => boolean;

/** The result of a versioned route: the record, and the version of the fields that a client can change. */
export interface Versioned<T> {
  readonly body: T;
  /** Letters, digits, `.` and `-`. */
  readonly version: string;
}

const OPAQUE = '"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const TAGS = `(?:W/)?${OPAQUE}(?:[ \\t]*,[ \\t]*(?:W/)?${OPAQUE})*`;
const LIST = new RegExp(`^${TAGS}$`);
const TAG = new RegExp(`(W/)?(${OPAQUE})`, 'g');

/** The value of `If-Match`: entity tags, or `*` for any version. */
export const IF_MATCH_PATTERN = `^(?:\\*|${TAGS})$`;

/** Compressed responses have the name of their encoding at the end of the tag. */
const ENCODINGS = ['br', 'gzip', 'deflate'] as const;

export function entityTagOf(version: string): string {
  return `"${version}"`;
}

/** Undefined without the header. The comparison is strong, so weak tags match nothing. Throws `invalid_request`. */
export function preconditionFrom(header: string | undefined): Precondition | undefined {
  const text = header?.trim();
  if (text === undefined) return undefined;
  if (text === '*') return () => true;
  if (!LIST.test(text)) {
    throw new AppError(
      'invalid_request',
      'If-Match is invalid. Send the ETag of an earlier response with its quotes, or *.',
      {
        details: { issues: [{ path: 'If-Match', message: 'must be an entity tag or *' }] },
      },
    );
  }
  const strong = new Set([...text.matchAll(TAG)].filter(([, weak]) => weak === undefined).map(([, , tag]) => tag));
  return (version) =>
    ['', ...ENCODINGS.map((name) => `-${name}`)].some((end) => strong.has(entityTagOf(version + end)));
}
