// When a process stops: signals, the delay before the stop, its deadline and the exit code.
import { constants } from 'node:os';
import type { Logger, Service } from '@busbar/core';

export interface ShutdownTimes {
  /** Between SIGTERM and the stop: load balancers find the process unready and send it nothing new. */
  readonly delayMs: number;
  /** For the stop itself, counted from the end of the delay. */
  readonly withinMs: number;
}

export interface Shutdown {
  /** Stops the service at a signal. */
  watch(service: Service): void;
  /** A stop was requested, or is due after an uncaught error. True during the delay too. */
  requested(): boolean;
  /** The service is being stopped. */
  begun(): boolean;
}

/**
 * Ctrl-C reaches the process from the terminal and again from npm, which forwards it. The same signal counts again only after this;
 * another one counts at once.
 */
const SAME_SIGNAL_MS = 300;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Listens to the signals of this process. SIGINT skips the delay: a person waits. */
export function createShutdown(logger: Logger, { delayMs, withinMs }: ShutdownTimes): Shutdown {
  let watched: Service | undefined;
  let requestedAt: number | undefined;
  let requestedBy: (typeof SIGNALS)[number] | undefined;
  let isBegun = false;
  let delay: NodeJS.Timeout | undefined;

  const begin = (exitCode: number): void => {
    clearTimeout(delay);
    requestedAt ??= performance.now();
    isBegun = true;
    setTimeout(() => {
      logger.error({ withinMs }, 'did not stop in time: exiting');
      process.exit(1);
    }, withinMs);
    stopAndExit(watched, exitCode, logger);
  };

  const onFirst = (signal: (typeof SIGNALS)[number]): void => {
    requestedAt = performance.now();
    requestedBy = signal;
    if (signal === 'SIGINT' || delayMs === 0) {
      logger.info({ signal }, 'stopping');
      begin(0);
      return;
    }
    logger.info({ signal, delayMs }, 'unready from now on: stopping after the delay');
    delay = setTimeout(() => {
      logger.info({ signal }, 'stopping');
      begin(0);
    }, delayMs);
  };

  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (requestedAt === undefined) {
        onFirst(signal);
        return;
      }
      const isCopy = signal === requestedBy && performance.now() - requestedAt <= SAME_SIGNAL_MS;
      if (!isCopy) process.exit(128 + constants.signals[signal]);
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error: unknown) => {
      logger.error({ err: error, event }, 'uncaught error: stopping');
      if (!isBegun) begin(1);
    });
  }

  return {
    watch(service) {
      watched = service;
    },
    requested: () => requestedAt !== undefined,
    begun: () => isBegun,
  };
}

function stopAndExit(service: Service | undefined, exitCode: number, logger: Logger): void {
  const stopped = service?.stop() ?? Promise.resolve();
  stopped.then(
    () => {
      logger.info({ exitCode }, 'stopped');
      process.exit(exitCode);
    },
    (error: unknown) => {
      logger.error({ err: error }, 'failed to stop in order');
      process.exit(1);
    },
  );
}
