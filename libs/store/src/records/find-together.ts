// What fits any of several alternatives, in one order.
import { oneOf, or, type Collection, type Document, type Filter, type IndexDefinition } from '../port';

/** Rows read to be merged into one page; beyond it the store sorts all alternatives together. */
const MOST_MERGED = 20_000;

/**
 * Alternatives to be listed together, of which a row fits one at most. Each is read by itself: neither server finds the
 * index that has the rows of one charger in order when it is given ten chargers at once.
 */
export type Alternatives = readonly Filter[];

/** The last path of the order is a unique one that every row has a text or a number at, and all are top-level fields. */
export interface Part {
  readonly skip: number;
  readonly limit: number;
  readonly sort: readonly (readonly [path: string, direction: 1 | -1])[];
}

export interface Found<T> {
  readonly items: T[];
  /** How many there are altogether, where all of them were seen. */
  readonly total: number | undefined;
}

export type FindTogether<T extends Document> = (filters: Alternatives, part: Part) => Promise<Found<T>>;

/** Whether so many alternatives, of which each is read up to that row, are merged, and so may be seen whole. */
export function canMerge(filters: Alternatives, ofEach: number): boolean {
  return filters.length > 1 && filters.length * ofEach <= MOST_MERGED;
}

/**
 * Where one of the indexes holds what is asked and sorted by, the rows of a page are chosen from it and only they are read:
 * a thousand sessions of a hundred chargers lie in as many places of a data file, and fifty are shown. A row that is gone by
 * then is left out; one that changed is shown as it is, at the place that it had.
 */
export function createFindTogether<T extends Document>(
  collection: Collection<T>,
  indexes: readonly IndexDefinition[],
): FindTogether<T> {
  return async (filters, part) => {
    const { sort, skip, limit } = part;
    const [first, ...others] = filters;
    if (first === undefined) return { items: [], total: 0 };
    if (!canMerge(filters, skip + limit)) {
      const filter = others.length === 0 ? first : or(...filters);
      return { items: await collection.find(filter, part), total: undefined };
    }
    const ofEach = { sort, limit: skip + limit };
    if (!areInOneIndex(filters, sort, indexes)) {
      const parts = await Promise.all(filters.map((filter) => collection.find(filter, ofEach)));
      return { items: merged(parts, part, (row, at) => fieldOf(row, sort[at]?.[0])), total: totalOf(parts, ofEach) };
    }
    const paths = sort.map(([path]) => path);
    const parts = await Promise.all(filters.map((filter) => collection.findValues(filter, paths, ofEach)));
    const chosen = merged(parts, part, (values, at) => values[at]).map((values) => values.at(-1));
    return { items: await readEach(collection, paths.at(-1) ?? '', chosen), total: totalOf(parts, ofEach) };
  };
}

/** The rows with these values of a unique path, in their order. */
async function readEach<T extends Document>(
  collection: Collection<T>,
  path: string,
  chosen: readonly unknown[],
): Promise<T[]> {
  const values = chosen.filter((value) => typeof value === 'string' || typeof value === 'number');
  if (values.length === 0) return [];
  const rows = new Map((await collection.find(oneOf(path, values))).map((row) => [fieldOf(row, path), row]));
  return values.flatMap((value) => rows.get(value) ?? []);
}

/** What has less than was asked for is all there is. */
function totalOf(parts: readonly (readonly unknown[])[], { limit }: Pick<Part, 'limit'>): number | undefined {
  if (parts.some(({ length }) => length >= limit)) return undefined;
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function areInOneIndex(filters: Alternatives, sort: Part['sort'], indexes: readonly IndexDefinition[]): boolean {
  const asked = new Set([...filters.flatMap(pathsOf), ...sort.map(([path]) => path)]);
  return indexes.some(({ paths }) => {
    const held = new Set(paths.map(([path]) => path));
    return [...asked].every((path) => held.has(path));
  });
}

function pathsOf(filter: Filter): string[] {
  return 'filters' in filter ? filter.filters.flatMap(pathsOf) : [filter.path];
}

/** `keyOf`: what a row has at a place of the order. */
function merged<R>(
  parts: readonly (readonly R[])[],
  { sort, skip, limit }: Part,
  keyOf: (row: R, at: number) => unknown,
): R[] {
  const inOrder = (a: R, b: R): number => {
    for (const [at, [, direction]] of sort.entries()) {
      const order = compare(keyOf(a, at), keyOf(b, at));
      if (order !== 0) return order * direction;
    }
    return 0;
  };
  return parts
    .flat()
    .sort(inOrder)
    .slice(skip, skip + limit);
}

function fieldOf(row: Document, field: string | undefined): unknown {
  return (row as unknown as Readonly<Record<string, unknown>>)[field ?? ''];
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
