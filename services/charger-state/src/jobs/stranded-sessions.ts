// Ends sessions that were left under way by a deletion of their charger that broke off in the middle.
import { createPeriodicJob, type Clock, type Logger, type Service } from '@busbar/core';
import { abandonStranded, type AbandonStrandedDeps } from '@busbar/domain/sessions';

export interface StrandedSessionsDeps extends AbandonStrandedDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

const EVERY_MS = 60_000;
/** Few, so that no write waits long behind the reading of them. */
const SESSIONS_BATCH = 200;
/** Two thousand sessions a minute: all that are under way at ten thousand chargers are looked at within some minutes. */
const MAX_PORTIONS = 10;

/** A session abandoned twice is abandoned. */
export function createStrandedSessions(deps: StrandedSessionsDeps): Service {
  const { clock, logger } = deps;
  let cursor = 0;

  async function run(signal: AbortSignal): Promise<void> {
    for (let portion = 0; portion < MAX_PORTIONS && !signal.aborted; portion += 1) {
      const { chargerIds, next } = await abandonStranded(deps, cursor, SESSIONS_BATCH);
      if (chargerIds.length > 0) logger.warn({ chargerIds }, 'sessions of deleted chargers were left under way');
      cursor = next ?? 0;
      if (next === undefined) return;
    }
  }
  const failed = 'looking for sessions of deleted chargers failed';
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
