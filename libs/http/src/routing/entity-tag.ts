// ETag and If-Match (RFC 9110 clauses 8.8.3 and 13.1.1). The tag is of what a client can change of a record and of nothing
// else: what a charger reports in the meantime is in the same answer and no reason to refuse a change. Answers are
// `no-store`, so nobody takes it for the answer's bytes.
import { AppError } from '@busbar/core';

/** Whether a caller means a record of that version; false is a lost update prevented. */
export type Precondition = (version: string) => boolean;

/** What a versioned route's handler gives: the record and the version of what a client can change of it. */
export interface Versioned<T> {
  readonly body: T;
  /** Letters, digits, `.` and `-`. */
  readonly version: string;
}

const OPAQUE = '"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const TAGS = `(?:W/)?${OPAQUE}(?:[ \\t]*,[ \\t]*(?:W/)?${OPAQUE})*`;
const LIST = new RegExp(`^${TAGS}$`);
const TAG = new RegExp(`(W/)?(${OPAQUE})`, 'g');

/** What `If-Match` may hold: entity tags, or `*` for whatever there is. */
export const IF_MATCH_PATTERN = `^(?:\\*|${TAGS})$`;

export function entityTagOf(version: string): string {
  return `"${version}"`;
}

/** Undefined without the header. Weak tags match nothing: the comparison is the strong one. Throws `invalid_request`. */
export function preconditionFrom(header: string | undefined): Precondition | undefined {
  const text = header?.trim();
  if (text === undefined) return undefined;
  if (text === '*') return () => true;
  if (!LIST.test(text)) {
    throw new AppError('invalid_request', 'If-Match must hold the ETag of an earlier answer, quotes included, or *.', {
      details: { issues: [{ path: 'If-Match', message: 'is no entity tag' }] },
    });
  }
  const strong = new Set([...text.matchAll(TAG)].filter(([, weak]) => weak === undefined).map(([, , tag]) => tag));
  return (version) => strong.has(entityTagOf(version));
}
