// The leases of gateways, as one replica counts them. Pure. A lease expires by own ticks of this replica that pass through the
// broker without a renewal in between. So a broker outage, a paused replica or a clock that jumps expires no lease: no tick
// arrives then.
import { LRUCache } from 'lru-cache';

export type LeaseTable = ReturnType<typeof createLeaseTable>;

/** Dead ids in memory, for messages that are still in flight. The store has all of them. */
const DEAD_REMEMBERED = 10_000;

export function createLeaseTable(leaseTicks: number) {
  const left = new Map<string, number>();
  const dead = new LRUCache<string, true>({ max: DEAD_REMEMBERED });
  return {
    /** Ticks of a full lease. */
    ticks: leaseTicks,
    /**
     * A gateway renewed its lease. `unknown`: its first renewal at this replica; ask the store whether the id is dead.
     */
    renew(gatewayId: string): 'live' | 'dead' | 'unknown' {
      if (dead.has(gatewayId)) return 'dead';
      const known = left.has(gatewayId);
      left.set(gatewayId, leaseTicks);
      return known ? 'live' : 'unknown';
    },
    /** Removes the id, since the store could not be asked about it. */
    forget: (gatewayId: string) => void left.delete(gatewayId),
    /** Chargers are connected under this id: an unknown id gets a full lease. */
    notice(gatewayId: string): void {
      if (!dead.has(gatewayId) && !left.has(gatewayId)) left.set(gatewayId, leaseTicks);
    },
    /** An own tick arrived. Returns the ids whose lease has expired, each time until `markDead` or `renew`. */
    tick(): string[] {
      const lapsed: string[] = [];
      for (const [gatewayId, ticks] of left) {
        if (ticks <= 1) lapsed.push(gatewayId);
        left.set(gatewayId, Math.max(0, ticks - 1));
      }
      return lapsed;
    },
    /** Permanent: the store has it as dead. */
    markDead(gatewayId: string): void {
      left.delete(gatewayId);
      dead.set(gatewayId, true);
    },
    isDead: (gatewayId: string) => dead.has(gatewayId),
    /** Renews all leases: this replica has started, or was without the broker or the store. */
    grantAll(): void {
      for (const gatewayId of left.keys()) left.set(gatewayId, leaseTicks);
    },
    live: () => left.size,
  };
}
