// The brokers of one process share this: queues, addresses, and one order of delivery.
import { systemClock, type Clock, type Logger } from '@busbar/core';
import { guarded } from '../guarded';
import type { Response } from '../responder';
import { createQueueOutages } from '../standby';
import { createMemoryQueue, type MemoryQueue } from './memory-queue';
import { silentLogger } from './silent-logger';

const MAX_QUEUED = 10_000;
const MAX_LETTERS = 100_000;

interface MemoryHubOptions {
  readonly logger?: Logger;
  readonly clock?: Clock;
  /**
   * The most bodies in one queue or partition, including those of the current batch; more are rejected. Default 10,000.
   */
  readonly maxQueued?: number;
}

/** Passes the body to the listener; `responded` is present when a response is expected. */
export type Listener = (body: unknown, responded?: (response: Response<unknown>) => void) => void;

export type MemoryHub = ReturnType<typeof createMemoryHub>;

/** Connects several brokers, each made by `createMemoryBroker({hub})`. */
export function createMemoryHub(options: MemoryHubOptions = {}) {
  const { logger = silentLogger, clock = systemClock, maxQueued = MAX_QUEUED } = options;
  const queues = new Map<string, MemoryQueue>();
  const addresses = new Map<string, Listener[]>();
  const outages = createQueueOutages(clock, logger);
  let tasks: (() => void)[] = [];

  const drain = (): void => {
    const due = tasks;
    tasks = [];
    for (const task of due) guarded(logger, 'delivery', task);
  };

  return {
    declareQueue(name: string) {
      if (!queues.has(name)) queues.set(name, createMemoryQueue({ name, limit: maxQueued, clock, logger, ...outages }));
    },
    queue: (name: string) => queues.get(name),
    queues: () => queues.values(),
    /** Listens until the returned function is called. */
    join(address: string, listener: Listener): () => void {
      const entry: Listener = (body, responded) => listener(body, responded);
      addresses.set(address, [...(addresses.get(address) ?? []), entry]);
      return () => {
        const left = (addresses.get(address) ?? []).filter((other) => other !== entry);
        if (left.length > 0) addresses.set(address, left);
        else addresses.delete(address);
      };
    },
    /** The present listeners; of a shared address one of them, round robin. */
    listeners(address: string, shared: boolean): readonly Listener[] {
      const all = addresses.get(address) ?? [];
      const [first, ...others] = all;
      if (!shared || !first) return all;
      if (others.length > 0) addresses.set(address, [...others, first]);
      return [first];
    },
    /** Runs it in a later turn of the event loop, in the given order. False when too many wait. */
    later(task: () => void): boolean {
      if (tasks.length >= MAX_LETTERS) return false;
      if (tasks.length === 0) setImmediate(drain);
      tasks.push(task);
      return true;
    },
  };
}
