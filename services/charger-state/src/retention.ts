// Deletes what is older than its retention, a little at a time, so that the writer is never held up.
import type { Clock, Logger, Service } from '@busbar/core';
import { toInstant, type Instant, type RetentionStore } from '@busbar/domain';
import { createChore } from './chore';

export interface RetentionDeps {
  readonly store: RetentionStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly logDays: number;
  readonly historyDays: number;
  /** Dead letters were deleted by their age. */
  readonly onDeadLettersExpired: (count: number) => void;
}

const EVERY_MS = 60_000;
const ROWS_AT_ONCE = 500;
/**
 * Steps a round; what is left over waits a minute. Ten million rows of a kind: whatever a network writes in a minute is
 * deleted in less, else the log would grow for ever.
 */
const MOST_STEPS = 20_000;
const DAY_MS = 86_400_000;
/**
 * No message is under way for so long, and no gateway stands still: an id that somebody has after all has a lease again, and
 * without renewals is dead once more when that is over.
 */
const DEAD_GATEWAY_DAYS = 90;

/** A row deleted twice is deleted. */
export function createRetention(deps: RetentionDeps): Service {
  const { store, clock, logger, logDays, historyDays } = deps;
  const daysAgo = (days: number): Instant => toInstant(new Date(clock.now().getTime() - days * DAY_MS));

  async function round(goesOn: () => boolean): Promise<void> {
    await dropDeadLetters(goesOn);
    const before = {
      log: daysAgo(logDays),
      history: daysAgo(historyDays),
      answers: daysAgo(0),
      claims: daysAgo(1),
      gateways: daysAgo(DEAD_GATEWAY_DAYS),
    };
    for (let step = 0; step < MOST_STEPS && goesOn(); step += 1) {
      if ((await store.prune(before, ROWS_AT_ONCE)) === 0) return;
    }
  }

  /** What a charger was answered for and nobody could apply: kept as long as anything is, and never gone without a word. */
  async function dropDeadLetters(goesOn: () => boolean): Promise<void> {
    const days = Math.max(logDays, historyDays);
    const before = daysAgo(days);
    let total = 0;
    try {
      for (let step = 0; step < MOST_STEPS && goesOn(); step += 1) {
        const count = await store.pruneDeadLetters(before, ROWS_AT_ONCE);
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

  return createChore({
    name: 'retention',
    everyMs: EVERY_MS,
    round,
    failed: 'deleting old rows failed',
    clock,
    logger,
  });
}
