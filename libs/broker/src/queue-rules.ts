// What every adapter holds its callers to.
import { AppError } from '@busbar/core';
import type { ConsumeOptions, QueueAddress } from './port';

const MAX_BATCH = 65_535;

/** The queue of a partition; of a channel without partitions there is only number 0, without a number in its name. */
export function queueName(channel: QueueAddress, partition: number): string {
  return channel.partitioned ? `${channel.name}.${String(partition)}` : channel.name;
}

/** Throws AppError `internal` for options that no queue of the channel can honour. */
export function checkConsumeOptions(channel: QueueAddress, options: ConsumeOptions): void {
  if (!Number.isInteger(options.maxBatch) || options.maxBatch < 1 || options.maxBatch > MAX_BATCH) {
    throw new AppError('internal', `A batch of ${channel.name} holds 1 to ${String(MAX_BATCH)} bodies.`);
  }
  // In RabbitMQ it is the queue that has a single active consumer, from its declaration on, not the subscription.
  if (options.singleActive !== channel.partitioned) {
    const kind = channel.partitioned
      ? 'partitioned: only a single active consumer'
      : 'not partitioned: no single active one';
    throw new AppError('internal', `The queue ${channel.name} is ${kind}.`);
  }
}
