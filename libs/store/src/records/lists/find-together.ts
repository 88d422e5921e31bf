// Finds the matches of several alternatives in one order.
import { valueAtPath } from '../../language/paths';
import { oneOf, or, type Collection, type Document, type Filter, type IndexDefinition, type Scalar } from '../../port';

/** Rows read to be merged into one page; beyond it the store sorts all alternatives together. */
const MAX_MERGED = 20_000;

/**
 * Alternatives of which a row matches one at most. Each is read by itself: neither server uses the ordered index of one
 * charger's rows for a list of ten chargers.
 */
export type Alternatives = readonly Filter[];

/** The last path of the order is unique, with a text or number in every row. */
export interface Part {
  readonly skip: number;
  readonly limit: number;
  readonly sort: readonly (readonly [path: string, direction: 1 | -1])[];
}

export interface Found<T> {
  readonly items: T[];
  /**
   * The values of the order's paths of each row as it was found, in their order. An item may have changed or been deleted
   * since; then items and places differ.
   */
  readonly places: readonly (readonly unknown[])[];
  /** The total, where all matches were read. */
  readonly total: number | undefined;
}

/** The values at these paths of a part's rows; undefined where no index covers the query. */
export type ValuesTogether = (
  filters: Alternatives,
  paths: readonly string[],
  part: Part,
) => Promise<{ readonly values: Scalar[][]; readonly total: number | undefined } | undefined>;

export type FindTogether<T extends Document> = (filters: Alternatives, part: Part) => Promise<Found<T>>;

/** Returns whether so many alternatives, each read up to that row, are merged, and so may be read completely. */
export function canMerge(filters: Alternatives, ofEach: number): boolean {
  return filters.length > 1 && filters.length * ofEach <= MAX_MERGED;
}

/** Reads the covering index, and no row. */
export function createValuesTogether<T extends Document>(
  collection: Pick<Collection<T>, 'findValues'>,
  indexes: readonly IndexDefinition[],
): ValuesTogether {
  return async (filters, paths, part) => {
    const { sort, skip, limit } = part;
    if (!areInOneIndex(filters, [...paths, ...sort.map(([path]) => path)], indexes)) return undefined;
    if (!canMerge(filters, skip + limit)) {
      return { values: await collection.findValues(anyOf(filters), paths, part), total: undefined };
    }
    const ofEach = { sort, limit: skip + limit };
    const parts = await Promise.all(filters.map((filter) => collection.findValues(filter, paths, ofEach)));
    const places = sort.map(([path]) => paths.indexOf(path));
    return { values: merged(parts, part, (row, at) => row[places[at] ?? -1]), total: totalOf(parts, ofEach) };
  };
}

/**
 * Where an index covers filter and order, a page is chosen from it and only its rows are read. A thousand sessions of a
 * hundred chargers are scattered over the data file, and fifty are shown. A row deleted meanwhile is omitted. A changed
 * row is shown as it is, in its old place.
 */
export function createFindTogether<T extends Document>(
  collection: Collection<T>,
  indexes: readonly IndexDefinition[],
): FindTogether<T> {
  const valuesTogether = createValuesTogether(collection, indexes);
  return async (filters, part) => {
    const { sort, skip, limit } = part;
    const placesOf = (rows: readonly T[]) => rows.map((row) => sort.map(([path]) => valueAtPath(row, path)));
    if (filters.length === 0) return { items: [], places: [], total: 0 };
    if (!canMerge(filters, skip + limit)) {
      const items = await collection.find(anyOf(filters), part);
      return { items, places: placesOf(items), total: undefined };
    }
    const tie = sort.at(-1)?.[0] ?? '';
    const chosen = await valuesTogether(
      filters,
      sort.map(([path]) => path),
      part,
    );
    if (chosen !== undefined) {
      const correlations = chosen.values.map((values) => values.at(-1));
      return { items: await readEach(collection, tie, correlations), places: chosen.values, total: chosen.total };
    }
    const ofEach = { sort, limit: skip + limit };
    const parts = await Promise.all(filters.map((filter) => collection.find(filter, ofEach)));
    const items = merged(parts, part, (row, at) => valueAtPath(row, sort[at]?.[0] ?? ''));
    return { items, places: placesOf(items), total: totalOf(parts, ofEach) };
  };
}

function anyOf(filters: Alternatives): Filter {
  const [first, ...others] = filters;
  return first !== undefined && others.length === 0 ? first : or(...filters);
}

/** The rows with these values of a unique path, in their order. */
async function readEach<T extends Document>(
  collection: Collection<T>,
  path: string,
  chosen: readonly unknown[],
): Promise<T[]> {
  const values = chosen.filter((value) => typeof value === 'string' || typeof value === 'number');
  if (values.length === 0) return [];
  const rows = new Map((await collection.find(oneOf(path, values))).map((row) => [valueAtPath(row, path), row]));
  return values.flatMap((value) => rows.get(value) ?? []);
}

/** Fewer rows than requested are all there are. */
function totalOf(parts: readonly (readonly unknown[])[], { limit }: Pick<Part, 'limit'>): number | undefined {
  if (parts.some(({ length }) => length >= limit)) return undefined;
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function areInOneIndex(filters: Alternatives, paths: readonly string[], indexes: readonly IndexDefinition[]): boolean {
  const asked = new Set([...filters.flatMap(pathsOf), ...paths]);
  return indexes.some((index) => {
    const held = new Set(index.paths.map(([path]) => path));
    return [...asked].every((path) => held.has(path));
  });
}

function pathsOf(filter: Filter): string[] {
  return 'filters' in filter ? filter.filters.flatMap(pathsOf) : [filter.path];
}

/** `keyOf`: a row's value at a place of the order. */
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

/** Both servers' order: null or absent, numbers, texts. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b);
  return rankOf(a) - rankOf(b);
}

function rankOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  return typeof value === 'number' ? 1 : 2;
}
