// Starts services in order and stops them in reverse, each within a limit.
import { AppError, keepAliveTimers, withDeadline, type Logger, type Service } from '@busbar/core';

export interface LifecycleOptions {
  readonly name: string;
  /** In the order of their start. */
  readonly services: readonly Service[];
  readonly logger: Logger;
  /** For each service without a limit of its own. Default 60 s: an unavailable broker is reported rather than waited for. */
  readonly startWithinMs?: number;
  /** For each service; one that takes longer is logged and left. Default 10 s. */
  readonly stopWithinMs?: number;
}

export interface Lifecycle extends Service {
  /** Every service has started, and none was stopped: whether each can do its work is `ready`. */
  running(): boolean;
}

const FINISH_STARTING_MS = 1_000;
const START_MS = 60_000;

/**
 * Combines services into one: started in order, stopped in reverse. When one fails to start, those before it are stopped and
 * `start` rejects with its error. `stop` during a start starts no other service and waits a second for the current one.
 */
export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { name, services, logger, startWithinMs = START_MS } = options;
  const limitOf = (service: Service): number => service.startWithinMs ?? startWithinMs;
  const started: Service[] = [];
  let stopping: Promise<void> | undefined;
  let starting: Promise<void> | undefined;
  let isStarted = false;

  const startAll = async (): Promise<void> => {
    for (const service of services) {
      if (stopping !== undefined) return;
      started.push(service);
      await startOne(service, limitOf(service));
    }
    isStarted = true;
  };

  const stopAll = async (): Promise<void> => {
    // The caller of `start` gets the error of a failed start. One that hangs on an unreachable server is not waited for.
    if (starting !== undefined)
      await withDeadline(keepAliveTimers, FINISH_STARTING_MS, starting, tooLate).catch(() => undefined);
    for (let service = started.pop(); service !== undefined; service = started.pop()) {
      await stopOne(service, options.stopWithinMs ?? 10_000, logger);
    }
  };

  const stop = (): Promise<void> => (stopping ??= stopAll());
  const running = (): boolean => isStarted && stopping === undefined;

  return {
    name,
    // Within another life cycle it has the sum of its services' limits.
    startWithinMs: services.reduce((sum, service) => sum + limitOf(service), 0),
    start() {
      starting ??= startAll();
      return starting.catch(async (error: unknown) => {
        await stop();
        throw error;
      });
    },
    stop,
    running,
    ready: () => running() && services.every((service) => service.ready()),
  };
}

async function startOne(service: Service, withinMs: number): Promise<void> {
  await withDeadline(keepAliveTimers, withinMs, service.start(), () => {
    const seconds = String(Math.round(withinMs / 1000));
    const sentence = `${service.name} did not start within ${seconds} s: see the log for what it waits for.`;
    return new AppError('unavailable', sentence);
  });
}

async function stopOne(service: Service, withinMs: number, logger: Logger): Promise<void> {
  const late = tooLate();
  try {
    await withDeadline(keepAliveTimers, withinMs, service.stop(), () => late);
  } catch (error) {
    if (error === late)
      logger.error({ service: service.name, withinMs }, 'a service did not stop in time: stopping the next');
    else logger.error({ service: service.name, err: error }, 'a service failed to stop');
  }
}

function tooLate(): Error {
  return new Error('too late');
}
