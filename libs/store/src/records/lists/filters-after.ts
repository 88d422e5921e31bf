// Makes the filters of the rows after a place in an order, for pages by cursor: reading costs the same wherever the
// page is.
import type { Place } from '@busbar/domain';
import { and, eq, gt, gte, lt, type Filter } from '../../port';
import type { Part } from './find-together';

/**
 * Filters for what follows a place, each a range of one index. Their matches follow one another in the order: those with the
 * same value first. Null and absent values come before all others, as both servers sort them; where a path may be null, its
 * other values are texts.
 */
export function filtersAfter(sort: Part['sort'], { value, tie: last }: Place): readonly Filter[] {
  const [[path, direction] = ['', 1], [tie] = [path]] = sort;
  const beyond = direction === 1 ? gt : lt;
  if (sort.length === 1) return [beyond(path, last)];
  const equal = and(eq(path, value), beyond(tie, last));
  if (direction === 1) return [equal, value === null ? gte(path, '') : gt(path, value)];
  return value === null ? [equal] : [equal, lt(path, value), eq(path, null)];
}
