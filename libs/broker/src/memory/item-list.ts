// The bodies of one queue in their order: taken from the front, and given back to where they were.
import type { PublishFailure } from '../port';

// An array that is shifted costs its length each time; one that is read through an index is cut now and then.
const COMPACT_AT = 1_024;

/** Does not throw. */
export type Settled = (failure?: PublishFailure) => void;

export interface MemoryItem {
  readonly seq: number;
  readonly body: unknown;
  /** Of the broker that gave it. */
  readonly owner: object;
  done: Settled | undefined;
  redelivered: boolean;
}

export interface ItemList {
  size(): number;
  push(item: Omit<MemoryItem, 'seq' | 'redelivered'>): void;
  /** The first ones, which stay. */
  first(most: number): readonly MemoryItem[];
  take(most: number): MemoryItem[];
  giveBack(taken: readonly MemoryItem[]): void;
}

export function createItemList(): ItemList {
  let items: MemoryItem[] = [];
  let head = 0;
  let lastSeq = 0;
  return {
    size: () => items.length - head,
    push(item) {
      lastSeq += 1;
      items.push({ seq: lastSeq, ...item, redelivered: false });
    },
    first: (most) => items.slice(head, head + most),
    take(most) {
      const taken = items.slice(head, head + most);
      head += taken.length;
      if (head === items.length || head >= COMPACT_AT) {
        items = items.slice(head);
        head = 0;
      }
      return taken;
    },
    giveBack(taken) {
      for (const item of taken) item.redelivered = true;
      // Consumers that compete give back in any order: the sequence number says where each belongs.
      items = [...taken, ...items.slice(head)].sort((a, b) => a.seq - b.seq);
      head = 0;
    },
  };
}
