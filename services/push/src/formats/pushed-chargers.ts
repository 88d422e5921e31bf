// The facts of chargers that the push formats need, cached for a few seconds: a busy charger has several events a second, and its
// registration changes a few times a year.
import type { Clock } from '@busbar/core';
import type { ChargerReader } from '@busbar/domain/chargers';
import type { DeletedPushedChargers, PushedCharger } from '@busbar/domain/webhooks';
import { LRUCache } from 'lru-cache';

export interface PushedChargersDeps {
  readonly chargers: Pick<ChargerReader, 'findOwned'>;
  readonly deleted: DeletedPushedChargers;
  readonly clock: Clock;
}

/** The charger of an event: an incarnation, since another may have its id by now. */
export interface EventCharger {
  readonly chargerId: string;
  readonly incarnationId: string;
}

export interface PushedChargers {
  /** Of a deleted one as it was then. Undefined for one that is another client's, or was deleted long ago. Rejects where the store is unavailable: nothing is assumed. */
  find(clientId: string, charger: EventCharger): Promise<PushedCharger | undefined>;
}

/** A change of the registration has an effect after this time at the latest. */
const CACHED_MS = 3_000;
/** About 1 kB each. */
const MAX_CACHED = 10_000;

interface CachedRead {
  readonly startedMs: number;
  readonly charger: Promise<PushedCharger | undefined>;
}

export function createPushedChargers({ chargers, deleted, clock }: PushedChargersDeps): PushedChargers {
  const cached = new LRUCache<string, CachedRead>({ max: MAX_CACHED });

  async function read(
    clientId: string,
    { chargerId, incarnationId }: EventCharger,
  ): Promise<PushedCharger | undefined> {
    const found = await chargers.findOwned(clientId, chargerId);
    if (found?.incarnationId !== incarnationId) return deleted.find(clientId, incarnationId);
    const { pushIntegrationEnabled, integrationRelays, sockets } = found.registered;
    return { pushIntegrationEnabled, integrationRelays, sockets };
  }

  return {
    find(clientId, of) {
      const key = `${clientId}/${of.incarnationId}`;
      const startedMs = clock.monotonicMs();
      const known = cached.get(key);
      if (known !== undefined && startedMs - known.startedMs < CACHED_MS) return known.charger;
      const charger = read(clientId, of);
      const entry = { startedMs, charger };
      cached.set(key, entry);
      // The next delivery reads again.
      charger.catch(() => {
        if (cached.peek(key) === entry) cached.delete(key);
      });
      return charger;
    },
  };
}
