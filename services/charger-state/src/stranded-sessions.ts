// Ends sessions that were left under way by a deletion of their charger that broke off in the middle.
import type { Clock, Logger, Service } from '@busbar/core';
import { abandonStranded, type AbandonStrandedDeps } from '@busbar/domain';
import { createChore } from './chore';

export interface StrandedSessionsDeps extends AbandonStrandedDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

const EVERY_MS = 60_000;
/** Few, so that no write waits long behind the reading of them. */
const SESSIONS_AT_ONCE = 200;
/** Two thousand sessions a minute: all that are under way at ten thousand chargers are looked at within some minutes. */
const MOST_PORTIONS = 10;

/** A session abandoned twice is abandoned. */
export function createStrandedSessions(deps: StrandedSessionsDeps): Service {
  const { clock, logger } = deps;
  let cursor = 0;

  async function round(goesOn: () => boolean): Promise<void> {
    for (let portion = 0; portion < MOST_PORTIONS && goesOn(); portion += 1) {
      const { chargerIds, next } = await abandonStranded(deps, cursor, SESSIONS_AT_ONCE);
      if (chargerIds.length > 0) logger.warn({ chargerIds }, 'sessions of deleted chargers were left under way');
      cursor = next ?? 0;
      if (next === undefined) return;
    }
  }
  const failed = 'looking for sessions of deleted chargers failed';
  return createChore({ name: 'stranded-sessions', everyMs: EVERY_MS, atStart: true, round, failed, clock, logger });
}
