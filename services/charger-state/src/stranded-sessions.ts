// Ends sessions that were left under way by a deletion of their charger that broke off in the middle.
import { isAppError, type Clock, type Logger, type Service, type Timer } from '@busbar/core';
import { abandonStranded, type AbandonStrandedDeps } from '@busbar/domain';

export interface StrandedSessionsDeps extends AbandonStrandedDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

const EVERY_MS = 60_000;
/** Few, so that no write waits long behind the reading of them. */
const SESSIONS_AT_ONCE = 200;
/** Two thousand sessions a minute: all that are under way at ten thousand chargers are looked at within some minutes. */
const MOST_PORTIONS = 10;

/** Every replica does it, from its start on: a session abandoned twice is abandoned. */
export function createStrandedSessions(deps: StrandedSessionsDeps): Service {
  let timer: Timer | undefined;
  let round: Promise<void> | undefined;
  let stopping = false;
  let cursor = 0;

  async function look(): Promise<void> {
    for (let portion = 0; portion < MOST_PORTIONS && !stopping; portion += 1) {
      const { chargerIds, next } = await abandonStranded(deps, cursor, SESSIONS_AT_ONCE);
      if (chargerIds.length > 0) deps.logger.warn({ chargerIds }, 'sessions of deleted chargers were left under way');
      cursor = next ?? 0;
      if (next === undefined) return;
    }
  }

  function begin(): void {
    round ??= look()
      .catch((error: unknown) => {
        if (isAppError(error, 'unavailable')) return;
        deps.logger.error({ err: error }, 'looking for sessions of deleted chargers failed');
      })
      .finally(() => {
        round = undefined;
      });
  }

  return {
    name: 'stranded-sessions',
    start: () => {
      stopping = false;
      if (timer === undefined) begin();
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
