// The last answers of closed connections, for versions whose message ids are unique over all connections of a charger (rule 119).
import type { Clock } from '@busbar/core';
import type { Replay, ReplayEntry } from '@busbar/ocpp';
import { LRUCache } from 'lru-cache';

type Key = string;

export interface ReplayArchive {
  /** Keeps the last CALLs of a connection that ended, with their answers. */
  put(incarnationId: Key, replay: Pick<Replay, 'entries'>): void;
  /** Those of the charger's connection before, once: none after ten minutes. */
  take(incarnationId: Key): readonly ReplayEntry[];
}

const KEPT_MS = 600_000;
/** Each of eight answers. Chargers beyond it have their frames processed again, which has the same result. */
const MAX_CHARGERS = 2_000;

export function createReplayArchive(clock: Clock): ReplayArchive {
  const kept = new LRUCache<Key, { readonly entries: readonly ReplayEntry[]; readonly atMs: number }>({
    max: MAX_CHARGERS,
  });
  return {
    put(incarnationId, replay) {
      const entries = replay.entries();
      if (entries.length > 0) kept.set(incarnationId, { entries, atMs: clock.monotonicMs() });
    },
    take(incarnationId) {
      const found = kept.get(incarnationId);
      kept.delete(incarnationId);
      return found === undefined || clock.monotonicMs() - found.atMs > KEPT_MS ? [] : found.entries;
    },
  };
}
