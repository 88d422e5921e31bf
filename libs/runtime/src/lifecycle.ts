import { AppError, type Logger, type Service } from '@busbar/core';
import { bounded } from './bounded';

export interface LifecycleOptions {
  readonly name: string;
  /** In the order of their start. */
  readonly services: readonly Service[];
  readonly logger: Logger;
  /** For each service that says nothing of its own. Default 60 s: a broker that is away shall be told of, not waited for. */
  readonly startWithinMs?: number;
  /** For each service; what takes longer is left behind and logged. Default 10 s. */
  readonly stopWithinMs?: number;
}

const FINISH_STARTING_MS = 1_000;
const START_MS = 60_000;

/**
 * Several services as one: started in order, stopped in reverse. When one fails to start, those before it are stopped and
 * `start` rejects with its error. `stop` while starting starts no other service, and gives the one that is under way a second to finish.
 */
export function createLifecycle(options: LifecycleOptions): Service {
  const { name, services, logger, startWithinMs = START_MS } = options;
  const limitOf = (service: Service): number => service.startWithinMs ?? startWithinMs;
  const started: Service[] = [];
  let stopping: Promise<void> | undefined;
  let starting: Promise<void> | undefined;

  const startAll = async (): Promise<void> => {
    for (const service of services) {
      if (stopping !== undefined) return;
      started.push(service);
      await startOne(service, limitOf(service));
    }
  };

  const stopAll = async (): Promise<void> => {
    // A failed start is told to whoever called `start`. One that hangs, on a server that is away say, is not waited for.
    if (starting !== undefined)
      await bounded(
        starting.catch(() => undefined),
        FINISH_STARTING_MS,
      );
    for (let service = started.pop(); service !== undefined; service = started.pop()) {
      await stopOne(service, options.stopWithinMs ?? 10_000, logger);
    }
  };

  const stop = (): Promise<void> => (stopping ??= stopAll());

  return {
    name,
    // As one of others' services it has as long as its own together.
    startWithinMs: services.reduce((sum, service) => sum + limitOf(service), 0),
    start() {
      starting ??= startAll();
      return starting.catch(async (error: unknown) => {
        await stop();
        throw error;
      });
    },
    stop,
    ready: () =>
      stopping === undefined && started.length === services.length && services.every((service) => service.ready()),
  };
}

async function startOne(service: Service, withinMs: number): Promise<void> {
  if ((await bounded(service.start(), withinMs)) === 'done') return;
  const seconds = String(Math.round(withinMs / 1000));
  throw new AppError(
    'unavailable',
    `${service.name} did not start within ${seconds} s: see the log for what it waits for.`,
  );
}

async function stopOne(service: Service, withinMs: number, logger: Logger): Promise<void> {
  try {
    const outcome = await bounded(service.stop(), withinMs);
    if (outcome === 'too late') logger.error({ service: service.name, withinMs }, 'did not stop in time and is left');
  } catch (error) {
    logger.error({ service: service.name, err: error }, 'failed to stop');
  }
}
