// Stores the connection attempts that gateways rejected. Any replica takes them; the gateway sends again what none stored.
import type { Broker } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { createOutageReporter, type Clock, type Logger } from '@busbar/core';
import { type Records } from '@busbar/domain';
import { recordConnectionAttempts } from '@busbar/domain/chargers';
import { createRetainedSubscription, type RetainedSubscription } from '@busbar/runtime';

export interface AttemptServiceDeps {
  readonly broker: Pick<Broker, 'respond'>;
  readonly records: Pick<Records, 'chargers' | 'connectionAttempts'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createAttemptService({ broker, records, clock, logger }: AttemptServiceDeps): RetainedSubscription {
  const deps = { chargers: records.chargers, attempts: records.connectionAttempts };
  return createRetainedSubscription({
    what: channels.connectionAttempts.name,
    open: () =>
      broker.respond(channels.connectionAttempts, '', async ({ attempts }) => {
        await recordConnectionAttempts(
          deps,
          attempts.map(({ id: attemptId, ...attempt }) => ({ attemptId, ...attempt })),
        );
        return { stored: attempts.length };
      }),
    clock,
    outages: createOutageReporter({
      clock,
      logger,
      began: 'rejected connection attempts cannot be received; it is tried until they can',
      ended: 'rejected connection attempts are received again',
    }),
  });
}
