import { channels } from '@busbar/contracts';
import { systemClock, type Logger } from '@busbar/core';
import { createBroker } from '@busbar/runtime';

export interface QueueDepth {
  /** Messages ready in all partitions' queues. */
  read(): Promise<number>;
  close(): Promise<void>;
}

/** The product's default. */
const PARTITIONS = 16;

export async function openQueueDepth(url: string): Promise<QueueDepth> {
  const broker = createBroker(url, { logger: silentLogger(), clock: systemClock });
  await broker.start();
  return {
    async read() {
      const numbers = Array.from({ length: PARTITIONS }, (_, n) => broker.depth(channels.reports, n));
      return (await Promise.all(numbers)).reduce((sum, depth) => sum + depth, 0);
    },
    close: () => broker.stop(),
  };
}

/** The product's own processes already log the connection to the broker. */
function silentLogger(): Logger {
  const nothing = (): void => undefined;
  return { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => silentLogger() };
}
