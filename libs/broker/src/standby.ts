// Puts a consumer that finds a body of a newer version on standby, so that a newer consumer gets the body in its order.
import { backoff, createOutageReporter, type Clock, type Logger, type OutageReporter } from '@busbar/core';
import { FAILING_BATCHES } from './batch-runner';
import { guarded } from './guarded';

const STANDBY_FIRST_MS = 1_000;
const STANDBY_MAX_MS = 60_000;

const NEWER_BODIES = {
  began: 'bodies of a newer version wait in their queue for a newer consumer; upgrade this process',
  ended: 'no body of a newer version waits here any more',
} as const;

/** The shared state of all queues of one broker: failing batches, and bodies of a newer version. */
export function createQueueOutages(
  clock: Clock,
  logger: Logger,
): { readonly outages: OutageReporter; readonly newer: OutageReporter } {
  return {
    outages: createOutageReporter({ clock, logger, ...FAILING_BATCHES }),
    newer: createOutageReporter({ clock, logger, ...NEWER_BODIES }),
  };
}

export type Standby = ReturnType<typeof createStandby>;

interface StandbyDeps {
  readonly queue: string;
  readonly newer: OutageReporter;
  readonly logger: Logger;
  readonly onNewer: (() => void) | undefined;
}

export function createStandby({ queue, newer, logger, onNewer }: StandbyDeps) {
  const waits = backoff({ firstMs: STANDBY_FIRST_MS, maxMs: STANDBY_MAX_MS });
  return {
    /**
     * A body of that version is at the head of the queue. Returns for how many milliseconds to leave the queue to others.
     */
    begin(version: number): number {
      newer.report(queue, `version ${String(version)}`);
      if (onNewer) guarded(logger, 'onNewer', onNewer);
      return waits.next();
    },
    /** A batch was handled. */
    over() {
      waits.reset();
      newer.clear(queue);
    },
  };
}
