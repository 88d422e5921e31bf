// Listens to what gateways and replicas of charger-state and of push broadcast about themselves.
import type { Broker, Subscription } from '@busbar/broker';
import { channels, type GatewayLease } from '@busbar/contracts';
import type { Clock, Service } from '@busbar/core';
import { toTimestamp, type Timestamp } from '@busbar/domain';
import { LRUCache } from 'lru-cache';

export interface AnnouncedGateway extends Pick<GatewayLease, 'sockets' | 'stopping' | 'program' | 'schema'> {
  readonly renewedAt: Timestamp;
}

export interface AnnouncedReplica {
  readonly replicaId: string;
  /** The newest version of messages that it reads. */
  readonly reads: number;
}

export interface AnnouncedPush {
  readonly replicaId: string;
  /** About how many events wait for its webhooks. Absent: unknown. */
  readonly waiting?: number | undefined;
}

const MAX_ANNOUNCED = 1_000;
/** A gateway that announced nothing for so long is shown no more, unless the store shows chargers there. */
const GATEWAY_MS = 600_000;
/** Replicas send a notice every two seconds; three may be missed. */
const REPLICA_MS = 8_000;
const FIRST_VERSION = 1;

export function createDeploymentWatch({
  broker,
  clock,
}: {
  readonly broker: Pick<Broker, 'listen'>;
  readonly clock: Clock;
}) {
  const perf = { now: () => clock.monotonicMs() };
  const gateways = new LRUCache<string, AnnouncedGateway>({ max: MAX_ANNOUNCED, ttl: GATEWAY_MS, perf });
  const replicas = new LRUCache<string, AnnouncedReplica>({ max: MAX_ANNOUNCED, ttl: REPLICA_MS, perf });
  const pushReplicas = new LRUCache<string, AnnouncedPush>({ max: MAX_ANNOUNCED, ttl: REPLICA_MS, perf });
  let subscriptions: readonly Subscription[] = [];

  const service: Service = {
    name: 'deployment watch',
    async start() {
      if (subscriptions.length > 0) return;
      subscriptions = [
        await broker.listen(channels.leases, ({ gatewayId, ...lease }) => {
          gateways.set(gatewayId, { ...lease, renewedAt: toTimestamp(clock.now()) });
        }),
        await broker.listen(channels.replicas, ({ replicaId, state, reads = FIRST_VERSION }) => {
          if (state === 'leaving') replicas.delete(replicaId);
          else replicas.set(replicaId, { replicaId, reads });
        }),
        await broker.listen(channels.pushReplicas, ({ replicaId, state, waiting }) => {
          if (state === 'leaving') pushReplicas.delete(replicaId);
          else pushReplicas.set(replicaId, { replicaId, waiting });
        }),
      ];
    },
    async stop() {
      const open = subscriptions;
      subscriptions = [];
      for (const subscription of open) await subscription.close();
    },
    ready: () => subscriptions.length > 0,
  };
  return {
    service,
    gateways: (): ReadonlyMap<string, AnnouncedGateway> => new Map(gateways.entries()),
    replicas: () => inOrder(replicas),
    pushReplicas: () => inOrder(pushReplicas),
  };
}

function inOrder<R extends { readonly replicaId: string }>(replicas: LRUCache<string, R>): readonly R[] {
  return [...replicas.values()].toSorted((a, b) => (a.replicaId < b.replicaId ? -1 : 1));
}
