// Writes the log of attempts in bulk. No delivery waits for it: where the store is too slow or unavailable, the oldest attempts are
// dropped.
import { createOutageReporter, messageOf, type Clock, type Logger, type Service, type Timer } from '@busbar/core';
import type { DeliveryAttempt, DeliveryLog } from '@busbar/domain/webhooks';

export interface AttemptLog extends Service {
  add(attempt: DeliveryAttempt): void;
}

export interface AttemptLogDeps {
  readonly log: Pick<DeliveryLog, 'append'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onDropped: (count: number) => void;
}

const FLUSH_MS = 500;
const MAX_BATCH = 500;
const MAX_WAITING = 5_000;

export function createAttemptLog({ log, clock, logger, onDropped }: AttemptLogDeps): AttemptLog {
  let waiting: DeliveryAttempt[] = [];
  let timer: Timer | undefined;
  let writing: Promise<void> | undefined;
  const outages = createOutageReporter({
    clock,
    logger,
    began: 'the log of deliveries cannot be written; deliveries continue',
    ended: 'the log of deliveries is written again',
  });

  async function write(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, MAX_BATCH);
        await log.append(batch);
        // Attempts that were dropped meanwhile were the first of the batch.
        const written = new Set(batch);
        waiting = waiting.filter((each) => !written.has(each));
        if (batch.length < MAX_BATCH) break;
      }
      outages.clear('log');
    } catch (error) {
      outages.report('log', messageOf(error), { err: error });
    }
  }

  function flush(): Promise<void> {
    return (writing ??= write().finally(() => (writing = undefined)));
  }

  return {
    name: 'log of deliveries',
    add(attempt) {
      waiting.push(attempt);
      if (waiting.length > MAX_WAITING) {
        waiting.shift();
        onDropped(1);
      }
      if (waiting.length === MAX_BATCH) void flush();
    },
    start() {
      timer ??= clock.every(FLUSH_MS, () => {
        if (waiting.length > 0) void flush();
      });
      return Promise.resolve();
    },
    async stop() {
      timer?.cancel();
      timer = undefined;
      await writing;
      await flush();
    },
    ready: () => timer !== undefined,
  };
}
