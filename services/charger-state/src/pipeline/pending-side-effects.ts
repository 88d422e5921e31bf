// What was applied for the first time while nothing could follow from it yet: the store did the write and its answer got
// lost, or another part of the batch could not be written. When the batch comes again its messages are in the record.
import type { Applied } from './outcome';

export interface PendingSideEffects {
  /** Ids of messages of a batch that failed, which were new in it and are perhaps stored. */
  keep(ids: Iterable<string>): void;
  /** The same list with those new again that were kept, or are in `more`; they are forgotten with it, so that each is told once. */
  recall(applied: Applied[], more: ReadonlySet<string>): Applied[];
}

/** Twice what is written at a time: a partition that fails goes on with nothing else. */
const MOST = 1_000;

/** The memory of one partition, in one replica. Bounded: the oldest are forgotten. */
export function createPendingSideEffects(most = MOST): PendingSideEffects {
  // A Set keeps insertion order.
  const kept = new Set<string>();
  return {
    keep(ids) {
      for (const id of ids) {
        kept.add(id);
        if (kept.size <= most) continue;
        const oldest = kept.values().next();
        if (!oldest.done) kept.delete(oldest.value);
      }
    },
    recall(applied, more) {
      if (kept.size + more.size === 0) return applied;
      return applied.map((each) => {
        const isKept = kept.delete(each.report.id) || more.has(each.report.id);
        return isKept ? { ...each, isNew: true } : each;
      });
    },
  };
}

export function newIdsOf(applied: readonly Applied[]): string[] {
  return applied.flatMap(({ report, isNew }) => (isNew ? [report.id] : []));
}
