// Something done now and then beside the messages. Every replica does it, so it must be harmless when it is done twice.
import { isAppError, type Clock, type Logger, type Service, type Timer } from '@busbar/core';

export interface PeriodicJobOptions {
  readonly name: string;
  readonly everyMs: number;
  /** At the start too, and not only after the first interval. */
  readonly atStart?: boolean;
  /** One round; ends early when it is told not to go on. */
  readonly round: (isRunning: () => boolean) => Promise<void>;
  /** The sentence of the log for a round that failed. A store or broker that is away logs that itself. */
  readonly failed: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One round at a time; one that takes longer than the interval takes the place of those that would have begun. */
export function createPeriodicJob(options: PeriodicJobOptions): Service {
  let timer: Timer | undefined;
  let under: Promise<void> | undefined;
  let stopping = false;

  function begin(): void {
    under ??= options
      .round(() => !stopping)
      .catch((error: unknown) => {
        if (!isAppError(error, 'unavailable')) options.logger.error({ err: error }, options.failed);
      })
      .finally(() => {
        under = undefined;
      });
  }

  return {
    name: options.name,
    start: () => {
      stopping = false;
      if (timer === undefined && options.atStart === true) begin();
      timer ??= options.clock.every(options.everyMs, begin);
      return Promise.resolve();
    },
    async stop() {
      stopping = true;
      timer?.cancel();
      timer = undefined;
      await under;
    },
    ready: () => timer !== undefined,
  };
}
