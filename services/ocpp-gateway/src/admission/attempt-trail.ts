// Passes rejected connection attempts on: to the log, and to charger-state.
import type { Broker } from '@busbar/broker';
import type { Clock, Logger } from '@busbar/core';
import { createAttemptReporter } from './attempt-reporter';
import type { GatewayMetrics } from '../gateway-metrics';
import { createRejectedAttempts, type RejectedAttempts } from './rejected-attempts';

export type AttemptTrail = Pick<RejectedAttempts, 'rejected' | 'start'> & { stop(): Promise<void> };

export interface AttemptTrailDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: { readonly strict: boolean };
}

export function createAttemptTrail(
  { broker, clock, logger, settings: { strict } }: AttemptTrailDeps,
  { droppedAttempts }: Pick<GatewayMetrics, 'droppedAttempts'>,
): AttemptTrail {
  const reporter = createAttemptReporter({ broker, clock, onDropped: (count) => droppedAttempts.inc({}, count) });
  const attempts = createRejectedAttempts({ clock, logger, strict, report: reporter.add });
  return {
    rejected: attempts.rejected,
    start() {
      attempts.start();
      reporter.start();
    },
    stop() {
      attempts.stop();
      return reporter.stop();
    },
  };
}
