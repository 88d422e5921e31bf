// Corrects the site of rows that were folded from an outdated record. charger-state caches chargers, and a move to
// another site does not reach the cache. The first write after a move fails its compare-and-set, and the batch is
// folded again. Rows are written before records, so the failed attempt left rows that name the old site.
//
// The interface needs the correction: `GET /sites/state-time-series` with `siteIds` returns the state changes of a site's
// sockets, and sessions are searched by their `siteId`. Every first report after a move would be at the wrong site.
import type { ReportRows } from '@busbar/domain/reports';
import type { Applied } from './contract';

/** An attempt's rows that name a site, and how many of each there were before each message. */
export interface WrittenRows extends Pick<ReportRows, 'sessions' | 'stateChanges'> {
  readonly begins: readonly RowCounts[];
}

export interface RowCounts {
  readonly sessions: number;
  readonly stateChanges: number;
}

interface Placed {
  readonly siteId: number;
  readonly sessionIds: readonly string[];
  readonly stateChangeIds: readonly string[];
}

export function createSiteMoveRepair() {
  const placed = new Map<string, Placed[]>();
  return {
    /** The attempt may have written its rows, but not the records of all of its chargers. */
    failed(applied: readonly Applied[], { sessions, stateChanges, begins }: WrittenRows): void {
      for (const [i, { report, charger, isNew }] of applied.entries()) {
        // A message that was applied before keeps the site of that time.
        if (!isNew || charger === undefined) continue;
        const [from, to] = [begins[i], begins[i + 1]];
        const rows: Placed = {
          siteId: charger.registered.siteId,
          sessionIds: sessions.slice(from?.sessions, to?.sessions).map(({ sessionId }) => sessionId),
          stateChangeIds: stateChanges.slice(from?.stateChanges, to?.stateChanges).map(({ rowId }) => rowId),
        };
        if (rows.sessionIds.length + rows.stateChangeIds.length === 0) continue;
        placed.set(report.id, [...(placed.get(report.id) ?? []), rows]);
      }
    },
    /** Adds to `rows` the rows of failed attempts that name another site than now. */
    correct(applied: readonly Applied[], rows: Pick<ReportRows, 'moved'>): void {
      if (placed.size === 0) return;
      for (const { report, charger, isNew } of applied) {
        if (!isNew || charger === undefined) continue;
        const toSiteId = charger.registered.siteId;
        for (const { siteId: fromSiteId, ...ids } of placed.get(report.id) ?? []) {
          if (fromSiteId !== toSiteId) rows.moved.push({ fromSiteId, toSiteId, ...ids });
        }
      }
    },
  };
}
