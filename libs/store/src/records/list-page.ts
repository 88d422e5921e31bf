// A page of a collection, and how much there is altogether.
import type { Listed, PageWanted } from '@busbar/domain';
import type { Collection, Document, Filter } from '../port';

/** A total beyond this may be as old as `KEPT_MS`: counting a million index entries takes a tenth of a second each time. */
const LARGE_TOTAL = 10_000;
const KEPT_MS = 30_000;
const MOST_KEPT = 1_000;

interface KeptTotal {
  readonly total: number;
  readonly atMs: number;
}

export type ListPage<T extends Document> = <K extends string>(
  filter: Filter,
  page: PageWanted<K>,
  tie: string,
  /** The same documents in a form that is counted faster than it is sorted. */
  counted?: Filter,
) => Promise<Listed<T>>;

/**
 * Lists pages of one collection. The order is by the sort key, then by `tie`, a unique path, so that a page stays as it is
 * while rows are added elsewhere. Totals up to 10,000 are exact; a larger one may be half a minute old.
 */
export function createListPage<T extends Document>(collection: Collection<T>): ListPage<T> {
  const kept = new Map<string, KeptTotal>();

  const countOf = async (filter: Filter): Promise<number> => {
    const key = JSON.stringify(filter);
    const known = kept.get(key);
    // Only how long ago matters, and no rule rests on it: the machine's own clock.
    if (known !== undefined && Date.now() - known.atMs < KEPT_MS && Date.now() >= known.atMs) return known.total;
    const total = await collection.count(filter);
    kept.delete(key);
    if (total > LARGE_TOTAL) kept.set(key, { total, atMs: Date.now() });
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value ?? '');
    return total;
  };

  return async (filter, { page, limit, sortKey, sortDescending }, tie, counted = filter) => {
    const direction = sortDescending ? -1 : 1;
    const sort = [[sortKey, direction] as const, ...(sortKey === tie ? [] : [[tie, direction] as const])];
    const skip = (page - 1) * limit;
    const [total, items] = await Promise.all([countOf(counted), collection.find(filter, { sort, skip, limit })]);
    // What is seen is there, also where the total is older, or something was added between the two.
    return { items, total: items.length === 0 ? total : Math.max(total, skip + items.length) };
  };
}
