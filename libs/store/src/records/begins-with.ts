import { and, gte, lt, type Filter } from '../port';

/** The last code point: whatever begins with a prefix comes before the prefix and this. */
const LAST = '\u{10ffff}';

/** As a range, which an index serves. */
export function beginsWith(path: string, prefix: string): Filter {
  return and(gte(path, prefix), lt(path, prefix + LAST));
}
