// Closes idle sockets of a gateway that has more than its share (REBALANCE), so that new gateways fill.
import type { Broker } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { createTicker, type Clock, type Logger, type Service } from '@busbar/core';
import { closeSocket } from '../connection/close';
import { isIdle } from '../connection/idle';
import type { Connection } from '../connection/connection';
import type { Registry } from '../connection/registry';
import { createGatewayLoads } from './gateway-loads';
import { rebalanceRate } from './rebalance-plan';

export interface RebalancerDeps {
  readonly broker: Pick<Broker, 'listen' | 'ready'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly registry: Registry;
  readonly leaseMs: number;
  readonly gatewayId: () => string;
  /** This gateway stops, or is about to. */
  readonly isStopping: () => boolean;
}

const TICK_MS = 1_000;

export function createRebalancer(deps: RebalancerDeps): Service {
  const { broker, clock, logger, registry, gatewayId } = deps;
  const loads = createGatewayLoads(deps.leaseMs);
  const ticker = createTicker(clock, TICK_MS, tick);
  let unsubscribe: () => Promise<void> = () => Promise.resolve();
  let isActive = false;
  /** Part of a socket that is left over from the last ticks. */
  let credit = 0;

  function tick(): void {
    const rate = currentRate();
    if (rate === undefined) return;
    if (rate > 0 !== isActive) {
      isActive = rate > 0;
      credit = 0;
      const fields = { connections: registry.size() };
      logger.info(
        fields,
        isActive ? 'closing idle sockets: other gateways have fewer' : 'closing no more idle sockets',
      );
    }
    credit += rate;
    const closing = firstIdle(registry, Math.floor(credit));
    // Without idle sockets nothing is made up for later.
    credit %= 1;
    for (const connection of closing) closeSocket(connection, 1001, 'another gateway has room');
  }

  function currentRate(): number | undefined {
    const nowMs = clock.monotonicMs();
    const own = loads.of(gatewayId(), nowMs);
    if (own === undefined || !broker.ready()) return undefined;
    // As it is now: the lease is some seconds old.
    const current = { ...own, sockets: registry.size(), isStopping: deps.isStopping() };
    return rebalanceRate(current, loads.others(gatewayId(), nowMs), isActive);
  }

  return {
    name: 'rebalancer',
    async start() {
      if (ticker.running()) return;
      ticker.start();
      const subscription = await broker.listen(channels.leases, (lease) => loads.renewed(lease, clock.monotonicMs()));
      unsubscribe = () => subscription.close();
    },
    async stop() {
      ticker.stop();
      await unsubscribe();
    },
    ready: ticker.running,
  };
}

/** Those connected longest first, so that no charger is closed again before all others were. */
function firstIdle(registry: Registry, count: number): readonly Connection[] {
  const found: Connection[] = [];
  if (count === 0) return found;
  for (const connection of registry.all()) {
    if (isIdle(connection)) found.push(connection);
    if (found.length === count) break;
  }
  return found;
}
