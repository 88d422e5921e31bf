// Applies one batch: loads the chargers, reads the lookups of the handlers, folds each message, writes. Starts again when
// another writer has changed a record meanwhile.
import type { ReportEnvelope } from '@busbar/contracts';
import { AppError } from '@busbar/core';
import { toTimestamp } from '@busbar/domain';
import { noRows, type ChargerChange, type ReportRows, type ReportStore } from '@busbar/domain/reports';
import { type Charger } from '@busbar/domain/chargers';
import type { FeedPage } from '@busbar/domain/feed';
import { resolveStarts, type Session } from '@busbar/domain/sessions';
import { type TagClaimStore } from '@busbar/domain/tags';
import type { Applied, HandlerContext, Lookups } from './contract';
import type { ChargerCache } from './charger-cache';
import { newIdsOf, type PendingSideEffects } from './pending-side-effects';
import { fold, type FoldSettings } from './fold';
import type { BatchEvents } from '../feed/batch-events';
import { NO_FEED, type BatchFeed } from '../feed/batch-feed';
import type { PlannedEvents } from '../feed/feed-owner';
import { writeLastEvents, type LastEventsDeps } from '../feed/last-events';
import { createNeeds, readLookups, type LookupSources } from './lookups';
import { createSiteMoveRepair, type RowCounts } from './site-move-repair';

export interface ApplyBatchDeps extends FoldSettings {
  readonly reports: ReportStore;
  readonly sources: LookupSources;
  readonly claims: TagClaimStore;
  readonly cache: ChargerCache;
  readonly sideEffects: PendingSideEffects;
  /** Absent: no feed is written. */
  readonly feed?: BatchFeed;
}

/** A compare-and-set fails only because another writer has made progress, so a few attempts are enough. */
const MAX_ATTEMPTS = 20;

/**
 * Applies the reports in order; resolves when they are stored. Rejects with the error of the store or of a handler.
 */
export async function applyBatch(reports: readonly ReportEnvelope[], deps: ApplyBatchDeps): Promise<Applied[]> {
  // A failed attempt may have written some records. So a message is new if it was new in any attempt.
  const fresh = new Set<string>();
  try {
    return deps.sideEffects.replay(await applyUntilWritten(reports, fresh, deps), fresh);
  } catch (error) {
    deps.sideEffects.retain(fresh);
    throw error;
  }
}

async function applyUntilWritten(
  reports: readonly ReportEnvelope[],
  fresh: Set<string>,
  deps: ApplyBatchDeps,
): Promise<Applied[]> {
  /** Sessions of the batch whose claim to their tag is decided. */
  const resolved = new Set<string>();
  const siteMoves = createSiteMoveRepair();
  const { feed = NO_FEED } = deps;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const before = await loadChargers(reports, deps);
    if (before === 'conflict') continue;
    const lookups = await lookUp(reports, before, deps);
    const rows = noRows();
    const events = feed.createEvents();
    const { after, applied, contested, begins } = foldAll(reports, { before, lookups, rows, events }, deps);
    siteMoves.correct(applied, rows);
    const written = { sessions: [...rows.sessions], stateChanges: rows.stateChanges, begins };
    // A start that lost its tag gets another answer, so the batch is folded again from what is stored.
    if ((await resolveContested(contested, resolved, rows, deps)) === 'changed') {
      siteMoves.failed(applied, { ...written, stateChanges: [] });
      continue;
    }
    const { pages, outboxes } = await feed.owner.plan(before, events.byCharger);
    const changes = changesOf(before, after, outboxes);
    const retain = (): void => newIdsOf(applied).forEach((id) => fresh.add(id));
    const result = await write(rows, { changes, pages }, deps).catch((error: unknown) => {
      retain();
      feed.owner.forget();
      throw error;
    });
    if (result === 'written') {
      feed.owner.stored(pages);
      if (pages.length > 0) feed.onStored(pages, events);
      for (const { to } of changes) deps.cache.put(to);
      return applied;
    }
    feed.owner.forget();
    siteMoves.failed(applied, written);
    retain();
    for (const chargerId of before.keys()) deps.cache.drop(chargerId);
  }
  // No message is at fault, so the broker delivers the batch again.
  throw new AppError(
    'unavailable',
    `A batch was not written: others changed its records ${String(MAX_ATTEMPTS)} times in a row. It is delivered again.`,
  );
}

interface Loaded {
  readonly before: ReadonlyMap<string, Charger>;
  readonly lookups: Lookups;
  readonly rows: ReportRows;
  readonly events: BatchEvents;
}

/**
 * Takes chargers of the right incarnation from the cache, and the others in one read. A nudge announces a change that the cache
 * does not have. Events of those that are not in the feed are inserted first: `conflict` where another writer was faster.
 */
async function loadChargers(
  reports: readonly ReportEnvelope[],
  { reports: store, sources, cache, feed = NO_FEED }: ApplyBatchDeps,
): Promise<ReadonlyMap<string, Charger> | 'conflict'> {
  const chargers = new Map<string, Charger>();
  const missing = new Set<string>();
  for (const report of reports) {
    const cached = chargers.get(report.chargerId) ?? cache.get(report.chargerId);
    const isKnown = cached?.incarnationId === report.incarnationId && report.kind !== 'nudge';
    if (isKnown) chargers.set(report.chargerId, cached);
    else missing.add(report.chargerId);
  }
  if (missing.size > 0) {
    const recovered = await feed.owner.recover(await store.loadChargers([...missing]));
    if (recovered === 'conflict') {
      feed.owner.forget();
      return 'conflict';
    }
    for (const charger of recovered) chargers.set(charger.chargerId, charger);
  }
  if ((await writeLastEventsOf(reports, chargers, { feed, sessions: sources.sessions })) === 'conflict') {
    feed.owner.forget();
    return 'conflict';
  }
  await feed.readSites(chargers.values());
  return chargers;
}

/** A nudge may be for a charger that was deleted. */
async function writeLastEventsOf(
  reports: readonly ReportEnvelope[],
  chargers: ReadonlyMap<string, Charger>,
  { feed, sessions }: Pick<LastEventsDeps, 'feed' | 'sessions'>,
): Promise<'written' | 'conflict'> {
  const nudged = reports.filter(({ kind }) => kind === 'nudge');
  if (nudged.length === 0 || feed.deleted === undefined) return 'written';
  const stored = new Set(Array.from(chargers.values(), ({ incarnationId }) => incarnationId));
  const ids = [...new Set(nudged.map(({ incarnationId }) => incarnationId))];
  return writeLastEvents(ids, (id) => stored.has(id), { feed, deleted: feed.deleted, sessions });
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
  { before, lookups, rows, events }: Loaded,
  deps: ApplyBatchDeps,
): { after: Map<string, Charger>; applied: Applied[]; contested: Session[]; begins: readonly RowCounts[] } {
  const contested: Session[] = [];
  const begins: RowCounts[] = [];
  const after = new Map(before);
  if (deps.feed !== undefined) takeAppended(after, events);
  const applied = reports.map((report): Applied => {
    begins.push({ sessions: rows.sessions.length, stateChanges: rows.stateChanges.length });
    const charger = ownRecord(after, report);
    if (charger === undefined) {
      if (report.kind === 'disconnected') rows.connectionsOfDeleted.push(report.connectionId);
      return { report, charger, isNew: false };
    }
    if (report.kind === 'nudge') return { report, charger, isNew: false };
    const context: HandlerContext = {
      lookups,
      rows,
      contested,
      events,
      position: [report.order, report.seq],
      heartbeatIntervalS: deps.heartbeatIntervalS,
      maxStartsPerDay: deps.maxStartsPerDay ?? 0,
    };
    const folded = fold(charger, report, context, deps);
    after.set(report.chargerId, folded.charger);
    return { report, ...folded };
  });
  return { after, applied, contested, begins };
}

/** Events of other writers come before those of the batch: they are of the records that it was read from. */
function takeAppended(chargers: Map<string, Charger>, events: BatchEvents): void {
  for (const [chargerId, charger] of chargers) {
    const taken = events.takeAppended(charger);
    if (taken !== charger) chargers.set(chargerId, taken);
  }
}

/**
 * Stores sessions that began with an accepted tag before the rest of the batch. Then checks whether a session elsewhere
 * claims the tag at the same time. Does nothing where no session began.
 */
async function resolveContested(
  contested: readonly Session[],
  resolved: Set<string>,
  rows: ReportRows,
  deps: ApplyBatchDeps,
): Promise<'changed' | 'same'> {
  const starts = contested.filter(({ sessionId }) => !resolved.has(sessionId));
  if (starts.length === 0) return 'same';
  const begun = {
    sessions: rows.sessions.splice(0),
    chargingDespiteRefusal: rows.chargingDespiteRefusal.splice(0),
    superseded: rows.superseded.splice(0),
    tagReleased: rows.tagReleased.splice(0),
    stops: rows.stops.splice(0),
    transactions: rows.transactions.splice(0),
  };
  // Another replica has the same batch and stored one of them first: its verdict is valid.
  if ((await deps.reports.write({ ...noRows(), ...begun }, [])) === 'conflict') return 'changed';
  const tagConflict = await resolveStarts(starts, toTimestamp(deps.now()), {
    claims: deps.claims,
    sessions: deps.sources.sessions,
  });
  if (tagConflict.length > 0) await deps.reports.write({ ...noRows(), tagConflict }, []);
  for (const { sessionId } of starts) resolved.add(sessionId);
  return tagConflict.length > 0 ? 'changed' : 'same';
}

/** A report is not applied to another incarnation of its charger, which may belong to another client. */
function ownRecord(chargers: ReadonlyMap<string, Charger>, report: ReportEnvelope): Charger | undefined {
  const charger = chargers.get(report.chargerId);
  return charger?.incarnationId === report.incarnationId ? charger : undefined;
}

function changesOf(
  before: ReadonlyMap<string, Charger>,
  after: ReadonlyMap<string, Charger>,
  outboxes: PlannedEvents['outboxes'],
): ChargerChange[] {
  const changes: ChargerChange[] = [];
  for (const [chargerId, from] of before) {
    const to = after.get(chargerId);
    if (to === undefined || to === from) continue;
    const outbox = outboxes.get(chargerId);
    const revision = from.revision + 1;
    changes.push({ from, to: outbox === undefined ? { ...to, revision } : { ...to, outbox, revision } });
  }
  return changes;
}

interface Changed {
  readonly changes: readonly ChargerChange[];
  readonly pages: readonly FeedPage[];
}

async function write(rows: ReportRows, { changes, pages }: Changed, deps: ApplyBatchDeps) {
  const nothing = changes.length === 0 && Object.values(rows).every((list: readonly unknown[]) => list.length === 0);
  return nothing ? 'written' : deps.reports.write(rows, changes, pages);
}
