// How many chargers a client may have connected at the same time, where that has a bound. Counted in the store every so
// often, and by the admissions since; several replicas may together go over it by what they admit in that time.
import type { Clock } from '@busbar/core';
import type { Charger, ChargerReader } from '@busbar/domain/chargers';

export interface ClientQuota {
  /** Whether there is room for this charger, which then counts. One that is connected takes its own place again. */
  has(charger: Charger): Promise<boolean>;
}

const RECOUNT_MS = 2_000;
/** Clients whose count is remembered; the one counted longest ago is forgotten for another. */
const MAX_CLIENTS = 10_000;

interface Count {
  readonly stored: number;
  readonly atMs: number;
  readonly since: Set<string>;
}

/** `most` 0: no bound, and nothing is counted. */
export function createClientQuota(
  chargers: Pick<ChargerReader, 'countConnected'>,
  clock: Clock,
  most: number,
): ClientQuota {
  const counts = new Map<string, Count>();

  async function countOf(clientId: string): Promise<Count> {
    const known = counts.get(clientId);
    if (known !== undefined && clock.monotonicMs() - known.atMs < RECOUNT_MS) return known;
    const atMs = clock.monotonicMs();
    const stored = await chargers.countConnected(clientId);
    // Those admitted a moment ago are perhaps not stored as connected yet: they count until the next time.
    const count = { stored, atMs, since: new Set<string>() };
    counts.delete(clientId);
    counts.set(clientId, count);
    const [oldest] = counts.keys();
    if (counts.size > MAX_CLIENTS && oldest !== undefined) counts.delete(oldest);
    return count;
  }

  return {
    async has({ chargerId, clientId, connection }) {
      if (most === 0 || connection.active) return true;
      const count = await countOf(clientId);
      if (!count.since.has(chargerId) && count.stored + count.since.size >= most) return false;
      count.since.add(chargerId);
      return true;
    },
  };
}
