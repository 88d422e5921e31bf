// Counts the leases of gateways for one replica, without broker and timer.
import { createOwnTicks } from './own-ticks';
import { declareDead, standingInStore, sweep, type DeclarationDeps } from './declarations';

export interface LeaseCount {
  /** Called every `STEP_MS`. Returns the number of the own tick to broadcast now, if any. */
  step(): number | undefined;
  /** An own tick arrived. Resolves with whether the store was read completely. */
  tick(number: number): Promise<boolean>;
  /** A gateway renewed its lease. Resolves with the answer to it. */
  renewal(gatewayId: string): Promise<'live' | 'dead'>;
  /** The broker became unavailable, or available again. */
  connection(up: boolean): void;
  /** While the store is unavailable no lease expires; afterwards every gateway has a full lease. */
  storeUnavailable(): void;
}

/** Every so many ticks the ids with connected chargers are read, and those without a lease are declared dead. */
const SWEEP_EVERY_TICKS = 3;

/** `tick` and `renewal` reject when the store does. */
export function createLeaseCount(deps: DeclarationDeps): LeaseCount {
  const { leases } = deps;
  const own = createOwnTicks(leases.ticks);
  let counted = 0;
  let busy = false;
  return {
    step: own.step,
    async tick(number) {
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
    async renewal(gatewayId) {
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
    connection(up) {
      own.reset();
      if (up) leases.grantAll();
    },
    storeUnavailable: leases.grantAll,
  };
}
