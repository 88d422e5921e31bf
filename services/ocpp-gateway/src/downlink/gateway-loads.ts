// The loads of all gateways by their leases, which this gateway receives as charger-state does. Pure: the time comes in.
import type { GatewayLease } from '@busbar/contracts';
import type { GatewayLoad } from './rebalance-plan';

interface Seen {
  readonly lease: GatewayLease;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Renewals come every third of a lease: half a lease without one means that one is missing. */
const MISSING_AFTER = 0.5;
/** Then its lease has expired, and its chargers have connected elsewhere. */
const FORGOTTEN_AFTER = 2;
/** Far more than there are; each start has a new id. */
const MAX_GATEWAYS = 1_000;

export function createGatewayLoads(leaseMs: number) {
  /** Least recently renewed first. */
  const seen = new Map<string, Seen>();

  const loadOf = ({ lease, firstMs, lastMs }: Seen, nowMs: number): GatewayLoad => ({
    sockets: lease.sockets,
    isStopping: lease.stopping === true,
    ageMs: nowMs - firstMs,
    isMissing: nowMs - lastMs > leaseMs * MISSING_AFTER,
  });

  return {
    renewed(lease: GatewayLease, nowMs: number): void {
      const { gatewayId } = lease;
      const firstMs = seen.get(gatewayId)?.firstMs ?? nowMs;
      seen.delete(gatewayId);
      seen.set(gatewayId, { lease, firstMs, lastMs: nowMs });
      for (const [id, { lastMs }] of seen) {
        if (nowMs - lastMs <= leaseMs * FORGOTTEN_AFTER && seen.size <= MAX_GATEWAYS) break;
        seen.delete(id);
      }
    },
    /** Its own load, by its lease as it came back through the broker; undefined before the first. */
    of(gatewayId: string, nowMs: number): GatewayLoad | undefined {
      const own = seen.get(gatewayId);
      return own && loadOf(own, nowMs);
    },
    others: (gatewayId: string, nowMs: number) =>
      [...seen].filter(([id]) => id !== gatewayId).map(([, each]) => loadOf(each, nowMs)),
  };
}
