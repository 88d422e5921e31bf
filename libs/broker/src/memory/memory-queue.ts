// One queue with the guarantees that one process can give: a body stays in it until its consumer's handler has
// resolved.
import { versionOf } from '@busbar/contracts';
import type { Clock, Logger, Timer, OutageReporter } from '@busbar/core';
import { createBatchRunner, type Batch, type BatchRunner } from '../batch-runner';
import { guarded } from '../guarded';
import type { BatchHandler, ConsumeOptions } from '../port';
import { createStandby, type Standby } from '../standby';
import { createItemList, type MemoryItem, type PublishDone } from './item-list';

export type MemoryQueue = ReturnType<typeof createMemoryQueue>;

export interface MemoryConsumeOptions extends ConsumeOptions {
  /** Only the longest subscribed consumer gets deliveries. The same for all consumers of a queue. */
  readonly singleActive: boolean;
  /** The newest version that the consumer knows. */
  readonly version: number;
}

interface MemoryQueueDeps {
  readonly name: string;
  readonly limit: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly outages: OutageReporter;
  readonly newer: OutageReporter;
}

interface Consumer {
  readonly maxBatch: number;
  readonly version: number;
  readonly standby: Standby;
  /** While it is on standby. */
  back: Timer | undefined;
  restart(): void;
  /** Until its first batch. */
  onBegin?: (() => void) | undefined;
  runner: BatchRunner;
  inHand: MemoryItem[] | undefined;
}

export function createMemoryQueue(deps: MemoryQueueDeps) {
  const consumers: Consumer[] = [];
  const items = createItemList();
  let inHand = 0;
  let singleActive = false;
  let turn = 0;

  const giveBack = (taken: readonly MemoryItem[]): void => {
    inHand -= taken.length;
    items.giveBack(taken);
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
    if (items.size() === 0) return undefined;
    const known = countKnown(items.first(consumer.maxBatch), consumer.version);
    if (known === 0) {
      standBy(consumer);
      return undefined;
    }
    begin(consumer, deps.logger);
    const taken = items.take(known);
    inHand += taken.length;
    consumer.inHand = taken;
    return batchOf(consumer, taken, () => (inHand -= taken.length));
  };

  /** The next consumer gets the newer body; this one goes behind all others. */
  const standBy = (consumer: Consumer): void => {
    const waitMs = consumer.standby.begin(versionOf(items.first(1)[0]?.body));
    consumers.splice(consumers.indexOf(consumer), 1);
    consumer.back = deps.clock.after(waitMs, () => {
      consumer.back = undefined;
      consumer.restart();
      consumers.push(consumer);
      wake();
    });
    wake();
  };

  const leave = (consumer: Consumer): void => {
    consumer.back?.cancel();
    consumer.back = undefined;
    const place = consumers.indexOf(consumer);
    if (place === -1) return;
    consumers.splice(place, 1);
    if (consumer.inHand) giveBack(consumer.inHand);
    consumer.inHand = undefined;
    wake();
  };

  return {
    /** Waiting bodies, without those of the current batch. */
    depth: items.size,
    consumed: () => consumers.length > 0,
    /** False when the queue is full. */
    push(owner: object, body: unknown, done: PublishDone): boolean {
      if (items.size() + inHand >= deps.limit) return false;
      items.push({ body, owner, done });
      wake();
      return true;
    },
    subscribe(options: MemoryConsumeOptions, handler: BatchHandler<unknown>) {
      singleActive = options.singleActive;
      const consumer: Consumer = {
        ...options,
        inHand: undefined,
        back: undefined,
        restart: () => (consumer.onBegin = options.onBegin),
        standby: createStandby({ queue: deps.name, onNewer: options.onNewer, ...deps }),
        runner: createBatchRunner({ queue: deps.name, handler, next: () => nextFor(consumer), ...deps }),
      };
      consumers.push(consumer);
      wake();
      return {
        /** Lets the current batch finish, at most `withinMs`, then requeues the rest in order. */
        async close(withinMs: number) {
          await consumer.runner.finish(withinMs);
          leave(consumer);
        },
      };
    },
    /** The publisher stops: its bodies stay, and their callbacks are returned. */
    disown(owner: object): PublishDone[] {
      const all = [...consumers.flatMap((consumer) => consumer.inHand ?? []), ...items.first(items.size())];
      return all.flatMap((item) => {
        const { done } = item;
        if (item.owner !== owner || !done) return [];
        item.done = undefined;
        return [done];
      });
    },
  };
}

function batchOf(consumer: Consumer, taken: MemoryItem[], onAcknowledged: () => void): Batch<unknown> {
  const current = (): boolean => consumer.inHand === taken;
  return {
    deliveries: taken.map(({ body, redelivered }) => ({ body, redelivered })),
    retain: current,
    acknowledge() {
      // Not when it was requeued because the handler took too long.
      if (!current()) return;
      consumer.inHand = undefined;
      onAcknowledged();
      for (const { done } of taken) done?.();
      consumer.standby.over();
    },
  };
}

/** The number of bodies before the first one of a newer version. */
function countKnown(items: readonly MemoryItem[], version: number): number {
  const newer = items.findIndex(({ body }) => versionOf(body) > version);
  return newer === -1 ? items.length : newer;
}

function begin(consumer: Consumer, logger: Logger): void {
  const { onBegin } = consumer;
  consumer.onBegin = undefined;
  if (onBegin) guarded(logger, 'onBegin', onBegin);
}
