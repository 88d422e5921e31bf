// One durable queue as far as one process can have one: a body stays in it until a consumer's handler has resolved.
import type { Clock, Logger, Trouble } from '@busbar/core';
import { createBatchRunner, type Batch, type BatchRunner } from '../batch-runner';
import { guarded } from '../guarded';
import type { BatchHandler, ConsumeOptions, PublishFailure } from '../port';

// An array that is shifted costs its length each time; one that is read through an index is cut now and then.
const COMPACT_AT = 1_024;

/** Does not throw. */
type Settled = (failure?: PublishFailure) => void;

interface MemoryItem {
  readonly seq: number;
  readonly body: unknown;
  /** Of the broker that gave it. */
  readonly owner: object;
  done: Settled | undefined;
  redelivered: boolean;
}

export interface MemoryConsumer {
  /** Lets the batch in hand finish, at most `withinMs`, then gives back in order what is not settled. */
  close(withinMs: number): Promise<void>;
}

export interface MemoryQueue {
  /** False when the queue is full. */
  push(owner: object, body: unknown, done: Settled): boolean;
  subscribe(options: ConsumeOptions, handler: BatchHandler<unknown>): MemoryConsumer;
  /** Bodies that wait, those in a consumer's hand not counted. */
  depth(): number;
  consumed(): boolean;
  /** The owner goes: its bodies stay, and what their confirmation would have called is handed back. */
  disown(owner: object): Settled[];
}

export interface MemoryQueueDeps {
  readonly name: string;
  readonly limit: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly trouble: Trouble;
}

interface Consumer {
  readonly maxBatch: number;
  /** Until its first batch. */
  onBegin?: (() => void) | undefined;
  runner: BatchRunner;
  inHand: MemoryItem[] | undefined;
}

export function createMemoryQueue(deps: MemoryQueueDeps): MemoryQueue {
  const consumers: Consumer[] = [];
  let items: MemoryItem[] = [];
  let head = 0;
  let inHand = 0;
  let lastSeq = 0;
  let singleActive = false;
  let turn = 0;

  const depth = (): number => items.length - head;

  const take = (most: number): MemoryItem[] => {
    const taken = items.slice(head, head + most);
    head += taken.length;
    inHand += taken.length;
    if (head === items.length || head >= COMPACT_AT) {
      items = items.slice(head);
      head = 0;
    }
    return taken;
  };

  const giveBack = (taken: readonly MemoryItem[]): void => {
    for (const item of taken) item.redelivered = true;
    inHand -= taken.length;
    // Consumers that compete give back in any order: the sequence number says where each belongs.
    items = [...taken, ...items.slice(head)].sort((a, b) => a.seq - b.seq);
    head = 0;
  };

  const wake = (): void => {
    if (singleActive) {
      consumers[0]?.runner.wake();
      return;
    }
    for (let i = 0; i < consumers.length; i += 1) {
      const consumer = consumers[(turn + i) % consumers.length];
      if (!consumer?.runner.idle()) continue;
      turn = (turn + i + 1) % consumers.length;
      consumer.runner.wake();
      return;
    }
  };

  const nextFor = (consumer: Consumer): Batch<unknown> | undefined => {
    if (depth() === 0) return undefined;
    begin(consumer, deps.logger);
    const taken = take(consumer.maxBatch);
    consumer.inHand = taken;
    const current = (): boolean => consumer.inHand === taken;
    return {
      deliveries: taken.map(({ body, redelivered }) => ({ body, redelivered })),
      keep: current,
      settle() {
        // Not when it was given back because the handler took too long to end.
        if (!current()) return;
        consumer.inHand = undefined;
        inHand -= taken.length;
        for (const { done } of taken) done?.();
      },
    };
  };

  const leave = (consumer: Consumer): void => {
    const place = consumers.indexOf(consumer);
    if (place === -1) return;
    consumers.splice(place, 1);
    if (consumer.inHand) giveBack(consumer.inHand);
    consumer.inHand = undefined;
    wake();
  };

  return {
    depth,
    consumed: () => consumers.length > 0,
    push(owner, body, done) {
      if (depth() + inHand >= deps.limit) return false;
      lastSeq += 1;
      items.push({ seq: lastSeq, body, owner, done, redelivered: false });
      wake();
      return true;
    },
    subscribe(options, handler) {
      singleActive = options.singleActive;
      const consumer: Consumer = {
        ...options,
        inHand: undefined,
        runner: createBatchRunner({ queue: deps.name, handler, next: () => nextFor(consumer), ...deps }),
      };
      consumers.push(consumer);
      wake();
      return {
        async close(withinMs) {
          await consumer.runner.finish(withinMs);
          leave(consumer);
        },
      };
    },
    disown(owner) {
      const all = [...consumers.flatMap((consumer) => consumer.inHand ?? []), ...items.slice(head)];
      return all.flatMap((item) => {
        const { done } = item;
        if (item.owner !== owner || !done) return [];
        item.done = undefined;
        return [done];
      });
    },
  };
}

function begin(consumer: Consumer, logger: Logger): void {
  const { onBegin } = consumer;
  consumer.onBegin = undefined;
  if (onBegin) guarded(logger, 'onBegin', onBegin);
}
