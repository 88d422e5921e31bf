// Pages of lists, with their position in the whole list.
import type { JSONSchema } from 'json-schema-to-ts';

const MAX_LIMIT = 100;
/** Of the texts that lists are searched for, a tag of OCPP 2.1 is the longest that must be given whole. */
const MAX_SEARCH = 255;

/** The query parameters of a sorted list. `order` is its default order, for the document: `startTime, newest first`. */
export function sortedQuerySchema<const K extends string>(sortKeys: readonly K[], order: string) {
  return {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'Number of the page, from 1. Default 1.' },
      limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, description: 'Records of a page. Default 100.' },
      sortKey: {
        type: 'string',
        enum: sortKeys,
        description: `The field that orders the list; records with the same value are ordered by id. Default: ${order}.`,
      },
      sortDescending: {
        type: 'boolean',
        description: 'True: descending. False: ascending. Default: ascending with a `sortKey`, else the default order.',
      },
    },
    additionalProperties: false,
  } as const;
}

/** The schema of an object with further properties. */
export function withProperties<const S extends { readonly properties: object }, const P extends object>(
  schema: S,
  more: P,
) {
  const properties: S['properties'] & P = { ...schema.properties, ...more };
  return { ...schema, properties } as const;
}

/** The same for a list with a search. `search` says what it matches, for the document: `a part of the name`. */
export function pageQuerySchema<const K extends string>(sortKeys: readonly K[], order: string, search: string) {
  return withProperties(sortedQuerySchema(sortKeys, order), {
    search: { type: 'string', minLength: 1, maxLength: MAX_SEARCH, description: `Matches ${search}.` },
  });
}

/** The response of a list with items of this schema, as a schema with this title. */
export function pageSchema<const T extends string, const S extends JSONSchema>(title: T, items: S) {
  return {
    title,
    type: 'object',
    description: 'A page of the list.',
    properties: {
      page: { type: 'integer', description: 'Number of this page, from 1.', examples: [1] },
      limit: { type: 'integer', description: 'The requested number of records of a page.', examples: [100] },
      totalRecords: { type: 'integer', description: 'Number of records of the whole list.', examples: [1] },
      hasNextPage: { type: 'boolean', description: 'Whether there are records after this page.' },
      hasPreviousPage: { type: 'boolean', description: 'Whether there are records before this page.' },
      items: { type: 'array', items, description: 'The records of this page, in the requested order.' },
    },
    required: ['page', 'limit', 'totalRecords', 'hasNextPage', 'hasPreviousPage', 'items'],
    additionalProperties: false,
  } as const;
}

/** The same with fields of its own before those of a page. */
export function pageSchemaWith<
  const T extends string,
  const S extends JSONSchema,
  const F extends Readonly<Record<string, JSONSchema>>,
>(title: T, items: S, fields: F) {
  const page = pageSchema(title, items);
  const names: readonly (keyof F & string)[] = Object.keys(fields);
  return { ...page, properties: { ...fields, ...page.properties }, required: [...names, ...page.required] } as const;
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

/** A page of records in memory, for short lists. `sort`: texts or numbers, the same for all records. `search` looks into `searched`. */
export function pageOf<T, K extends string>(
  records: readonly T[],
  query: PageQuery<K>,
  by: { readonly sort: (record: T, key: K) => string | number; readonly searched: (record: T) => string },
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

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : Number(a > b);
}
