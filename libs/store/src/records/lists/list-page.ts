// A page of a collection, and the total.
import type { Page, PageRequest, Place } from '@busbar/domain';
import { valueAtPath } from '../../language/paths';
import { and, or, type Collection, type Document, type Filter, type IndexDefinition } from '../../port';
import { canMerge, createFindTogether, type Alternatives, type Part } from './find-together';
import { createCachedCount } from './cached-count';
import { filtersAfter } from './filters-after';

export type ListPage<T extends Document> = <K extends string>(
  filters: Filter | Alternatives,
  page: PageRequest<K>,
  tie: string,
  /** The same documents in a form that is counted faster than it is sorted. */
  counted?: Filter,
) => Promise<Page<T>>;

/**
 * Reads pages of one collection, ordered by the sort key, then by `tie`, a unique path. So a page is stable while rows are
 * added elsewhere. Totals up to 10,000 are exact; a larger one may be 30 seconds old. `indexes`: those that may serve a page
 * of alternatives.
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

  /** Reads the page after a place. One more row is read, to know whether it is the last page. */
  async function pageAfter(filters: Alternatives, { sort, limit }: Omit<Part, 'skip'>, after: Place) {
    const items: T[] = [];
    const places: (readonly unknown[])[] = [];
    for (const beyond of filtersAfter(sort, after)) {
      if (places.length > limit) break;
      const part = { sort, skip: 0, limit: limit + 1 - places.length };
      const found = await findTogether(
        filters.map((filter) => within(filter, beyond)),
        part,
      );
      items.push(...found.items);
      places.push(...found.places);
    }
    const tie = sort.at(-1)?.[0] ?? '';
    const extra = places[limit]?.at(-1);
    const shown = extra === undefined ? items : items.filter((item) => valueAtPath(item, tie) !== extra);
    return { items: shown, ...nextOf(extra === undefined ? undefined : places[limit - 1]) };
  }

  return async (given, { page, limit, sortKey, sortDescending, after }, tie, counted) => {
    const filters = 'op' in given ? [given] : given;
    const direction = sortDescending ? -1 : 1;
    const sort = [[sortKey, direction] as const, ...(sortKey === tie ? [] : [[tie, direction] as const])];
    const skip = (page - 1) * limit;
    const count = (): Promise<number> => countOf(counted === undefined ? filters : [counted]);
    if (after !== undefined) {
      const [total, found] = await Promise.all([count(), pageAfter(filters, { sort, limit }, after)]);
      return { ...found, total: Math.max(total, found.items.length) };
    }
    if (canMerge(filters, skip + limit)) {
      const { items, places, total } = await findTogether(filters, { sort, skip, limit });
      // Matches that were read completely are not counted as well.
      return listed(items, places, total ?? (await count()), skip);
    }
    const [total, { items, places }] = await Promise.all([count(), findTogether(filters, { sort, skip, limit })]);
    return listed(items, places, total, skip);
  };
}

/** Each alternative stays complete, so that each finds its own index. */
function within(filter: Filter, more: Filter): Filter {
  return filter.op === 'or' ? or(...filter.filters.map((each) => and(each, more))) : and(filter, more);
}

/** The total includes the shown items, even where it is older than the page. */
function listed<T>(items: T[], places: readonly (readonly unknown[])[], known: number, skip: number): Page<T> {
  const total = items.length === 0 ? known : Math.max(known, skip + items.length);
  return { items, total, ...nextOf(skip + places.length < total ? places.at(-1) : undefined) };
}

/** The place that values of an order name: absent is null. */
function nextOf(values: readonly unknown[] | undefined): { readonly next?: Place } {
  if (values === undefined) return {};
  return { next: { value: (values[0] ?? null) as Place['value'], tie: values.at(-1) as Place['tie'] } };
}
