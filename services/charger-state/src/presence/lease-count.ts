// Counts the leases of gateways for one replica, without broker and timer.
import { createOwnTicks } from './own-ticks';
import { declareDead, standingInStore, sweep, type DeclarationDeps } from './declarations';

export type LeaseCount = ReturnType<typeof createLeaseCount>;

/** Every so many ticks the ids with connected chargers are read, and those without a lease are declared dead. */
const SWEEP_EVERY_TICKS = 3;

/** `tick` and `renewal` reject when the store does. */
export function createLeaseCount(deps: DeclarationDeps) {
  const { leases } = deps;
  const own = createOwnTicks(leases.ticks);
  let counted = 0;
  let busy = false;
  return {
    /** Called every `STEP_MS`. Returns the number of the own tick to broadcast now, if any. */
    step: own.step,
    /** An own tick arrived. Resolves with whether the store was read completely. */
    async tick(number: number): Promise<boolean> {
      if (!own.confirm(number)) return false;
      const lapsed = leases.tick();
      counted += 1;
      // One at a time: a slow store must not be read by every tick.
      if (busy) return false;
      busy = true;
      try {
        for (const gatewayId of lapsed) await declareDead(deps, gatewayId);
        const sweeps = counted % SWEEP_EVERY_TICKS === 0;
        if (sweeps) await sweep(deps);
        return sweeps;
      } finally {
        busy = false;
      }
    },
    /** A gateway renewed its lease. Resolves with the answer to it. */
    async renewal(gatewayId: string): Promise<'live' | 'dead'> {
      const state = leases.renew(gatewayId);
      if (state !== 'unknown') return state;
      try {
        return await standingInStore(deps, gatewayId);
      } catch (error) {
        // Its next renewal asks again.
        leases.forget(gatewayId);
        throw error;
      }
    },
    /** The broker became unavailable, or available again. */
    connection(up: boolean): void {
      own.reset();
      if (up) leases.grantAll();
    },
    /** While the store is unavailable no lease expires; afterwards every gateway has a full lease. */
    storeUnavailable: leases.grantAll,
  };
}
