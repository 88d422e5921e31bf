// Which gateways are alive, by one replica's counting: pure. A lease lapses by ticks of this replica's own that came back
// through the broker without a renewal in between. So a broker outage, a paused replica or a clock that jumps lapses
// nobody: no tick comes back then.

export interface LeaseTable {
  /** How many ticks a full lease has. */
  readonly ticks: number;
  /** A renewal came. `unknown`: an id that this replica sees for the first time; ask the store whether it died elsewhere. */
  renew(gatewayId: string): 'live' | 'dead' | 'unknown';
  /** As if it had never been heard of: what the store has of it could not be asked. */
  forget(gatewayId: string): void;
  /** Chargers are shown connected under this id: it has a full lease from now, if it was not known. */
  notice(gatewayId: string): void;
  /** An own tick came back. Gives the ids whose lease has run out; they are given again until `bury` or `renew`. */
  tick(): string[];
  /** For ever: the store has it as dead. */
  markDead(gatewayId: string): void;
  isDead(gatewayId: string): boolean;
  /** Everyone has a full lease again: this replica has just started, or was without the broker or the store. */
  grantAll(): void;
  live(): number;
}

/** Dead ids kept in memory. The store has them all; these are for messages that are still under way. */
const DEAD_REMEMBERED = 10_000;

export function createLeaseTable(leaseTicks: number): LeaseTable {
  const left = new Map<string, number>();
  const dead = new Set<string>();
  return {
    ticks: leaseTicks,
    renew(gatewayId) {
      if (dead.has(gatewayId)) return 'dead';
      const known = left.has(gatewayId);
      left.set(gatewayId, leaseTicks);
      return known ? 'live' : 'unknown';
    },
    forget: (gatewayId) => void left.delete(gatewayId),
    notice(gatewayId) {
      if (!dead.has(gatewayId) && !left.has(gatewayId)) left.set(gatewayId, leaseTicks);
    },
    tick() {
      const lapsed: string[] = [];
      for (const [gatewayId, ticks] of left) {
        if (ticks <= 1) lapsed.push(gatewayId);
        left.set(gatewayId, Math.max(0, ticks - 1));
      }
      return lapsed;
    },
    markDead(gatewayId) {
      left.delete(gatewayId);
      dead.add(gatewayId);
      if (dead.size <= DEAD_REMEMBERED) return;
      const oldest = dead.values().next();
      if (!oldest.done) dead.delete(oldest.value);
    },
    isDead: (gatewayId) => dead.has(gatewayId),
    grantAll() {
      for (const gatewayId of left.keys()) left.set(gatewayId, leaseTicks);
    },
    live: () => left.size,
  };
}
