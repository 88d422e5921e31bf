import { and, gte, lt, type Filter } from '../../port';

/** The last code point: every text with a prefix sorts before the prefix followed by this. */
const LAST = '\u{10ffff}';

/** A range, which an index serves. */
export function beginsWith(path: string, prefix: string): Filter {
  return and(gte(path, prefix), lt(path, prefix + LAST));
}
