// The loaded events of one webhook that wait to be sent: a queue for each charger, or for each event where order does not count. Pure.
import type { EventPlace } from '@busbar/domain/webhooks';

export interface QueuedEvent extends EventPlace {
  readonly eventId: string;
  readonly chargerId: string | null;
  /** When its first attempt began. */
  firstStartedMs: number | undefined;
  /** Messages of it that were delivered. */
  messages: number;
}

interface Queue {
  /** The first one is being sent while the queue is busy. */
  readonly events: QueuedEvent[];
  isBusy: boolean;
}

export function createChargerQueues() {
  const queues = new Map<string, Queue>();
  /** Queues that are not busy, in the order in which they became ready. */
  const ready = new Set<string>();

  return {
    hasReady: () => ready.size > 0,
    add(key: string, event: QueuedEvent): void {
      const queue = queues.get(key) ?? { events: [], isBusy: false };
      queue.events.push(event);
      queues.set(key, queue);
      if (!queue.isBusy) ready.add(key);
    },
    /** The first event of the next ready queue, which is busy until `shift`, `giveBack` or `remove`. */
    take(): QueuedEvent | undefined {
      const [key] = ready;
      if (key === undefined) return undefined;
      ready.delete(key);
      const queue = queues.get(key);
      if (queue !== undefined) queue.isBusy = true;
      return queue?.events[0];
    },
    /** The first event was not delivered. */
    giveBack(key: string, startedMs: number, messages: number): void {
      const queue = queues.get(key);
      const first = queue?.events[0];
      if (queue === undefined || first === undefined) return;
      first.firstStartedMs ??= startedMs;
      first.messages = messages;
      queue.isBusy = false;
      ready.add(key);
    },
    /** The first event is done. */
    shift(key: string): void {
      const queue = queues.get(key);
      if (queue === undefined) return;
      queue.events.shift();
      queue.isBusy = false;
      if (queue.events.length > 0) ready.add(key);
      else queues.delete(key);
    },
    /** Returns the events of the queue. */
    remove(key: string): readonly QueuedEvent[] {
      const events = queues.get(key)?.events ?? [];
      queues.delete(key);
      ready.delete(key);
      return events;
    },
    /** The busy queues with more than the event that is being sent, by that event. */
    long: (): readonly (readonly [string, QueuedEvent])[] =>
      [...queues].flatMap(([key, { events, isBusy }]) => {
        const [first] = events;
        return first === undefined || !isBusy || events.length === 1 ? [] : [[key, first] as const];
      }),
  };
}
