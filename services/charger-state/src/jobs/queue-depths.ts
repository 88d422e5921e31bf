// Reads the depth of the queues periodically for the metrics: a read costs the broker too much to do it for each scrape.
import type { Broker } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { createTicker, isAppError, type Clock, type Logger, type Service } from '@busbar/core';

export interface QueueDepthsDeps {
  readonly broker: Pick<Broker, 'depth' | 'ready'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly partitions: number;
  readonly onDepth: (queue: 'reports' | 'dead-letters', depth: number) => void;
}

const EVERY_MS = 15_000;

export function createQueueDepths({ broker, clock, logger, partitions, onDepth }: QueueDepthsDeps): Service {
  const ticker = createTicker(clock, EVERY_MS, begin);
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    let waiting = 0;
    for (let partition = 0; partition < partitions; partition += 1) {
      waiting += await broker.depth(channels.reports, partition);
    }
    onDepth('reports', waiting);
    onDepth('dead-letters', await broker.depth(channels.deadLetters, 0));
  }

  function begin(): void {
    // While the broker is unavailable the last value stays.
    if (!broker.ready()) return;
    looking ??= look()
      .catch((error: unknown) => {
        if (!isAppError(error, 'unavailable')) logger.error({ err: error }, 'could not read the queue depths');
      })
      .finally(() => (looking = undefined));
  }

  return {
    name: 'queue depths',
    start() {
      ticker.start();
      begin();
      return Promise.resolve();
    },
    stop() {
      ticker.stop();
      // A read in progress is not awaited: a suspended broker may never answer it.
      return Promise.resolve();
    },
    ready: ticker.running,
  };
}
