// Messages that fail by their own fault: out of their partition into a queue of their own, and from there into the store,
// where an operator finds them.
import type { Broker, Subscription } from '@busbar/broker';
import { channels, type ReportEnvelope } from '@busbar/contracts';
import { AppError, type Clock, type Logger, type Service } from '@busbar/core';
import { toInstant, type DeadLetterStore } from '@busbar/domain';

export interface DeadLettersDeps {
  readonly broker: Broker;
  readonly store: DeadLetterStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onBuried: () => void;
}

export interface DeadLetters extends Service {
  /** Resolves when the queue has it: only then is the message done with. Rejects with `unavailable`. */
  bury(report: ReportEnvelope, error: unknown): Promise<void>;
}

const REASON_CHARACTERS = 500;
const MAX_BATCH = 50;

export function createDeadLetters(deps: DeadLettersDeps): DeadLetters {
  const { broker, store, clock, logger } = deps;
  let subscription: Subscription | undefined;

  return {
    name: 'dead-letters',
    async start() {
      if (subscription) return;
      await broker.declareQueue(channels.deadLetters);
      // Their order means nothing: every replica may take some.
      const options = { maxBatch: MAX_BATCH, singleActive: false };
      subscription = await broker.consume(channels.deadLetters, 0, options, async (batch) => {
        for (const { body } of batch) {
          if (body === undefined) continue;
          const { report, reason, at } = body;
          const { id: deadLetterId, chargerId, action } = report;
          await store.keep({ deadLetterId, chargerId, action, reason, at, report: JSON.stringify(report) });
        }
      });
    },
    async stop() {
      await subscription?.close();
      subscription = undefined;
    },
    ready: () => subscription !== undefined,
    bury(report, error) {
      const { id, chargerId, action } = report;
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, REASON_CHARACTERS);
      const at = toInstant(clock.now());
      return new Promise((resolve, reject) => {
        broker.enqueue(channels.deadLetters, 0, { report, reason, at }, (failure) => {
          if (failure !== undefined) {
            reject(new AppError('unavailable', `the dead-letter queue did not take a message: ${failure}`));
            return;
          }
          deps.onBuried();
          logger.error({ err: error, correlationId: id, chargerId, action }, 'a message failed by itself five times');
          resolve();
        });
      });
    },
  };
}
