// A page of a collection, and the total.
import type { Page, PageRequest } from '@busbar/domain';
import type { Collection, Document, Filter, IndexDefinition } from '../port';
import { canMerge, createFindTogether, type Alternatives } from './find-together';
import { createCachedCount } from './cached-count';

export type ListPage<T extends Document> = <K extends string>(
  filters: Filter | Alternatives,
  page: PageRequest<K>,
  tie: string,
  /** The same documents in a form that is counted faster than it is sorted. */
  counted?: Filter,
) => Promise<Page<T>>;

/**
 * Reads pages of one collection, ordered by the sort key (a field of the row itself), then by `tie`, a unique field. So
 * a page is stable while rows are added elsewhere. Totals up to 10,000 are exact; a larger one may be 30 seconds old.
 * `indexes`: those that may serve a page of alternatives.
 */
export function createListPage<T extends Document>(
  collection: Collection<T>,
  indexes: readonly IndexDefinition[] = [],
): ListPage<T> {
  const findTogether = createFindTogether(collection, indexes);
  const countOf = createCachedCount<Alternatives, number>(
    async (filters) => {
      const totals = await Promise.all(filters.map((filter) => collection.count(filter)));
      return totals.reduce((sum, each) => sum + each, 0);
    },
    (total) => total,
  );

  return async (given, { page, limit, sortKey, sortDescending }, tie, counted) => {
    const filters = 'op' in given ? [given] : given;
    const direction = sortDescending ? -1 : 1;
    const sort = [[sortKey, direction] as const, ...(sortKey === tie ? [] : [[tie, direction] as const])];
    const skip = (page - 1) * limit;
    const count = (): Promise<number> => countOf(counted === undefined ? filters : [counted]);
    if (canMerge(filters, skip + limit)) {
      const { items, total } = await findTogether(filters, { sort, skip, limit });
      // Matches that were read completely are not counted as well.
      return listed(items, total ?? (await count()), skip);
    }
    const [total, { items }] = await Promise.all([count(), findTogether(filters, { sort, skip, limit })]);
    return listed(items, total, skip);
  };
}

/** The total includes the shown items, even where it is older than the page. */
function listed<T>(items: T[], total: number, skip: number): Page<T> {
  return { items, total: items.length === 0 ? total : Math.max(total, skip + items.length) };
}
