// Pages of lists, with their position in the whole list.
import type { JSONSchema } from 'json-schema-to-ts';

const MAX_LIMIT = 100;

/** The query parameters of a list, with its sort keys. */
export function pageQuerySchema<const K extends string>(sortKeys: readonly K[]) {
  return {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'Page number, from 1. Default 1.' },
      limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, description: 'Records of a page. Default 100.' },
      sortKey: { type: 'string', enum: sortKeys },
      sortDescending: { type: 'boolean' },
      search: { type: 'string', minLength: 1, maxLength: 100 },
    },
    additionalProperties: false,
  } as const;
}

/** The response of a list with items of this schema. */
export function pageSchema<const S extends JSONSchema>(items: S) {
  return {
    type: 'object',
    properties: {
      page: { type: 'integer' },
      limit: { type: 'integer' },
      totalRecords: { type: 'integer' },
      hasNextPage: { type: 'boolean' },
      hasPreviousPage: { type: 'boolean' },
      items: { type: 'array', items },
    },
    required: ['page', 'limit', 'totalRecords', 'hasNextPage', 'hasPreviousPage', 'items'],
    additionalProperties: false,
  } as const;
}

export interface PageQuery<K extends string> {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly sortKey?: K | undefined;
  readonly sortDescending?: boolean | undefined;
  readonly search?: string | undefined;
}

export interface PageOf<T> {
  readonly page: number;
  readonly limit: number;
  readonly totalRecords: number;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly items: readonly T[];
}

/** A page of records in memory, for short lists. `search` looks into `searched`. */
export function pageOf<T, K extends string>(
  records: readonly T[],
  query: PageQuery<K>,
  by: { readonly sort: (record: T, key: K) => string; readonly searched: (record: T) => string },
): PageOf<T> {
  const { page = 1, limit = MAX_LIMIT, sortKey, sortDescending = false, search } = query;
  const wanted = search?.toLowerCase();
  const found = records.filter((record) => wanted === undefined || by.searched(record).toLowerCase().includes(wanted));
  const sorted =
    sortKey === undefined ? found : found.sort((a, b) => compare(by.sort(a, sortKey), by.sort(b, sortKey)));
  if (sortDescending) sorted.reverse();
  return {
    page,
    limit,
    totalRecords: sorted.length,
    hasNextPage: page * limit < sorted.length,
    hasPreviousPage: page > 1 && sorted.length > 0,
    items: sorted.slice((page - 1) * limit, page * limit),
  };
}

/** The page that a query requests from the store, with the list's default order. */
export function pageWanted<K extends string>(
  { page = 1, limit = MAX_LIMIT, sortKey, sortDescending }: PageQuery<K>,
  order: { readonly sortKey: K; readonly sortDescending: boolean },
) {
  // A sort key without a direction ascends. Without a sort key the default order applies.
  const ownOrder = sortKey === undefined ? order.sortDescending : false;
  return { page, limit, sortKey: sortKey ?? order.sortKey, sortDescending: sortDescending ?? ownOrder };
}

/** The response of a list that the store has paged. */
export function listReply<T>(
  { page, limit }: { readonly page: number; readonly limit: number },
  { items, total }: { readonly items: readonly T[]; readonly total: number },
): PageOf<T> {
  return {
    page,
    limit,
    totalRecords: total,
    hasNextPage: page * limit < total,
    hasPreviousPage: page > 1 && total > 0,
    items,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
