// The pages of the fleet's list: read where they come into sight, by cursor behind the page before, else by number.
import { keepPreviousData, useQueries, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { createChangesWhileReading } from '../../model/changes-while-reading';
import { CHARGER_PAGES } from '../../records/charger-keys';
import { filtersOf, PAGE_SIZE, queryOf, type FleetSearch } from './fleet-search';

export type Row = Schemas['ListedCharger'];
type Page = Schemas['ChargerPage'];

const inReading = createChangesWhileReading<Row>(({ chargerId }) => chargerId);

/** A page that was scrolled out of sight is dropped after this time: 100,000 rows never are in memory together. */
const KEPT_MS = 60_000;
/** A page that was asked for before the screen was drawn is not asked for again. */
const FRESH_MS = 2_000;

export interface FleetPages {
  /** Undefined until the first page is there. */
  readonly total: number | undefined;
  readonly rowAt: (index: number) => Row | undefined;
  readonly error: unknown;
  readonly isReplacing: boolean;
  retry(): void;
}

export function useFleetPages(search: FleetSearch, inSight: readonly number[]): FleetPages {
  const client = useQueryClient();
  const numbers = [...new Set([1, ...inSight])];
  const results = useQueries({
    queries: numbers.map((number) => ({
      ...pageQuery(client, search, number),
      // But for those that were out of sight: the feed is asked for rows in sight alone.
      refetchOnMount: ({ state }: { readonly state: { readonly dataUpdatedAt: number } }) =>
        Date.now() - state.dataUpdatedAt > FRESH_MS ? ('always' as const) : false,
      refetchOnWindowFocus: false,
      ...(number === 1 ? { placeholderData: keepPreviousData<Page> } : {}),
    })),
  });
  const pages = new Map(numbers.map((number, n) => [number, results[n]?.data]));
  const failed = results.find(({ isError }) => isError);
  return {
    total: pages.get(1)?.totalRecords,
    rowAt: (index) => pages.get(Math.floor(index / PAGE_SIZE) + 1)?.items[index % PAGE_SIZE],
    error: failed?.error ?? undefined,
    isReplacing: results[0]?.isPlaceholderData ?? false,
    retry: () =>
      void client.refetchQueries({
        queryKey: CHARGER_PAGES,
        predicate: ({ state }) => state.status === 'error',
      }),
  };
}

/** The first page at this address. */
export function firstPageQuery(client: QueryClient, search: FleetSearch) {
  return pageQuery(client, search, 1);
}

function pageQuery(client: QueryClient, search: FleetSearch, number: number) {
  return {
    queryKey: pageKey(search, number),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => readPage(client, search, { number, signal }),
    // Events keep rows current; a reader's list is not exchanged under their hand.
    staleTime: Infinity,
    gcTime: KEPT_MS,
    meta: { showsFailure: true },
  };
}

/** Reads shown pages again where events may have been missed. */
export function refreshPages(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: CHARGER_PAGES });
}

/** Changes one row wherever it is cached; returns the changed row, or undefined where none is. */
export function changeRow(client: QueryClient, chargerId: string, change: (row: Row) => Row): Row | undefined {
  inReading.changed(chargerId, change);
  let changed: Row | undefined;
  client.setQueriesData<Page>({ queryKey: CHARGER_PAGES }, (page) => {
    const at = page?.items.findIndex((row) => row.chargerId === chargerId) ?? -1;
    const row = page?.items[at];
    if (page === undefined || row === undefined) return page;
    changed = change(row);
    return { ...page, items: page.items.with(at, changed) };
  });
  return changed;
}

/** Reads one charger into its row, where it was changed by somebody. Rejects where that fails: the row stays as it was. */
export async function readRow(client: QueryClient, chargerId: string): Promise<void> {
  const queryKey = ['chargers', 'row', chargerId];
  // A reading that began before the change may not have it.
  await client.cancelQueries({ queryKey });
  const row = await client.query({
    queryKey,
    queryFn: ({ signal }) =>
      inReading.one(() => dataOf(api.GET('/v2/chargers/{chargerId}', { params: { path: { chargerId } }, signal }))),
    staleTime: 0,
    gcTime: 0,
  });
  changeRow(client, chargerId, (before) => ({ ...before, ...row }));
}

function pageKey(search: FleetSearch, number: number) {
  return [...CHARGER_PAGES, search.order ?? 'chargerId', filtersOf(search), number] as const;
}

async function readPage(
  client: QueryClient,
  search: FleetSearch,
  { number, signal }: { readonly number: number; readonly signal: AbortSignal },
): Promise<Page> {
  const after = client.getQueryData<Page>(pageKey(search, number - 1))?.nextCursor;
  const position = number === 1 ? {} : after == null ? { page: number } : { after };
  const query = { ...queryOf(search), ...position };
  return inReading.page(() => dataOf(api.GET('/v2/chargers', { params: { query }, signal })));
}
