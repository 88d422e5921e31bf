// Ends the sessions that an interrupted deletion of their charger left ongoing.
import { createPeriodicJob, type Clock, type Logger, type Service } from '@busbar/core';
import { abandonStranded, type AbandonStrandedDeps } from '@busbar/domain/sessions';

export interface StrandedSessionsDeps extends AbandonStrandedDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

const EVERY_MS = 60_000;
/** Small, so that no write waits long behind the read. */
const SESSIONS_BATCH = 200;
/** Two thousand sessions a minute: those of ten thousand chargers are checked within minutes. */
const MAX_PORTIONS = 10;

/** Abandoning a session twice has no further effect. */
export function createStrandedSessions(deps: StrandedSessionsDeps): Service {
  const { clock, logger } = deps;
  let cursor = 0;

  async function run(signal: AbortSignal): Promise<void> {
    for (let portion = 0; portion < MAX_PORTIONS && !signal.aborted; portion += 1) {
      const { chargerIds, next } = await abandonStranded(deps, cursor, SESSIONS_BATCH);
      if (chargerIds.length > 0) logger.warn({ chargerIds }, 'abandoned the ongoing sessions of deleted chargers');
      cursor = next ?? 0;
      if (next === undefined) return;
    }
  }
  const failed = 'could not look for sessions of deleted chargers';
  return createPeriodicJob({
    name: 'stranded-sessions',
    everyMs: EVERY_MS,
    atStart: true,
    run,
    failed,
    clock,
    logger,
  });
}
