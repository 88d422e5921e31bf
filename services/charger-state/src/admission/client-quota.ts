// Limits the connected chargers of a client. Counts them in the store every two seconds, and adds the admissions since. Several
// replicas together may exceed the limit by their admissions of that time.
import type { Clock } from '@busbar/core';
import type { Charger, ChargerReader } from '@busbar/domain/chargers';
import { LRUCache } from 'lru-cache';

export type ClientQuota = ReturnType<typeof createClientQuota>;

const RECOUNT_MS = 2_000;
/** Clients whose count is cached. */
const MAX_CLIENTS = 10_000;

interface Count {
  readonly stored: number;
  readonly atMs: number;
  readonly since: Set<string>;
}

/** `limit` 0: no limit, and nothing is counted. */
export function createClientQuota(chargers: Pick<ChargerReader, 'countConnected'>, clock: Clock, limit: number) {
  const counts = new LRUCache<string, Count>({ max: MAX_CLIENTS });

  async function countOf(clientId: string): Promise<Count> {
    const known = counts.get(clientId);
    if (known !== undefined && clock.monotonicMs() - known.atMs < RECOUNT_MS) return known;
    const atMs = clock.monotonicMs();
    const stored = await chargers.countConnected(clientId);
    // The latest admissions may not be stored as connected yet: the next count has them.
    const count = { stored, atMs, since: new Set<string>() };
    counts.set(clientId, count);
    return count;
  }

  return {
    /** Returns whether this charger may connect, and counts it then. A connected charger may connect again. */
    async has({ chargerId, clientId, connection }: Charger): Promise<boolean> {
      if (limit === 0 || connection.active) return true;
      const count = await countOf(clientId);
      if (!count.since.has(chargerId) && count.stored + count.since.size >= limit) return false;
      count.since.add(chargerId);
      return true;
    },
  };
}
