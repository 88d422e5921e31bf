// A charger may be moved to another site between the moment its record was read and the write that rests on it. That write is
// lost, and the batch folded again on the record as it is; but rows are in the store before their records, and those of the
// lost round name the site that the charger had left. They are corrected by the round that follows.
import type { ReportRows } from '@busbar/domain/reports';
import type { Applied } from './outcome';

export interface SiteMoveRepair {
  /** The round may have written its rows, and not the records of all of its chargers. */
  lost(applied: readonly Applied[], written: WrittenRows): void;
  /** Adds to `rows` what lost rounds wrote for messages that are still to be applied, where it names another site than now. */
  correct(applied: readonly Applied[], rows: Pick<ReportRows, 'moved'>): void;
}

/** What names a site among a round's rows, and how many of each there were before each message. */
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

export function createSiteMoveRepair(): SiteMoveRepair {
  const placed = new Map<string, Placed[]>();
  return {
    lost(applied, { sessions, stateChanges, begins }) {
      for (const [i, { report, charger, isNew }] of applied.entries()) {
        // What was applied before stands where the charger was then.
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
    correct(applied, rows) {
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
