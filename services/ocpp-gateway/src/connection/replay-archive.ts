// The last answers of connections that ended or were replaced, for versions whose message ids are unique over all connections of a
// charger (rule 119).
import type { Clock } from '@busbar/core';
import type { EarlierReplay, Replay, ReplayEntry } from '@busbar/ocpp';
import { LRUCache } from 'lru-cache';

type Key = string;

export interface ReplayArchive {
  /** Keeps the last CALLs of a connection, with their answers. An entry of an earlier connection keeps its age. */
  put(connection: Archived): void;
  /**
   * Those of the charger's connections before, once. Each is fresh for ten minutes after its own connection. The charger may have
   * booted in between where an order is missing: another gateway had that connection.
   */
  take(next: Pick<Archived, 'incarnationId' | 'order'>): EarlierReplay;
}

interface Archived {
  readonly incarnationId: Key;
  readonly order: number;
  readonly replay: Pick<Replay, 'entries'>;
}

interface Kept {
  readonly order: number;
  readonly entries: readonly ReplayEntry[];
}

const KEPT_MS = 600_000;
/** Each of eight answers. Chargers beyond it have their frames processed again, which has the same result. */
const MAX_CHARGERS = 2_000;

export function createReplayArchive(clock: Clock): ReplayArchive {
  const kept = new LRUCache<Key, Kept>({ max: MAX_CHARGERS });
  /** Monotonic milliseconds of the first `put`. */
  const archivedMs = new WeakMap<ReplayEntry, number>();
  const isFresh = (entry: ReplayEntry): boolean => {
    const atMs = archivedMs.get(entry);
    return atMs === undefined || clock.monotonicMs() - atMs <= KEPT_MS;
  };
  return {
    put({ incarnationId, order, replay }) {
      const entries = replay.entries().filter(isFresh);
      const nowMs = clock.monotonicMs();
      for (const entry of entries) if (!archivedMs.has(entry)) archivedMs.set(entry, nowMs);
      if (entries.length > 0) kept.set(incarnationId, { order, entries });
    },
    take({ incarnationId, order }) {
      const { entries, order: before } = kept.get(incarnationId) ?? { entries: [], order };
      kept.delete(incarnationId);
      return { entries: entries.filter(isFresh), isFresh, mayHaveBooted: order > before + 1 };
    },
  };
}
