import { and, gte, lt, type Filter } from '../port';

/** After everything that begins with the prefix: no text of ours holds this character, and it sorts behind all that do. */
const LAST = '\uffff';

/** As a range, which an index serves. */
export function beginsWith(path: string, prefix: string): Filter {
  return and(gte(path, prefix), lt(path, prefix + LAST));
}
