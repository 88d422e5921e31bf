// Gateway leases at work: hears renewals, ticks, and shows the chargers of a gateway that vanished as disconnected.
import type { Broker, Subscription } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { createTrouble, isAppError, type Clock, type Service, type Timer, type Trouble } from '@busbar/core';
import { declareDead, standingInStore, sweep, sweepAll, type DeclarationDeps } from './declarations';

export interface PresenceDeps extends DeclarationDeps {
  readonly broker: Broker;
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

export const TICK_MS = 1000;
/** Every so many ticks the ids under which chargers are shown connected are counted, and those without a lease dealt with. */
const SWEEP_EVERY_TICKS = 3;

export function createPresence(deps: PresenceDeps): Presence {
  const { broker, leases, clock, logger } = deps;
  let subscriptions: Subscription[] = [];
  let timer: Timer | undefined;
  let ticks = 0;
  let busy = false;
  let forgetConnection = () => {};
  /** Questions to the store that are under way, by gateway. */
  const asking = new Map<string, Promise<boolean>>();
  const trouble = createTrouble({
    clock,
    logger,
    began: 'gateway leases stand still: the store is away',
    ended: 'gateway leases are counted again',
  });

  async function onRenewal(gatewayId: string): Promise<void> {
    let state = leases.renew(gatewayId);
    if (state === 'unknown') state = await standingInStore(deps, gatewayId);
    broker.post(channels.leaseAnswers, gatewayId, { gatewayId, state });
  }

  async function askStore(gatewayId: string): Promise<boolean> {
    if ((await standingInStore(deps, gatewayId)) === 'dead') return true;
    leases.notice(gatewayId);
    return false;
  }

  async function onTick(): Promise<void> {
    const lapsed = leases.tick();
    ticks += 1;
    // One round at a time: a store that answers slowly must not be asked by every tick.
    if (busy) return;
    busy = true;
    try {
      for (const gatewayId of lapsed) await declareDead(deps, gatewayId);
      if (ticks % SWEEP_EVERY_TICKS !== 0) return;
      await sweep(deps);
      trouble.over('store');
    } catch (error) {
      onFailure(deps, trouble, error);
    } finally {
      busy = false;
    }
  }

  return {
    name: 'presence',
    async start() {
      if (timer) return;
      if (deps.sweepAtStart) await sweepAll(deps);
      forgetConnection = broker.onConnection((up) => {
        if (up) leases.grantAll();
      });
      subscriptions = await Promise.all([
        broker.listen(
          channels.leases,
          ({ gatewayId }) => void onRenewal(gatewayId).catch((error: unknown) => onFailure(deps, trouble, error)),
        ),
        broker.listen(channels.ticks, ({ replicaId }) => {
          if (replicaId === deps.replicaId) void onTick();
        }),
      ]);
      let count = 0;
      timer = clock.every(TICK_MS, () => {
        count += 1;
        broker.broadcast(channels.ticks, { replicaId: deps.replicaId, count });
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

/** While the store is away nobody lapses, and everyone has a full lease when it is back. */
function onFailure(deps: PresenceDeps, trouble: Trouble, error: unknown): void {
  if (isAppError(error, 'unavailable')) {
    deps.leases.grantAll();
    trouble.lasts('store', error.message);
    return;
  }
  deps.logger.error({ err: error }, 'counting gateway leases failed');
}
