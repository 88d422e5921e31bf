import { isAppError } from './app-error';
import type { Clock, Timer } from './clock';
import type { Logger } from './logger';
import type { Service } from './service';

export interface PeriodicJobOptions {
  readonly name: string;
  readonly everyMs: number;
  /** Also runs at the start, and not only after the first interval. */
  readonly atStart?: boolean;
  /** One run. It must end early when the signal is aborted, which stops the job. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** The log message of a run that failed. An unavailable store or broker is logged elsewhere. */
  readonly failed: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Runs work at an interval, one run at a time. Intervals that end during a run are skipped. Every replica runs the
 * work, so it must be idempotent.
 */
export function createPeriodicJob(options: PeriodicJobOptions): Service {
  let timer: Timer | undefined;
  let current: Promise<void> | undefined;
  let abort = new AbortController();

  function begin(): void {
    current ??= options
      .run(abort.signal)
      .catch((error: unknown) => {
        if (!isAppError(error, 'unavailable')) options.logger.error({ err: error }, options.failed);
      })
      .finally(() => {
        current = undefined;
      });
  }

  return {
    name: options.name,
    start: () => {
      abort = new AbortController();
      if (timer === undefined && options.atStart === true) begin();
      timer ??= options.clock.every(options.everyMs, begin);
      return Promise.resolve();
    },
    async stop() {
      abort.abort();
      timer?.cancel();
      timer = undefined;
      await current;
    },
    ready: () => timer !== undefined,
  };
}
