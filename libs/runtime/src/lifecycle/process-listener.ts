import { createInternalListener, type HealthCheck, type InternalListener } from '@busbar/http';
import { announced } from './announced';
import type { ProgramContext, ProgramSpec } from './run';

export interface ProcessListenerOptions {
  /** The name in `/livez`. */
  readonly service: string;
  /** The checks that must be ok for the process to work. In addition, no stop may be requested. */
  readonly checks: () => readonly HealthCheck[];
}

/**
 * The internal port of a process. It is the first service of a life cycle, so that it responds until everything else has
 * stopped. `/readyz` responds 503 from the first signal on, while all else still works: that is what load balancers wait for.
 */
export function createProcessListener(
  context: ProgramContext<ProgramSpec>,
  { service, checks }: ProcessListenerOptions,
): InternalListener {
  const { settings, logger, clock, metrics, build, stopping } = context;
  const shutdown: HealthCheck = {
    name: 'shutdown',
    isOk: () => !stopping(),
    details: { ok: 'No stop was requested.', failing: 'A stop was requested.' },
  };
  const internal = createInternalListener({
    host: settings.internalHost,
    port: settings.internalPort,
    clock,
    checks: () => [shutdown, ...checks()],
    readMetrics: async () => ({ contentType: metrics.contentType, text: await metrics.text() }),
    about: { service, ...build },
  });
  return announced(internal, 'internal', logger);
}
