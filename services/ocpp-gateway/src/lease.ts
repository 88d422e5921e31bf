// This gateway's lease with charger-state: renewed every third of its length. One that hears that it is dead, or nothing for
// a whole lease (it was paused, or cut off), goes on under a new id.
import type { Broker, Subscription } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { createId, type Clock, type Logger, type Service, type Timer } from '@busbar/core';

export interface LeaseDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leaseMs: number;
  /** Serves whatever is addressed to an id; closed when the id is given up. */
  readonly serve: (gatewayId: string) => Promise<Subscription>;
  /** The open sockets must be told again: under a new id, or because the broker may have lost what was told. */
  readonly announce: () => void;
  /** It goes on under a new id. */
  readonly onNewId?: () => void;
}

export interface Lease extends Service {
  gatewayId(): string;
}

export function createLease(deps: LeaseDeps): Lease {
  const { broker, clock, logger } = deps;
  let gatewayId = createId();
  let heardAtMs = 0;
  let served: Subscription[] = [];
  let timer: Timer | undefined;
  let forget = () => {};
  let changing: Promise<void> | undefined;

  function renew(): void {
    const silentMs = clock.monotonicMs() - heardAtMs;
    // Without a broker nobody can hear and nobody lapses: judge only while it is there.
    if (broker.ready() && silentMs > deps.leaseMs) changeId('no answer to its renewals for a whole lease');
    broker.broadcast(channels.leases, { gatewayId });
  }

  function changeId(reason: string): void {
    changing ??= takeNewId(reason)
      .catch((error: unknown) => logger.warn({ err: error, gatewayId }, 'taking a new gateway id failed; tried again'))
      .finally(() => {
        changing = undefined;
      });
  }

  async function takeNewId(reason: string): Promise<void> {
    const before = gatewayId;
    const next = createId();
    const old = served;
    served = await listenAs(next);
    gatewayId = next;
    heardAtMs = clock.monotonicMs();
    deps.onNewId?.();
    logger.warn({ gatewayId: next, before, reason }, 'this gateway goes on under a new id');
    broker.broadcast(channels.leases, { gatewayId });
    deps.announce();
    await Promise.all(old.map((subscription) => subscription.close()));
  }

  function listenAs(id: string): Promise<Subscription[]> {
    return Promise.all([
      deps.serve(id),
      broker.receive(channels.leaseAnswers, id, (answer) => {
        if (answer.gatewayId !== gatewayId) return;
        if (answer.state === 'dead') changeId('told that its lease had lapsed');
        else heardAtMs = clock.monotonicMs();
      }),
    ]);
  }

  return {
    name: 'lease',
    gatewayId: () => gatewayId,
    async start() {
      if (timer) return;
      heardAtMs = clock.monotonicMs();
      timer = clock.every(deps.leaseMs / 3, renew);
      served = await listenAs(gatewayId);
      forget = broker.onConnection((up) => {
        if (!up) return;
        heardAtMs = clock.monotonicMs();
        broker.broadcast(channels.leases, { gatewayId });
        deps.announce();
      });
      broker.broadcast(channels.leases, { gatewayId });
    },
    async stop() {
      timer?.cancel();
      timer = undefined;
      forget();
      await changing;
      await Promise.all(served.map((subscription) => subscription.close()));
      served = [];
    },
    ready: () => timer !== undefined,
  };
}
