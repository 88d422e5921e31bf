// Deletes rows past their retention, in small steps so that writes are not delayed.
import { createPeriodicJob, type Clock, type Logger, type Service } from '@busbar/core';
import { toTimestamp, type Timestamp } from '@busbar/domain';
import type { PruneCounts, RetentionStore } from '@busbar/domain/history';
import type { FeedRetention } from '@busbar/store';
import type { RetentionHorizon } from './retention-horizon';

export interface RetentionDeps {
  readonly store: Pick<RetentionStore, 'prune' | 'pruneDeadLetters'>;
  readonly feed: FeedRetention;
  /** The time from which all ages are counted. */
  readonly horizon: RetentionHorizon;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly logDays: number;
  readonly historyDays: number;
  readonly sessionDays: number;
  /** May be a fraction. */
  readonly eventDays: number;
  readonly deliveryLogDays: number;
  /** Called with the number of expired dead letters. */
  readonly onDeadLettersExpired: (count: number) => void;
  /** Called with the number of deleted rows of a collection. */
  readonly onDeleted: (collection: string, count: number) => void;
}

const EVERY_MS = 60_000;
const ROWS_BATCH = 500;
/** Pages of the feed are up to a mebibyte: fifty of them would hold the writer for 17 ms and more. */
const PAGES_BATCH = 5;
/**
 * Steps of one run; the rest waits a minute. Ten million rows of a kind are more than a network writes in a minute, so the
 * log does not grow without limit.
 */
const MAX_STEPS = 20_000;
const DAY_MS = 86_400_000;
/**
 * Messages and gateways do not outlive this. If a gateway still has such an id, the id gets a lease again, and is dead
 * again without renewals.
 */
const DEAD_GATEWAY_DAYS = 90;
/** They are bounded in number too, so that their age may be the same for all: a month to notice and redeliver them. */
const DEAD_DELIVERY_DAYS = 30;

/** Deleting a row twice has no further effect. */
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
      deliveries: daysBefore(now, deps.deliveryLogDays),
      deadDeliveries: daysBefore(now, DEAD_DELIVERY_DAYS),
      gateways: daysBefore(now, DEAD_GATEWAY_DAYS),
    };
    const deleted = new Map<string, number>();
    try {
      for (let step = 0; step < MAX_STEPS && !signal.aborted; step += 1) {
        const rows = await store.prune(before, ROWS_BATCH);
        const feedPages = await deps.feed.prune(daysBefore(now, deps.eventDays), PAGES_BATCH);
        if (!addTo(deleted, { ...rows, feedPages })) return;
      }
    } finally {
      for (const [collection, count] of deleted) deps.onDeleted(collection, count);
      if (deleted.size > 0) {
        logger.info({ deleted: Object.fromEntries(deleted), retainedUntil: now }, 'deleted rows past their retention');
      }
    }
  }

  /**
   * A dead letter is a message that was confirmed to a charger and could not be applied. It is stored as long as anything
   * else, and its deletion is logged.
   */
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
          'deleted dead letters past their retention that nobody replayed or dropped',
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

/** Returns whether there were any. */
function addTo(deleted: Map<string, number>, counts: PruneCounts): boolean {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  for (const [collection, count] of some) deleted.set(collection, (deleted.get(collection) ?? 0) + count);
  return some.length > 0;
}
