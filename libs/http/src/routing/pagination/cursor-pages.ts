// Lists that are followed by cursor: every page continues where the one before ended, and what changed since is found again.
import type { JSONSchema } from 'json-schema-to-ts';
import { cursorSchema, readCursor, scopeOf, writeCursor, type Place } from './cursor';
import { refusalOf } from '../request/issue';
import { pageQuerySchema, pageSchema, pageWanted, withProperties, type PageOf, type PageQuery } from './numbered-pages';

/**
 * A change is stamped with the clock of the process that writes it, and is visible when the store has it. Within this time
 * each change is visible, whatever the clocks' differences: a write takes at most some ten seconds.
 */
export const VISIBILITY_DELAY_MS = 120_000;

/** The query parameters of such a list. `order` and `search` are as in `pageQuerySchema`. */
export function cursorQuerySchema<const K extends string>(sortKeys: readonly K[], order: string, search: string) {
  return withProperties(pageQuerySchema(sortKeys, order, search), {
    after: cursorSchema,
    updatedSince: {
      type: 'string',
      format: 'date-time',
      description:
        'Only records whose `updatedAt` is this timestamp or later. Default order: by `updatedAt`. To continue an earlier synchronization, give its last `nextUpdatedSince`.',
    },
  });
}

/** The response of such a list with items of this schema, as a schema with this title. */
export function cursorPageSchema<const T extends string, const S extends JSONSchema>(title: T, items: S) {
  const schema = pageSchema(title, items);
  return {
    ...schema,
    properties: {
      ...schema.properties,
      nextCursor: {
        type: ['string', 'null'],
        description:
          'Give it as `after` to get the next page. Null on the last page, and where the request has `page`.',
        examples: [null],
      },
      nextUpdatedSince: {
        type: ['string', 'null'],
        format: 'date-time',
        description:
          'On the last page, unless the request has `page`: give it as `updatedSince` to the next synchronization, which then misses nothing that changed since. Else null.',
        examples: ['2026-01-31T11:58:00.000Z'],
      },
    },
    required: [...schema.required, 'nextCursor', 'nextUpdatedSince'],
  } as const;
}

export interface CursorQuery<K extends string> extends PageQuery<K> {
  readonly after?: string | undefined;
  readonly updatedSince?: string | undefined;
}

interface List<K extends string> {
  /** Unique among the lists of the API. */
  readonly list: string;
  readonly sortKey: K;
  readonly sortDescending: boolean;
  /** Before the store is read. */
  readonly now: Date;
}

/** The page that a query requests from the store, and what its response needs. */
export interface CursorPage<K extends string> {
  readonly page: number;
  readonly limit: number;
  readonly sortKey: K;
  readonly sortDescending: boolean;
  readonly after: Place | undefined;
  /** In UTC. */
  readonly updatedSince: string | undefined;
  readonly scope: string;
  readonly byNumber: boolean;
  readonly completeUntil: string | null;
  /** Every change until then is visible. */
  readonly visibleUntil: string;
}

/** Throws `invalid_request` for `after` with `page`, and for a cursor of another query. */
export function cursorPageWanted<K extends string>(
  query: CursorQuery<K | 'updatedAt'>,
  { list, now, ...order }: List<K>,
): CursorPage<K | 'updatedAt'> {
  const { page, after } = query;
  if (after !== undefined && page !== undefined) {
    throw refusalOf([
      { path: '?after', message: 'cannot be combined with page: the cursor says where the page begins' },
    ]);
  }
  const byChange = { sortKey: 'updatedAt', sortDescending: false } as const;
  const wanted = pageWanted<K | 'updatedAt'>(query, query.updatedSince === undefined ? order : byChange);
  // The order as it is meant, whether the request names it or not. Pages may have different limits.
  const { sortKey, sortDescending } = wanted;
  const scope = scopeOf(list, {
    ...query,
    sortKey,
    sortDescending,
    page: undefined,
    limit: undefined,
    after: undefined,
  });
  const cursor = after === undefined ? undefined : readCursor(after, scope);
  return {
    ...wanted,
    page: cursor?.page ?? wanted.page,
    after: cursor?.place,
    updatedSince: query.updatedSince === undefined ? undefined : new Date(query.updatedSince).toISOString(),
    scope,
    byNumber: page !== undefined,
    completeUntil: cursor?.completeUntil ?? null,
    visibleUntil: new Date(now.getTime() - VISIBILITY_DELAY_MS).toISOString(),
  };
}

export interface CursorPageOf<T> extends PageOf<T> {
  readonly nextCursor: string | null;
  readonly nextUpdatedSince: string | null;
}

/** The response of a page that the store has read. */
export function cursorReply<T>(
  wanted: CursorPage<string>,
  { items, total, next }: { readonly items: readonly T[]; readonly total: number; readonly next?: Place | undefined },
): CursorPageOf<T> {
  const { page, limit, scope, byNumber } = wanted;
  const completeUntil = completeUntilAfter(wanted, next);
  return {
    page,
    limit,
    totalRecords: total,
    hasNextPage: next !== undefined,
    hasPreviousPage: page > 1 && total > 0,
    items,
    nextCursor:
      next === undefined || byNumber ? null : writeCursor({ place: next, page: page + 1, completeUntil }, scope),
    nextUpdatedSince: next === undefined && !byNumber ? (completeUntil ?? wanted.visibleUntil) : null,
  };
}

/**
 * The time up to which nothing can be missed by who continues from it. In the order of change that is decided by the first
 * page that reaches beyond `visibleUntil`: a change with an earlier time may still appear behind it. In another order
 * whatever changes after the first page may be missed.
 */
function completeUntilAfter(wanted: CursorPage<string>, next: Place | undefined): string | null {
  const { completeUntil, sortKey, sortDescending, visibleUntil } = wanted;
  if (completeUntil !== null) return completeUntil;
  const isByChange = sortKey === 'updatedAt' && !sortDescending;
  const isBeyond = next !== undefined && String(next.value) > visibleUntil;
  return !isByChange || isBeyond ? visibleUntil : null;
}
