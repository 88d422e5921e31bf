// The last answers of connections that ended or were replaced, for versions whose message ids are unique over all connections of a
// charger (rule 119).
import type { Clock } from '@busbar/core';
import type { EarlierReplay, Replay, ReplayEntry } from '@busbar/ocpp';
import { LRUCache } from 'lru-cache';

type Key = string;

export interface ReplayArchive {
  /** Keeps the last CALLs of a connection, with their answers. An entry of an earlier connection keeps its age. */
  put(incarnationId: Key, replay: Pick<Replay, 'entries'>): void;
  /** Those of the charger's connections before, once. Each is fresh for ten minutes after its own connection. */
  take(incarnationId: Key): EarlierReplay;
}

const KEPT_MS = 600_000;
/** Each of eight answers. Chargers beyond it have their frames processed again, which has the same result. */
const MAX_CHARGERS = 2_000;

export function createReplayArchive(clock: Clock): ReplayArchive {
  const kept = new LRUCache<Key, readonly ReplayEntry[]>({ max: MAX_CHARGERS });
  /** Monotonic milliseconds of the first `put`. */
  const archivedMs = new WeakMap<ReplayEntry, number>();
  const isFresh = (entry: ReplayEntry): boolean => {
    const atMs = archivedMs.get(entry);
    return atMs === undefined || clock.monotonicMs() - atMs <= KEPT_MS;
  };
  return {
    put(incarnationId, replay) {
      const entries = replay.entries().filter(isFresh);
      const nowMs = clock.monotonicMs();
      for (const entry of entries) if (!archivedMs.has(entry)) archivedMs.set(entry, nowMs);
      if (entries.length > 0) kept.set(incarnationId, entries);
    },
    take(incarnationId) {
      const entries = kept.get(incarnationId) ?? [];
      kept.delete(incarnationId);
      return { entries: entries.filter(isFresh), isFresh };
    },
  };
}
