// The ticks of one replica that pass through the broker, counted in steps of its timer. Pure. One tick is in flight at
// a time. Otherwise a suspended broker would deliver many together when it resumes, and expire leases that no gateway
// could renew meanwhile.

export const TICK_MS = 1_000;
/** Shorter than a tick, so that a late tick delays the next one by little. */
export const STEP_MS = 250;
const STEPS_PER_TICK = TICK_MS / STEP_MS;
/** At least two: a tick that takes longer than its period is late, not lost. */
const MIN_TIMEOUT_TICKS = 2;

/**
 * A tick that does not arrive within a third of a lease, the period of renewals, is given up. Another one is sent: the
 * broker may drop a tick, and leases must still be counted.
 */
export function createOwnTicks(leaseTicks: number) {
  const timeoutSteps = STEPS_PER_TICK * Math.max(MIN_TIMEOUT_TICKS, Math.ceil(leaseTicks / 3));
  let last = 0;
  let isInProgress = false;
  let stepsSinceSent = 0;
  return {
    /** Called every `STEP_MS`. Returns the number of the tick to send now, if any. */
    step(): number | undefined {
      stepsSinceSent += 1;
      if (stepsSinceSent < (isInProgress ? timeoutSteps : STEPS_PER_TICK)) return undefined;
      stepsSinceSent = 0;
      isInProgress = true;
      last += 1;
      return last;
    },
    /** The tick of that number arrived: whether it counts. Each counts once, and none that was given up. */
    confirm(number: number): boolean {
      const counts = isInProgress && number === last;
      if (counts) isInProgress = false;
      return counts;
    },
    /** The connection was lost or restored: ticks in flight do not arrive. */
    reset(): void {
      isInProgress = false;
    },
  };
}
