// Receives renewals and ticks of gateway leases, and sets the chargers of a lost gateway disconnected.
import type { Broker, Subscription } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { createOutageReporter, isAppError, type Clock, type Timer } from '@busbar/core';
import { standingInStore, sweepAll, type DeclarationDeps } from './declarations';
import { createLeaseCount } from './lease-count';
import { STEP_MS } from './own-ticks';

export interface PresenceDeps extends DeclarationDeps {
  readonly broker: Pick<Broker, 'broadcast' | 'listen' | 'post' | 'onConnection'>;
  readonly clock: Clock;
  readonly replicaId: string;
  /** In the one-process mode no gateway outlives this service, so stored connections are stale at the start. */
  readonly sweepAtStart: boolean;
}

export type Presence = ReturnType<typeof createPresence>;

export function createPresence(deps: PresenceDeps) {
  const { broker, leases, clock, logger } = deps;
  const count = createLeaseCount(deps);
  let subscriptions: Subscription[] = [];
  let timer: Timer | undefined;
  let forgetConnection = () => {};
  /** Reads of the store in flight, by gateway. */
  const asking = new Map<string, Promise<boolean>>();
  const outages = createOutageReporter({
    clock,
    logger,
    began: 'gateway leases are suspended: the store is unavailable',
    ended: 'gateway leases are counted again',
  });

  async function onRenewal(gatewayId: string): Promise<void> {
    broker.post(channels.leaseAnswers, gatewayId, { gatewayId, state: await count.renewal(gatewayId) });
  }

  async function onTick(number: number): Promise<void> {
    if (await count.tick(number)) outages.clear('store');
  }

  function onFailure(error: unknown): void {
    if (!isAppError(error, 'unavailable')) {
      logger.error({ err: error }, 'could not renew or expire gateway leases');
      return;
    }
    count.storeUnavailable();
    outages.report('store', error.message);
  }

  async function askStore(gatewayId: string): Promise<boolean> {
    if ((await standingInStore(deps, gatewayId)) === 'dead') return true;
    leases.notice(gatewayId);
    return false;
  }

  return {
    name: 'presence',
    async start() {
      if (timer) return;
      if (deps.sweepAtStart) await sweepAll(deps);
      forgetConnection = broker.onConnection(count.connection);
      subscriptions = await Promise.all([
        broker.listen(channels.leases, ({ gatewayId }) => void onRenewal(gatewayId).catch(onFailure)),
        broker.listen(channels.ticks, (tick) => {
          if (tick.replicaId === deps.replicaId) void onTick(tick.count).catch(onFailure);
        }),
      ]);
      timer = clock.every(STEP_MS, () => {
        const number = count.step();
        if (number !== undefined) broker.broadcast(channels.ticks, { replicaId: deps.replicaId, count: number });
      });
      logger.debug({ replicaId: deps.replicaId }, 'counting gateway leases');
    },
    async stop() {
      timer?.cancel();
      timer = undefined;
      forgetConnection();
      await Promise.all(subscriptions.map((subscription) => subscription.close()));
      subscriptions = [];
    },
    ready: () => timer !== undefined,
    /** By the memory of this replica. */
    isDead: (gatewayId: string) => leases.isDead(gatewayId),
    /**
     * By the store too, where the id is new to this replica, as after a restart. A live id gets a full lease from now, so
     * that an abandoned one expires. Rejects while the store is unavailable.
     */
    isDeadAnywhere(gatewayId: string): Promise<boolean> {
      if (leases.isDead(gatewayId)) return Promise.resolve(true);
      // Concurrent callers share one read: a gateway that dies has many connections.
      const asked = asking.get(gatewayId) ?? askStore(gatewayId).finally(() => asking.delete(gatewayId));
      asking.set(gatewayId, asked);
      return asked;
    },
  };
}
