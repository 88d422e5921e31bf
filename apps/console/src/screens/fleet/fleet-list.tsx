// The list of chargers: only the rows in sight are in the page, and only the pages in sight are in memory. Events change rows in
// place, and never their order.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useFeed, type FeedEvent } from '../../live/live';
import { MAX_CHARGERS } from '../../live/needs';
import { useAnnounce } from '../../parts/announcer';
import { ChangeBar } from '../../parts/change-bar';
import { Empty, FailureNote, NothingFound } from '../../parts/notes';
import { texts } from '../../texts';
import { applyEvent, ROW_TYPES } from '../../model/apply-event';
import { reloadPages } from '../../records/charger-keys';
import { describeFilters } from './describe-filters';
import { changeRow, readRow, refreshPages, useFleetPages } from './fleet-pages';
import { FleetRow, useRowHeight } from './fleet-row';
import { isFiltered, matches, NO_FILTERS, PAGE_SIZE, type FleetSearch } from './fleet-search';
import { FleetToolbar } from './fleet-toolbar';
import { useRowLinks } from './row-links';
import { useChangeCount } from './use-change-count';
import { useFewAtATime } from './use-few-at-a-time';
import { useRowsInSight } from './use-rows-in-sight';

interface FleetListProps {
  readonly search: FleetSearch;
  readonly setSearch: (change: Partial<FleetSearch>) => void;
  /** The number of chargers of the client now, by the figures. */
  readonly chargers: number | undefined;
}

const SETTLE_MS = 300;

export function FleetList({ search, setSearch, chargers }: FleetListProps) {
  const [range, setRange] = useState<readonly [first: number, last: number]>([0, 0]);
  const pages = useFleetPages(search, pagesIn(range));
  const changes = useRowChanges(search, range, pages.rowAt);
  const gone = changes.deleted.size + changes.moved.size;
  const { count, reset } = useChangeCount({ search, total: pages.total, chargers, gone });
  const client = useQueryClient();

  function showChanges(): void {
    changes.clear();
    reset();
    reloadPages(client);
  }

  return (
    <section className="fleet" aria-label={texts.fleet.list}>
      <FleetToolbar search={search} setSearch={setSearch} total={pages.total} />
      <ChangeBar count={count} text={texts.fleet.orderChanged(count)} onShow={showChanges} />
      {pages.error !== undefined && (
        <div className="fleet-failure">
          <FailureNote title={texts.fleet.listFailed} error={pages.error} onRetry={() => pages.retry()} />
        </div>
      )}
      {pages.total === 0 ? (
        <Nothing search={search} onClear={() => setSearch(NO_FILTERS)} />
      ) : (
        (pages.total !== undefined || pages.error === undefined) && (
          <Rows search={search} setSearch={setSearch} pages={pages} deleted={changes.deleted} onRange={setRange} />
        )
      )}
    </section>
  );
}

/** Without a filter the client has no charger: the first steps take this place once the figures are read. */
function Nothing({ search, onClear }: { readonly search: FleetSearch; readonly onClear: () => void }) {
  if (!isFiltered(search)) return <Empty title={texts.fleet.empty} />;
  return <NothingFound title={texts.fleet.nothingFound} filters={describeFilters(search)} onClear={onClear} />;
}

/** Applies events to rows, and collects what a list read anew would show elsewhere or not at all. */
function useRowChanges(
  search: FleetSearch,
  [first, last]: readonly [number, number],
  rowAt: (index: number) => { readonly chargerId: string } | undefined,
) {
  const client = useQueryClient();
  const announce = useAnnounce();
  const [deleted, setDeleted] = useState<ReadonlySet<string>>(new Set());
  const [moved, setMoved] = useState<ReadonlySet<string>>(new Set());
  const ids: string[] = [];
  for (let index = first; index <= last && ids.length < MAX_CHARGERS; index++) {
    const id = rowAt(index)?.chargerId;
    if (id !== undefined) ids.push(id);
  }
  const need = ids.length === 0 ? undefined : { types: ROW_TYPES, chargerIds: ids };

  function onEvent(event: FeedEvent): void {
    const { chargerId } = event;
    if (chargerId === null) return;
    if (event.type === 'charger.deleted') {
      setDeleted((before) => new Set(before).add(chargerId));
      return;
    }
    if (event.type === 'charger.updated') {
      readRow(client, chargerId).catch(() => undefined);
      return;
    }
    const row = changeRow(client, chargerId, (before) => applyEvent(before, event));
    if (row === undefined) return;
    setMoved((before) => withMembership(before, chargerId, !matches(search, row)));
    if (event.type === 'charger.state_changed') announce(texts.fleet.changedState(row.name, texts.states[row.state]));
  }

  useFeed(need, onEvent, () => refreshPages(client));
  const filters = JSON.stringify({ ...search, page: undefined });
  useEffect(() => {
    setDeleted(new Set());
    setMoved(new Set());
  }, [filters]);
  return {
    deleted,
    moved,
    clear() {
      setDeleted(new Set());
      setMoved(new Set());
    },
  };
}

interface RowsProps {
  readonly search: FleetSearch;
  readonly setSearch: (change: Partial<FleetSearch>) => void;
  readonly pages: ReturnType<typeof useFleetPages>;
  readonly deleted: ReadonlySet<string>;
  readonly onRange: (range: readonly [number, number]) => void;
}

function Rows({ search, setSearch, pages, deleted, onRange }: RowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const height = useRowHeight();
  const count = pages.total ?? OUTLINED_ROWS;
  const { top, indices } = useRowsInSight(list, { count, height });
  const first = indices[0] ?? 0;
  const last = indices.at(-1) ?? 0;
  useEffect(() => onRange([first, last]), [first, last, onRange]);
  const links = useRowLinks();
  const read = indices.filter((index) => pages.rowAt(index) !== undefined);
  const drawn = useFewAtATime(read);
  const isDrawn = pages.total !== undefined && drawn.size === indices.length;
  usePageOfAddress(search, setSearch, { top, height, isReady: pages.total !== undefined });

  return (
    <div
      role="table"
      aria-label={texts.fleet.list}
      aria-rowcount={count + 1}
      aria-busy={!isDrawn && pages.error === undefined}
      className="rows"
    >
      <div role="row" aria-rowindex={1} className="row row-head">
        <span role="columnheader">{texts.fleet.columnCharger}</span>
        <span role="columnheader">{texts.fleet.columnState}</span>
        <span role="columnheader">{texts.fleet.columnSockets}</span>
        <span role="columnheader">{texts.fleet.columnSite}</span>
        <span role="columnheader">{texts.fleet.columnConnection}</span>
        <span role="columnheader">{texts.fleet.columnModel}</span>
      </div>
      <div
        role="rowgroup"
        ref={list}
        className={classOf(pages.isReplacing, isDrawn)}
        style={{ height: count * height }}
        {...links}
      >
        {read.map((index) => {
          const row = drawn.has(index) ? pages.rowAt(index) : undefined;
          if (row === undefined) return null;
          const place = { top: index * height, height };
          return <FleetRow key={index} row={row} index={index} isDeleted={deleted.has(row.chargerId)} {...place} />;
        })}
      </div>
    </div>
  );
}

/** Outlines stand for rows that are not there: a background, which is drawn at no cost for each row. */
function classOf(isReplacing: boolean, isDrawn: boolean): string {
  return `rows-body${isReplacing ? ' rows-replaced' : ''}${isDrawn ? '' : ' rows-outlined'}`;
}

/** Until the length of the list is known. */
const OUTLINED_ROWS = 8;

/** Scrolls to the page of the address once, where it is not in sight, and keeps the address current afterwards. */
function usePageOfAddress(
  search: FleetSearch,
  setSearch: (change: Partial<FleetSearch>) => void,
  { top, height, isReady }: { readonly top: number | undefined; readonly height: number; readonly isReady: boolean },
): void {
  const wanted = useRef(search.page);
  useEffect(() => {
    const page = wanted.current;
    if (!isReady || top === undefined || page === undefined) return;
    // Who comes back stands where they were in it.
    if (pageAt(window.scrollY - top, height) !== page) {
      window.scrollTo({ top: top + (page - 1) * PAGE_SIZE * height - 2 * height });
    }
    wanted.current = undefined;
  }, [isReady, top, height]);
  const shown = search.page ?? 1;
  useEffect(() => {
    if (top === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const page = pageAt(window.scrollY - top, height);
        if (page !== shown && wanted.current === undefined) setSearch({ page: page === 1 ? undefined : page });
      }, SETTLE_MS);
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('scroll', onScroll);
    };
  }, [top, height, shown, setSearch]);
}

/** The page of the third row in sight. `above`: the pixels of the list above the window. */
function pageAt(above: number, height: number): number {
  return Math.max(1, Math.floor((above + 3 * height) / height / PAGE_SIZE) + 1);
}

function pagesIn([first, last]: readonly [number, number]): readonly number[] {
  const from = Math.floor(first / PAGE_SIZE) + 1;
  const to = Math.floor(last / PAGE_SIZE) + 1;
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}

function withMembership(set: ReadonlySet<string>, member: string, isIn: boolean): ReadonlySet<string> {
  if (set.has(member) === isIn) return set;
  const changed = new Set(set);
  if (isIn) changed.add(member);
  else changed.delete(member);
  return changed;
}
