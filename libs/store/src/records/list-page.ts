// A page of a collection, and how much there is altogether.
import type { Listed, PageWanted } from '@busbar/domain';
import { or, type Collection, type Document, type Filter } from '../port';
import { createKeptCount } from './kept-count';

/** Rows read to be merged into one page; beyond it the store sorts all alternatives together. */
const MOST_MERGED = 20_000;

interface Part {
  readonly skip: number;
  readonly limit: number;
  readonly sort: readonly (readonly [path: string, direction: 1 | -1])[];
}

/**
 * Alternatives to be listed together, of which a row fits one at most. Each is read by itself: neither server finds the
 * index that has the rows of one charger in order when it is given ten chargers at once.
 */
export type Alternatives = readonly Filter[];

export type ListPage<T extends Document> = <K extends string>(
  filters: Filter | Alternatives,
  page: PageWanted<K>,
  tie: string,
  /** The same documents in a form that is counted faster than it is sorted. */
  counted?: Filter,
) => Promise<Listed<T>>;

/**
 * Lists pages of one collection. The order is by the sort key (a field of the row itself), then by `tie`, a unique one, so
 * that a page stays as it is while rows are added elsewhere. Totals up to 10,000 are exact; a larger one may be some minutes
 * old.
 */
export function createListPage<T extends Document>(collection: Collection<T>): ListPage<T> {
  const countOf = createKeptCount<Alternatives, number>(
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
    if (filters.length > 1 && canMerge(filters, skip + limit)) {
      const parts = await findEach(collection, filters, { sort, limit: skip + limit });
      // What has less than was asked for is all there is, and is not counted as well.
      const isWhole = parts.every((part) => part.length < skip + limit);
      return listed(merged(parts, { sort, skip, limit }), isWhole ? lengthOf(parts) : await count(), skip);
    }
    const [total, items] = await Promise.all([count(), findTogether(collection, filters, { sort, skip, limit })]);
    return listed(items, total, skip);
  };
}

/** What is seen is there, also where the total is older, or something was added between the two. */
function listed<T>(items: T[], total: number, skip: number): Listed<T> {
  return { items, total: items.length === 0 ? total : Math.max(total, skip + items.length) };
}

/** What fits any of the alternatives, in one order. */
export async function findTogether<T extends Document>(
  collection: Collection<T>,
  filters: Alternatives,
  { sort, skip, limit }: Part,
): Promise<T[]> {
  const [first, ...others] = filters;
  if (first === undefined) return [];
  if (others.length === 0) return collection.find(first, { sort, skip, limit });
  if (!canMerge(filters, skip + limit)) return collection.find(or(...filters), { sort, skip, limit });
  return merged(await findEach(collection, filters, { sort, limit: skip + limit }), { sort, skip, limit });
}

function canMerge(filters: Alternatives, ofEach: number): boolean {
  return filters.length * ofEach <= MOST_MERGED;
}

function findEach<T extends Document>(
  collection: Pick<Collection<T>, 'find'>,
  filters: Alternatives,
  options: Pick<Part, 'sort' | 'limit'>,
): Promise<T[][]> {
  return Promise.all(filters.map((filter) => collection.find(filter, options)));
}

function merged<T extends Document>(parts: readonly T[][], { sort, skip, limit }: Part): T[] {
  return parts
    .flat()
    .sort((a, b) => compareRows(a, b, sort))
    .slice(skip, skip + limit);
}

function lengthOf(parts: readonly (readonly unknown[])[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function compareRows(a: Document, b: Document, sort: Part['sort']): number {
  for (const [path, direction] of sort) {
    const order = compare(valueOf(a, path), valueOf(b, path));
    if (order !== 0) return order * direction;
  }
  return 0;
}

function valueOf(row: Document, field: string): unknown {
  return (row as unknown as Readonly<Record<string, unknown>>)[field];
}

/** As both servers order: what is absent or null, numbers, texts. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b);
  return rankOf(a) - rankOf(b);
}

function rankOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  return typeof value === 'number' ? 1 : 2;
}
