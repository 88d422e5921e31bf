// Passes batches to a handler, one at a time: the same for every adapter.
import { backoff, isAppError, messageOf, type Clock, type Logger, type OutageReporter } from '@busbar/core';
import type { BatchHandler, Delivery } from './port';
import { createLatch } from './latch';

const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 5_000;

/** The log messages about failing batches. */
export const FAILING_BATCHES = {
  began: 'batches fail and are retried',
  ended: 'no batch fails any more',
} as const;

export interface Batch<Body> {
  readonly deliveries: readonly Delivery<Body>[];
  /** The handler has completed the batch. */
  acknowledge(): void;
  /** The handler failed. True: retry after a wait; false: the batch is no longer this consumer's. */
  retain(): boolean;
}

export interface BatchRunnerDeps<Body> {
  /** Names the queue in logs. */
  readonly queue: string;
  readonly handler: BatchHandler<Body>;
  /** All waiting deliveries, up to the consumer's maximum; undefined for none. */
  readonly next: () => Batch<Body> | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For all queues of this broker: an unavailable store fails the batches of every one. */
  readonly outages: OutageReporter;
}

export type BatchRunner = ReturnType<typeof createBatchRunner>;

export function createBatchRunner<Body>(deps: BatchRunnerDeps<Body>) {
  const { next, clock } = deps;
  const quiet = createLatch();
  let scheduled = false;
  let running = false;
  let finishing = false;
  const isFinishing = (): boolean => finishing;
  let endWait: (() => void) | undefined;

  /** Deliveries may wait. Those that arrive in the same turn of the event loop form one batch, without a timer. */
  const wake = (): void => {
    if (scheduled || running || finishing) return;
    scheduled = true;
    setImmediate(run);
  };

  const run = (): void => {
    scheduled = false;
    if (finishing) return;
    const batch = next();
    if (!batch) return;
    running = true;
    // Returns to the event loop after each batch, so that a busy queue starves nobody.
    void attempt(batch).then(() => {
      running = false;
      // Handled, or no longer this consumer's.
      deps.outages.clear(deps.queue);
      if (finishing) quiet.open();
      else wake();
    });
  };

  const attempt = async (batch: Batch<Body>): Promise<void> => {
    const waits = backoff({ firstMs: RETRY_FIRST_MS, maxMs: RETRY_MAX_MS });
    let { deliveries } = batch;
    for (;;) {
      const failure = await handled(deps, deliveries);
      if (failure === undefined) {
        batch.acknowledge();
        return;
      }
      reportFailure(deps, failure.error);
      if (!batch.retain() || isFinishing()) return;
      const waitMs = waits.next();
      await new Promise<void>((resolve) => {
        const timer = clock.after(waitMs, resolve);
        endWait = () => {
          timer.cancel();
          resolve();
        };
      });
      endWait = undefined;
      if (isFinishing() || !batch.retain()) return;
      deliveries = deliveries.map((delivery) => ({ ...delivery, redelivered: true }));
    }
  };

  return {
    wake,
    /** True while nothing runs and nothing is scheduled. */
    idle: () => !scheduled && !running,
    /** Takes no new batch; resolves when the current one is done, or after `withinMs` at the latest. */
    async finish(withinMs: number) {
      finishing = true;
      endWait?.();
      if (running) await quiet.wait(clock, withinMs);
    },
  };
}

/** `unavailable` is an outage; anything else is a defect and needs its stack. */
function reportFailure<Body>({ outages, queue, logger }: BatchRunnerDeps<Body>, error: unknown): void {
  outages.report(queue, messageOf(error), isAppError(error, 'unavailable') ? {} : { err: error });
  logger.debug({ err: error, queue }, 'a batch failed');
}

async function handled<Body>(
  { handler }: BatchRunnerDeps<Body>,
  deliveries: readonly Delivery<Body>[],
): Promise<{ readonly error: unknown } | undefined> {
  try {
    await handler(deliveries);
    return undefined;
  } catch (error) {
    return { error };
  }
}
