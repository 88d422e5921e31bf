// The rules that every adapter enforces on its callers.
import { AppError } from '@busbar/core';
import type { ConsumeOptions, QueueAddress } from './port';

const MAX_BATCH = 65_535;

/** The queue of a partition. A channel without partitions has only number 0, and no number in the name. */
export function queueName(channel: QueueAddress, partition: number): string {
  return channel.partitioned ? `${channel.name}.${String(partition)}` : channel.name;
}

/** Throws AppError `internal` for options that do not fit the channel. */
export function checkConsumeOptions(channel: QueueAddress, options: ConsumeOptions): void {
  if (!Number.isInteger(options.maxBatch) || options.maxBatch < 1 || options.maxBatch > MAX_BATCH) {
    throw new AppError('internal', `A batch of ${channel.name} holds 1 to ${String(MAX_BATCH)} bodies.`);
  }
}
