// The bodies of one queue in order: taken from the front, and put back in their place.
import type { PublishFailure } from '../port';

// Shifting an array costs its length each time, so reading moves an index and the array is cut now and then.
const COMPACT_AT = 1_024;

/** Does not throw. */
export type PublishDone = (failure?: PublishFailure) => void;

export interface MemoryItem {
  readonly seq: number;
  readonly body: unknown;
  /** The publisher's id. */
  readonly owner: object;
  done: PublishDone | undefined;
  redelivered: boolean;
}

export function createItemList() {
  let items: MemoryItem[] = [];
  let head = 0;
  let lastSeq = 0;
  return {
    size: () => items.length - head,
    push(item: Omit<MemoryItem, 'seq' | 'redelivered'>) {
      lastSeq += 1;
      items.push({ seq: lastSeq, ...item, redelivered: false });
    },
    /** The oldest ones, which stay in the list. */
    first: (max: number): readonly MemoryItem[] => items.slice(head, head + max),
    take(max: number) {
      const taken = items.slice(head, head + max);
      head += taken.length;
      if (head === items.length || head >= COMPACT_AT) {
        items = items.slice(head);
        head = 0;
      }
      return taken;
    },
    giveBack(taken: readonly MemoryItem[]) {
      for (const item of taken) item.redelivered = true;
      // Competing consumers put bodies back in any order: the sequence number gives their place.
      items = [...taken, ...items.slice(head)].sort((a, b) => a.seq - b.seq);
      head = 0;
    },
  };
}
