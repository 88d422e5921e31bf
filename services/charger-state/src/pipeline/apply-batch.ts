// A batch from read to stored: load the chargers, look up what the handlers need, fold, write; again from the start when a
// record had moved on in between.
import type { ReportEnvelope } from '@busbar/contracts';
import { AppError } from '@busbar/core';
import { toTimestamp } from '@busbar/domain';
import { noRows, type ChargerChange, type ReportRows, type ReportStore } from '@busbar/domain/reports';
import { type Charger } from '@busbar/domain/chargers';
import { resolveStarts, type Session } from '@busbar/domain/sessions';
import { type TagClaimStore } from '@busbar/domain/tags';
import type { HandlerContext } from '../handlers/handler';
import type { ChargerCache } from './charger-cache';
import { newIdsOf, type PendingSideEffects } from './pending-side-effects';
import { fold, type FoldSettings } from './fold';
import type { Applied } from './outcome';
import { createSiteMoveRepair, type RowCounts } from './site-move-repair';
import { createNeeds, readLookups, type Lookups, type LookupSources } from './lookups';

export interface ApplyBatchDeps extends FoldSettings {
  readonly reports: ReportStore;
  readonly sources: LookupSources;
  readonly claims: TagClaimStore;
  readonly cache: ChargerCache;
  readonly sideEffects: PendingSideEffects;
}

/** Another writer wins a compare-and-set only by making progress itself, so a handful of rounds is plenty. */
const MAX_ATTEMPTS = 20;

/** Applies the reports in the order given; resolves when the store has them. Rejects with what the store or a handler threw. */
export async function applyBatch(reports: readonly ReportEnvelope[], deps: ApplyBatchDeps): Promise<Applied[]> {
  // A round may have written some of the records, also where its answer was lost: a message is new if it was so in any.
  const fresh = new Set<string>();
  try {
    return deps.sideEffects.recall(await applyRounds(reports, fresh, deps), fresh);
  } catch (error) {
    deps.sideEffects.keep(fresh);
    throw error;
  }
}

async function applyRounds(
  reports: readonly ReportEnvelope[],
  fresh: Set<string>,
  deps: ApplyBatchDeps,
): Promise<Applied[]> {
  /** Sessions of the batch that keep their tag, or were told that they lost it. */
  const settled = new Set<string>();
  const placed = createSiteMoveRepair();
  for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
    const before = await loadChargers(reports, deps);
    const lookups = await lookUp(reports, before, deps);
    const rows = noRows();
    const { after, applied, contested, begins } = foldAll(reports, { before, lookups, rows }, deps);
    placed.correct(applied, rows);
    const written = { sessions: [...rows.sessions], stateChanges: rows.stateChanges, begins };
    // The answers of starts that lost their tag are others now, so all is folded again from what is stored.
    if ((await settle(contested, settled, rows, deps)) === 'changed') {
      placed.lost(applied, { ...written, stateChanges: [] });
      continue;
    }
    const changes = changesOf(before, after);
    const note = (): void => newIdsOf(applied).forEach((id) => fresh.add(id));
    const result = await write(rows, changes, deps).catch((error: unknown) => {
      note();
      throw error;
    });
    if (result === 'written') {
      for (const { to } of changes) deps.cache.put(to);
      return applied;
    }
    placed.lost(applied, written);
    note();
    for (const chargerId of before.keys()) deps.cache.drop(chargerId);
  }
  // By no fault of a message: it comes again.
  throw new AppError(
    'unavailable',
    `the records of a batch were changed by others ${String(MAX_ATTEMPTS)} times in a row`,
  );
}

interface Loaded {
  readonly before: ReadonlyMap<string, Charger>;
  readonly lookups: Lookups;
  readonly rows: ReportRows;
}

/** From the cache where it has the right incarnation, the rest in one read. */
async function loadChargers(
  reports: readonly ReportEnvelope[],
  deps: ApplyBatchDeps,
): Promise<ReadonlyMap<string, Charger>> {
  const chargers = new Map<string, Charger>();
  const missing = new Set<string>();
  for (const report of reports) {
    const cached = chargers.get(report.chargerId) ?? deps.cache.get(report.chargerId);
    if (cached?.incarnationId === report.incarnationId) chargers.set(report.chargerId, cached);
    else missing.add(report.chargerId);
  }
  if (missing.size === 0) return chargers;
  for (const charger of await deps.reports.loadChargers([...missing])) chargers.set(charger.chargerId, charger);
  return chargers;
}

async function lookUp(
  reports: readonly ReportEnvelope[],
  chargers: ReadonlyMap<string, Charger>,
  deps: ApplyBatchDeps,
): Promise<Lookups> {
  const needs = createNeeds(deps);
  for (const report of reports) {
    const charger = ownRecord(chargers, report);
    if (charger && (report.kind === 'decision' || report.kind === 'report' || report.kind === 'outcome')) {
      deps.route(report)?.prepare?.(needs, charger, report);
    }
  }
  return readLookups(needs, deps.sources);
}

function foldAll(
  reports: readonly ReportEnvelope[],
  { before, lookups, rows }: Loaded,
  deps: ApplyBatchDeps,
): { after: Map<string, Charger>; applied: Applied[]; contested: Session[]; begins: readonly RowCounts[] } {
  const contested: Session[] = [];
  const begins: RowCounts[] = [];
  const after = new Map(before);
  const applied = reports.map((report): Applied => {
    begins.push({ sessions: rows.sessions.length, stateChanges: rows.stateChanges.length });
    const charger = ownRecord(after, report);
    if (charger === undefined) return { report, charger, isNew: false };
    const context: HandlerContext = {
      lookups,
      rows,
      contested,
      position: [report.order, report.seq],
      heartbeatIntervalS: deps.heartbeatIntervalS,
      maxStartsPerDay: deps.maxStartsPerDay ?? 0,
      signsCertificates: deps.signsCertificates ?? false,
    };
    const folded = fold(charger, report, context, deps);
    after.set(report.chargerId, folded.charger);
    return { report, ...folded };
  });
  return { after, applied, contested, begins };
}

/**
 * Sessions that began with an accepted tag go into the store before the rest of the batch, and then see whether another has
 * the tag that began in the same moment elsewhere. Costs nothing where none began.
 */
async function settle(
  contested: readonly Session[],
  settled: Set<string>,
  rows: ReportRows,
  deps: ApplyBatchDeps,
): Promise<'changed' | 'same'> {
  const starts = contested.filter(({ sessionId }) => !settled.has(sessionId));
  if (starts.length === 0) return 'same';
  const begun = {
    sessions: rows.sessions.splice(0),
    chargingDespiteRefusal: rows.chargingDespiteRefusal.splice(0),
    superseded: rows.superseded.splice(0),
    tagReleased: rows.tagReleased.splice(0),
    stops: rows.stops.splice(0),
  };
  // Another replica had the same batch in hand and stored one of them first: what it was judged there counts.
  if ((await deps.reports.write({ ...noRows(), ...begun }, [])) === 'conflict') return 'changed';
  const tagConflict = await resolveStarts(starts, toTimestamp(deps.now()), {
    claims: deps.claims,
    sessions: deps.sources.sessions,
  });
  if (tagConflict.length > 0) await deps.reports.write({ ...noRows(), tagConflict }, []);
  for (const { sessionId } of starts) settled.add(sessionId);
  return tagConflict.length > 0 ? 'changed' : 'same';
}

/** Reports never reach another incarnation of their charger: it was deleted, and perhaps made again by another client. */
function ownRecord(chargers: ReadonlyMap<string, Charger>, report: ReportEnvelope): Charger | undefined {
  const charger = chargers.get(report.chargerId);
  return charger?.incarnationId === report.incarnationId ? charger : undefined;
}

function changesOf(before: ReadonlyMap<string, Charger>, after: ReadonlyMap<string, Charger>): ChargerChange[] {
  const changes: ChargerChange[] = [];
  for (const [chargerId, from] of before) {
    const to = after.get(chargerId);
    if (to !== undefined && to !== from) changes.push({ from, to: { ...to, revision: from.revision + 1 } });
  }
  return changes;
}

async function write(rows: ReportRows, changes: readonly ChargerChange[], deps: ApplyBatchDeps) {
  const nothing = changes.length === 0 && Object.values(rows).every((list: readonly unknown[]) => list.length === 0);
  return nothing ? 'written' : deps.reports.write(rows, changes);
}
