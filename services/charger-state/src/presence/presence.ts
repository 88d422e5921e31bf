// Gateway leases at work: hears renewals, ticks, and shows the chargers of a gateway that vanished as disconnected.
import type { Broker, Subscription } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { createOutageReporter, isAppError, type Clock, type Service, type Timer } from '@busbar/core';
import { standingInStore, sweepAll, type DeclarationDeps } from './declarations';
import { createLeaseCount } from './lease-count';
import { STEP_MS } from './own-ticks';

export interface PresenceDeps extends DeclarationDeps {
  readonly broker: Pick<Broker, 'broadcast' | 'listen' | 'post' | 'onConnection'>;
  readonly clock: Clock;
  readonly replicaId: string;
  /** One process: whatever is stored active at start is from before, since no gateway can have lived through it. */
  readonly sweepAtStart: boolean;
}

export interface Presence extends Service {
  /** By what this replica has heard of. */
  isDead(gatewayId: string): boolean;
  /**
   * By the store too, where this replica has not heard of it, as after a restart. An id that is dead nowhere has a full lease
   * from now, so that one that nobody holds any more is found dead in the end. Rejects while the store is away.
   */
  isDeadAnywhere(gatewayId: string): Promise<boolean>;
}

export function createPresence(deps: PresenceDeps): Presence {
  const { broker, leases, clock, logger } = deps;
  const count = createLeaseCount(deps);
  let subscriptions: Subscription[] = [];
  let timer: Timer | undefined;
  let forgetConnection = () => {};
  /** Questions to the store that are under way, by gateway. */
  const asking = new Map<string, Promise<boolean>>();
  const outages = createOutageReporter({
    clock,
    logger,
    began: 'gateway leases stand still: the store is away',
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
      logger.error({ err: error }, 'counting gateway leases failed');
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
    isDead: (gatewayId) => leases.isDead(gatewayId),
    isDeadAnywhere(gatewayId) {
      if (leases.isDead(gatewayId)) return Promise.resolve(true);
      // Whoever asks meanwhile gets the same answer: a gateway that dies has many connections.
      const asked = asking.get(gatewayId) ?? askStore(gatewayId).finally(() => asking.delete(gatewayId));
      asking.set(gatewayId, asked);
      return asked;
    },
  };
}
