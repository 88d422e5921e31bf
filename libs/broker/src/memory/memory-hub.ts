// The brokers of one process share this: queues, addresses, and one order of delivery.
import { systemClock, type Clock, type Logger } from '@busbar/core';
import { guarded } from '../guarded';
import type { Response } from '../responder';
import { createQueueOutages } from '../standby';
import { createMemoryQueue, type MemoryQueue } from './memory-queue';
import { silentLogger } from './silent-logger';

const MAX_QUEUED = 10_000;
const MAX_LETTERS = 100_000;

export interface MemoryHubOptions {
  readonly logger?: Logger;
  readonly clock?: Clock;
  /**
   * The most bodies in one queue or partition, including those of the current batch; more are rejected. Default 10,000.
   */
  readonly maxQueued?: number;
}

/** Passes the body to the listener; `responded` is present when a response is expected. */
export type Listener = (body: unknown, responded?: (response: Response<unknown>) => void) => void;

export interface MemoryHub {
  declareQueue(name: string): void;
  queue(name: string): MemoryQueue | undefined;
  queues(): Iterable<MemoryQueue>;
  /** Listens until the returned function is called. */
  join(address: string, listener: Listener): () => void;
  /** The present listeners; of a shared address one of them, round robin. */
  listeners(address: string, shared: boolean): readonly Listener[];
  /** Runs it in a later turn of the event loop, in the given order. False when too many wait. */
  later(task: () => void): boolean;
}

/** Connects several brokers, each made by `createMemoryBroker({hub})`. */
export function createMemoryHub(options: MemoryHubOptions = {}): MemoryHub {
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
    declareQueue(name) {
      if (!queues.has(name)) queues.set(name, createMemoryQueue({ name, limit: maxQueued, clock, logger, ...outages }));
    },
    queue: (name) => queues.get(name),
    queues: () => queues.values(),
    join(address, listener) {
      const entry: Listener = (body, responded) => listener(body, responded);
      addresses.set(address, [...(addresses.get(address) ?? []), entry]);
      return () => {
        const left = (addresses.get(address) ?? []).filter((other) => other !== entry);
        if (left.length > 0) addresses.set(address, left);
        else addresses.delete(address);
      };
    },
    listeners(address, shared) {
      const all = addresses.get(address) ?? [];
      const [first, ...others] = all;
      if (!shared || !first) return all;
      if (others.length > 0) addresses.set(address, [...others, first]);
      return [first];
    },
    later(task) {
      if (tasks.length >= MAX_LETTERS) return false;
      if (tasks.length === 0) setImmediate(drain);
      tasks.push(task);
      return true;
    },
  };
}
