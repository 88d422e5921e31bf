import { AppError, type Clock, type Logger } from '@busbar/core';
import { guarded } from '../guarded';
import { createLatch } from '../latch';
import type { BrokerParts } from '../open-subscriptions';
import type { BatchHandler, Broker, PublishFailure } from '../port';
import { checkConsumeOptions, queueName } from '../queue-rules';
import type { MemoryHub } from './memory-hub';
import type { MemoryQueue } from './memory-queue';

const FLUSH_MS = 2_000;

interface MemoryQueuesDeps extends BrokerParts {
  readonly hub: MemoryHub;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly takes: () => boolean;
  readonly drainMs: number;
}

/** The durable half of a memory broker. */
export function createMemoryQueues(deps: MemoryQueuesDeps) {
  const { hub, logger, subscriptions } = deps;
  const owner = {};
  let unconfirmed = 0;
  let flushed = createLatch();

  const acknowledge = (done: (failure?: PublishFailure) => void, failure?: PublishFailure): void => {
    unconfirmed -= 1;
    if (unconfirmed === 0) flushed.open();
    guarded(logger, 'done', () => done(failure));
  };

  const declared = (name: string): MemoryQueue => {
    const queue = hub.queue(name);
    if (!queue) throw new AppError('internal', `The queue ${name} was not declared.`);
    return queue;
  };

  const checkRuns = async (): Promise<void> => {
    await Promise.resolve();
    deps.mustRun();
  };

  const port: Pick<Broker, 'declareQueue' | 'enqueue' | 'consume' | 'depth'> = {
    async declareQueue(channel, partitions = 1) {
      await checkRuns();
      const count = channel.partitioned ? partitions : 1;
      for (let n = 0; n < count; n += 1) hub.declareQueue(queueName(channel, n));
    },
    enqueue(channel, partition, body, done) {
      if (unconfirmed === 0) flushed = createLatch();
      unconfirmed += 1;
      const published = (failure?: PublishFailure): void => acknowledge(done, failure);
      const failure = deps.takes()
        ? put(hub.queue(queueName(channel, partition)), owner, body, published)
        : 'unavailable';
      if (failure) setImmediate(published, failure);
    },
    async consume(channel, partition, options, handler) {
      await checkRuns();
      checkConsumeOptions(channel, options);
      // Bodies have the type of the channel, here and below.
      const consumer = declared(queueName(channel, partition)).subscribe(
        { ...options, singleActive: channel.partitioned, version: channel.version },
        handler as BatchHandler<unknown>,
      );
      return subscriptions.add(() => consumer.close(deps.drainMs));
    },
    async depth(channel, partition) {
      await checkRuns();
      return declared(queueName(channel, partition)).depth();
    },
  };

  return {
    port,
    /** Waits, within limits, for consumers to store the rest; fails what is left with `unavailable`. */
    async flush() {
      // Without a consumer no confirm can come.
      if (unconfirmed > 0 && [...hub.queues()].some((queue) => queue.consumed())) {
        await flushed.wait(deps.clock, FLUSH_MS);
      }
      for (const queue of hub.queues()) for (const done of queue.disown(owner)) done('unavailable');
    },
  };
}

function put(
  queue: MemoryQueue | undefined,
  owner: object,
  body: unknown,
  published: (failure?: PublishFailure) => void,
): PublishFailure | undefined {
  if (!queue) return 'unroutable';
  return queue.push(owner, body, published) ? undefined : 'refused';
}
