// Follows a charger's log. Rows become visible out of order: two gateways' clocks differ, and a message can wait for the
// broker while a later connection's is stored. So a follower remembers which rows of the last minutes it has, and a
// cursor counts them.
import { firstIdAt, isUlid, timeOfId } from '@busbar/core';
import type { LogReader, LogRow } from './history';

/** A row may become visible so long after a newer one. */
const WINDOW_MS = 10 * 60_000;
/** Most late rows are this late. The whole window is read at each tenth call only. */
const RECENT_MS = 30_000;
const WHOLE_WINDOW_EVERY = 10;
/** Ids that a follower remembers: eight messages a second throughout the window. */
const MAX_IDS = 5_000;
/** Rows of one call. */
export const LOG_PAGE = 200;

/** A place in the log: the newest row that was followed, and how many rows of the window before it were. */
export interface LogCursor {
  readonly newest: string;
  readonly count: number;
}

/** Undefined for a text that `formatLogCursor` did not make. */
export function parseLogCursor(text: string): LogCursor | undefined {
  const [newest = '', count = '', ...more] = text.split('.');
  if (!isUlid(newest) || !/^\d{1,4}$/.test(count) || more.length > 0) return undefined;
  return { newest, count: Number(count) };
}

export function formatLogCursor({ newest, count }: LogCursor): string {
  return `${newest}.${String(count)}`;
}

export interface LogFollower {
  /** Begins behind the newest row. */
  begin(): Promise<void>;
  /**
   * Begins behind the cursor. Where rows before it have become visible since, it begins with the window before it, so that
   * some rows come twice and none is missed.
   */
  resume(cursor: LogCursor): Promise<void>;
  /** Visible rows that were not taken, ascending, at most `LOG_PAGE`. Fewer: there are no more now. */
  read(): Promise<LogRow[]>;
  /** Marks a row as followed. False where it was before. */
  take(row: Pick<LogRow, 'rowId'>): boolean;
  cursor(): LogCursor;
}

/** `incarnationId`: of the charger's registration. Nothing is read before `begin` or `resume`. */
export function createLogFollower(log: LogReader, incarnationId: string): LogFollower {
  /** Ascending, of the window that ends with the newest. */
  let taken: string[] = [];
  let newest = firstIdAt(0);
  let calls = 0;

  const idsAfter = (after: string, limit: number) => log.logIds(incarnationId, { after, limit });

  function add(id: string): boolean {
    const place = placeOf(taken, id);
    if (taken[place] === id) return false;
    taken.splice(place, 0, id);
    if (id > newest) newest = id;
    const floor = windowBefore(newest, WINDOW_MS);
    const old = Math.max(placeOf(taken, floor), taken.length - MAX_IDS);
    if (old > 0) taken.splice(0, old);
    return true;
  }

  /** Remembers the rows up to this one. Returns how many are in its window. */
  async function rememberUpTo(id: string): Promise<number> {
    newest = id;
    const ids = await log.logIds(incarnationId, { after: windowBefore(id, WINDOW_MS), upTo: id, limit: MAX_IDS });
    taken = [...ids];
    return taken.length;
  }

  /** Behind the oldest remembered row where there are more than can be remembered. */
  function lookBackTo(): string {
    calls += 1;
    const isWhole = calls % WHOLE_WINDOW_EVERY === 1;
    const floor = windowBefore(newest, isWhole ? WINDOW_MS : RECENT_MS);
    const [oldest] = taken;
    return taken.length >= MAX_IDS && oldest !== undefined && oldest > floor ? oldest : floor;
  }

  return {
    async begin() {
      await rememberUpTo((await log.newestLogId(incarnationId)) ?? firstIdAt(0));
    },
    async resume({ newest: id, count }) {
      if ((await rememberUpTo(id)) === Math.min(count, MAX_IDS)) return;
      await rememberUpTo(windowBefore(id, WINDOW_MS));
    },
    async read() {
      const isUnseen = (id: string): boolean => taken[placeOf(taken, id)] !== id;
      const seen = await idsAfter(lookBackTo(), MAX_IDS);
      const unseen = seen.filter(isUnseen);
      const wanted = unseen.length === 0 && seen.length === MAX_IDS ? await idsAfter(newest, LOG_PAGE) : unseen;
      return log.logRows(incarnationId, wanted.slice(0, LOG_PAGE));
    },
    take: ({ rowId }) => add(rowId),
    cursor: () => ({ newest, count: taken.length }),
  };
}

/** The greatest id before the window that ends with this id. */
function windowBefore(id: string, ms: number): string {
  return firstIdAt(Math.max(0, (timeOfId(id) ?? 0) - ms));
}

/** The first place whose id is not less. */
function placeOf(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? '') < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
