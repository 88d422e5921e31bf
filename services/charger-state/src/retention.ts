// Deletes what is older than its retention, a little at a time, so that the writer is never held up.
import { isAppError, type Clock, type Logger, type Service, type Timer } from '@busbar/core';
import { toInstant, type RetentionStore } from '@busbar/domain';

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

/** Every replica does it: a row deleted twice is deleted. */
export function createRetention(deps: RetentionDeps): Service {
  let timer: Timer | undefined;
  let round: Promise<void> | undefined;
  let stopping = false;

  async function prune(): Promise<void> {
    const now = deps.clock.now().getTime();
    const before = {
      log: toInstant(new Date(now - deps.logDays * DAY_MS)),
      history: toInstant(new Date(now - deps.historyDays * DAY_MS)),
      answers: toInstant(new Date(now)),
      claims: toInstant(new Date(now - DAY_MS)),
    };
    for (let step = 0; step < MOST_STEPS && !stopping; step += 1) {
      if ((await deps.store.prune(before, ROWS_AT_ONCE)) === 0) return;
    }
  }

  function begin(): void {
    round ??= prune()
      .catch((error: unknown) => {
        if (!isAppError(error, 'unavailable')) deps.logger.error({ err: error }, 'deleting old rows failed');
      })
      .finally(() => {
        round = undefined;
      });
  }

  return {
    name: 'retention',
    start: () => {
      stopping = false;
      timer ??= deps.clock.every(EVERY_MS, begin);
      return Promise.resolve();
    },
    async stop() {
      stopping = true;
      timer?.cancel();
      timer = undefined;
      await round;
    },
    ready: () => timer !== undefined,
  };
}
