// The deliveries of one webhook that wait for a retry while those of other chargers continue. Pure.
import type { DeferredQueue, EventPlace } from '@busbar/domain/webhooks';

export type DeferredQueues = ReturnType<typeof createDeferredQueues>;
export type Deferral = Pick<DeferredQueue, 'eventId' | 'attempts' | 'firstStartedMs' | 'nextAttemptMs' | 'messages'>;

/** No further page is loaded while so many wait. */
const ROOM = 1_000;
/** Above every wait: a retry that is later is due, since the clock was set back. */
const MAX_WAIT_MS = 3_600_000;

interface Entry {
  queue: DeferredQueue;
  isBusy: boolean;
}

export function createDeferredQueues(start: readonly DeferredQueue[], keyOf: (queue: DeferredQueue) => string) {
  const entries = new Map<string, Entry>(start.map((queue) => [keyOf(queue), { queue, isBusy: false }]));
  /** None is due before. */
  let earliestMs = 0;

  function replace(key: string, queue: DeferredQueue): void {
    entries.set(key, { queue, isBusy: false });
    earliestMs = Math.min(earliestMs, queue.nextAttemptMs);
  }

  function take(key: string, entry: Entry): { readonly key: string; readonly queue: DeferredQueue } {
    entry.isBusy = true;
    return { key, queue: entry.queue };
  }

  return {
    has: (key: string) => entries.has(key),
    get: (key: string) => entries.get(key)?.queue,
    hasRoom: () => entries.size < ROOM,
    size: () => entries.size,
    replace,
    /** Its first event is being delivered: it stays taken. */
    replaceTaken(key: string, queue: DeferredQueue): void {
      entries.set(key, { queue, isBusy: true });
    },
    remove: (key: string) => void entries.delete(key),
    /** The first one that is due. It is taken until it is replaced, returned or removed. */
    takeDue(nowMs: number) {
      if (nowMs < earliestMs && earliestMs - nowMs <= MAX_WAIT_MS) return undefined;
      earliestMs = Infinity;
      for (const [key, entry] of entries) {
        if (entry.isBusy) continue;
        const { nextAttemptMs } = entry.queue;
        if (nextAttemptMs <= nowMs || nextAttemptMs - nowMs > MAX_WAIT_MS) {
          earliestMs = 0;
          return take(key, entry);
        }
        earliestMs = Math.min(earliestMs, nextAttemptMs);
      }
      return undefined;
    },
    /** One with this event, or any, whether or not it is due. */
    takeAny(eventId?: string) {
      for (const [key, entry] of entries) {
        if (!entry.isBusy && (eventId === undefined || entry.queue.eventId === eventId)) return take(key, entry);
      }
      return undefined;
    },
    /** Not delivered, and due at once. */
    giveBack(key: string, nowMs: number): void {
      const entry = entries.get(key);
      if (entry !== undefined) replace(key, { ...entry.queue, nextAttemptMs: nowMs });
    },
    /** When the next one is due; undefined without one that waits. */
    nextMs(): number | undefined {
      const waiting = [...entries.values()].filter(({ isBusy }) => !isBusy);
      return waiting.length === 0 ? undefined : Math.min(...waiting.map(({ queue }) => queue.nextAttemptMs));
    },
    all: (): readonly DeferredQueue[] => Array.from(entries.values(), ({ queue }) => queue),
  };
}

/** The queue that begins at this place. */
export function deferredAt(place: EventPlace, chargerId: string | null, deferral: Deferral): DeferredQueue {
  const { partition, page, index } = place;
  return { partition, page, index, chargerId, ...deferral };
}
