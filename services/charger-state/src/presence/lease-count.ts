// How one replica counts gateway leases, without broker and timer: what it does with what it hears.
import { createOwnTicks } from './own-ticks';
import { declareDead, standingInStore, sweep, type DeclarationDeps } from './declarations';

export interface LeaseCount {
  /** To be called every `STEP_MS`. The number of an own tick that is to be broadcast now, if one is. */
  step(): number | undefined;
  /** An own tick came back. Resolves with whether the store was asked for all there is to know, and answered. */
  tick(number: number): Promise<boolean>;
  /** A gateway renewed its lease. Resolves with what it is to be told. */
  renewal(gatewayId: string): Promise<'live' | 'dead'>;
  /** The broker was lost, or is there again. */
  connection(up: boolean): void;
  /** While the store is away nobody lapses, and everyone has a full lease when it is back. */
  storeUnavailable(): void;
}

/** Every so many ticks the ids under which chargers are shown connected are counted, and those without a lease dealt with. */
const SWEEP_EVERY_TICKS = 3;

/** Rejects where the store does, `tick` and `renewal` alike. */
export function createLeaseCount(deps: DeclarationDeps): LeaseCount {
  const { leases } = deps;
  const own = createOwnTicks(leases.ticks);
  let counted = 0;
  let busy = false;
  return {
    step: own.step,
    async tick(number) {
      if (!own.cameBack(number)) return false;
      const lapsed = leases.tick();
      counted += 1;
      // One round at a time: a store that answers slowly must not be asked by every tick.
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
        // Its next renewal is to ask again.
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
