// Deletes what is older than its retention, a little at a time, so that the writer is never held up.
import type { Clock, Logger, Service } from '@busbar/core';
import { toInstant, type RetentionStore } from '@busbar/domain';
import { createChore } from './chore';

export interface RetentionDeps {
  readonly store: RetentionStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly logDays: number;
  readonly historyDays: number;
}

const EVERY_MS = 60_000;
const ROWS_AT_ONCE = 500;
/**
 * Steps a round; what is left over waits a minute. Ten million rows of a kind: whatever a network writes in a minute is
 * deleted in less, else the log would grow for ever.
 */
const MOST_STEPS = 20_000;
const DAY_MS = 86_400_000;

/** A row deleted twice is deleted. */
export function createRetention({ store, clock, logger, logDays, historyDays }: RetentionDeps): Service {
  async function round(goesOn: () => boolean): Promise<void> {
    const now = clock.now().getTime();
    const before = {
      log: toInstant(new Date(now - logDays * DAY_MS)),
      history: toInstant(new Date(now - historyDays * DAY_MS)),
      answers: toInstant(new Date(now)),
      claims: toInstant(new Date(now - DAY_MS)),
    };
    for (let step = 0; step < MOST_STEPS && goesOn(); step += 1) {
      if ((await store.prune(before, ROWS_AT_ONCE)) === 0) return;
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
