// Side effects that are still to start for messages that may be stored already. The store's answer to a write was lost, or
// another part of the batch failed. When the broker delivers the batch again, its messages would look like repetitions.
import { LRUCache } from 'lru-cache';
import type { Applied } from './contract';

export type PendingSideEffects = ReturnType<typeof createPendingSideEffects>;

/** Twice the size of a write: a partition does not go past a batch that fails. */
const MAX_IDS = 1_000;

/** For one partition in one replica. Beyond `maxIds` the oldest are evicted. */
export function createPendingSideEffects(maxIds = MAX_IDS) {
  const retained = new LRUCache<string, true>({ max: maxIds });
  return {
    /** Retains the ids of messages that were new in a batch that failed, and are perhaps stored. */
    retain(ids: Iterable<string>): void {
      for (const id of ids) retained.set(id, true);
    },
    /** The same list, in which messages that were retained, or are in `more`, are new again. Each is replayed once. */
    replay(applied: Applied[], more: ReadonlySet<string>): Applied[] {
      if (retained.size + more.size === 0) return applied;
      return applied.map((each) => {
        const isPending = retained.delete(each.report.id) || more.has(each.report.id);
        return isPending ? { ...each, isNew: true } : each;
      });
    },
  };
}

/** The ids of the messages that were applied for the first time. */
export function newIdsOf(applied: readonly Applied[]): string[] {
  return applied.flatMap(({ report, isNew }) => (isNew ? [report.id] : []));
}
