// Deletes what is older than its retention, a little at a time, so that the writer is never held up.
import { createPeriodicJob, type Clock, type Logger, type Service } from '@busbar/core';
import { toTimestamp, type Timestamp } from '@busbar/domain';
import type { PruneCounts, RetentionStore } from '@busbar/domain/history';
import type { RetentionHorizon } from './retention-horizon';

export interface RetentionDeps {
  readonly store: Pick<RetentionStore, 'prune' | 'pruneDeadLetters'>;
  /** The time that all ages are counted from. */
  readonly horizon: RetentionHorizon;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly logDays: number;
  readonly historyDays: number;
  readonly sessionDays: number;
  /** Dead letters were deleted by their age. */
  readonly onDeadLettersExpired: (count: number) => void;
  /** Rows of a collection were deleted by their age. */
  readonly onDeleted: (collection: string, count: number) => void;
}

const EVERY_MS = 60_000;
const ROWS_BATCH = 500;
/**
 * Steps a round; what is left over waits a minute. Ten million rows of a kind: whatever a network writes in a minute is
 * deleted in less, else the log would grow for ever.
 */
const MAX_STEPS = 20_000;
const DAY_MS = 86_400_000;
/**
 * No message is under way for so long, and no gateway stands still: an id that somebody has after all has a lease again, and
 * without renewals is dead once more when that is over.
 */
const DEAD_GATEWAY_DAYS = 90;

/** A row deleted twice is deleted. */
export function createRetention(deps: RetentionDeps): Service {
  const { store, clock, logger, logDays, historyDays } = deps;

  async function run(signal: AbortSignal): Promise<void> {
    const now = await deps.horizon.advance();
    if (now === undefined) return;
    await dropDeadLetters(now, signal);
    const before = {
      log: daysBefore(now, logDays),
      history: daysBefore(now, historyDays),
      sessions: daysBefore(now, deps.sessionDays),
      keys: daysBefore(now, historyDays),
      answers: now,
      claims: daysBefore(now, 1),
      commands: daysBefore(now, 1),
      attempts: daysBefore(now, 1),
      gateways: daysBefore(now, DEAD_GATEWAY_DAYS),
    };
    const deleted = new Map<string, number>();
    try {
      for (let step = 0; step < MAX_STEPS && !signal.aborted; step += 1) {
        if (!addTo(deleted, await store.prune(before, ROWS_BATCH))) return;
      }
    } finally {
      for (const [collection, count] of deleted) deps.onDeleted(collection, count);
      if (deleted.size > 0) {
        logger.info({ deleted: Object.fromEntries(deleted), retainedUntil: now }, 'rows were deleted by their age');
      }
    }
  }

  /** What a charger was answered for and nobody could apply: kept as long as anything is, and never gone without a word. */
  async function dropDeadLetters(now: Timestamp, signal: AbortSignal): Promise<void> {
    const days = Math.max(logDays, historyDays);
    const before = daysBefore(now, days);
    let total = 0;
    try {
      for (let step = 0; step < MAX_STEPS && !signal.aborted; step += 1) {
        const count = await store.pruneDeadLetters(before, ROWS_BATCH);
        if (count === 0) return;
        total += count;
        deps.onDeadLettersExpired(count);
      }
    } finally {
      if (total > 0)
        logger.warn(
          { deadLetters: total, days },
          'dead letters that nobody replayed or dropped were deleted by their age',
        );
    }
  }

  return createPeriodicJob({
    name: 'retention',
    everyMs: EVERY_MS,
    run,
    failed: 'deleting old rows failed',
    clock,
    logger,
  });
}

function daysBefore(now: Timestamp, days: number): Timestamp {
  return toTimestamp(new Date(Date.parse(now) - days * DAY_MS));
}

/** Whether there were any. */
function addTo(deleted: Map<string, number>, counts: PruneCounts): boolean {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  for (const [collection, count] of some) deleted.set(collection, (deleted.get(collection) ?? 0) + count);
  return some.length > 0;
}
