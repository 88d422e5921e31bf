// One replica's ticks on their way through the broker: pure, counted in steps of its timer. Only one is under way at a time.
// A broker that stands still would else hold one for each second and give them all back at once when it goes on: a lease
// would run out in that moment, and its gateway be dead, though nobody could have renewed it meanwhile.

export const TICK_MS = 1_000;
/** Looked at more often than a tick is sent, so that one that was late by a little puts the next off by no more. */
export const STEP_MS = 250;
const STEPS_PER_TICK = TICK_MS / STEP_MS;
/** Two at least: a tick that takes longer than its own time is late, not lost. */
const LEAST_PATIENCE_TICKS = 2;

export interface OwnTicks {
  /** To be called every `STEP_MS`. The number of the tick that is to be sent now, if one is. */
  step(): number | undefined;
  /** The tick of that number came back: whether it counts. Each counts once, and none that was given up. */
  cameBack(number: number): boolean;
  /** The connection was lost or made again: what was under way does not come any more. */
  reset(): void;
}

/**
 * One that does not come back within a third of a lease, the time in which a living gateway renews, is given up and another
 * one sent: the broker drops what it cannot take without a word, and leases must go on being counted then.
 */
export function createOwnTicks(leaseTicks: number): OwnTicks {
  const patience = STEPS_PER_TICK * Math.max(LEAST_PATIENCE_TICKS, Math.ceil(leaseTicks / 3));
  let last = 0;
  let isInProgress = false;
  let stepsSinceSent = 0;
  return {
    step() {
      stepsSinceSent += 1;
      if (stepsSinceSent < (isInProgress ? patience : STEPS_PER_TICK)) return undefined;
      stepsSinceSent = 0;
      isInProgress = true;
      last += 1;
      return last;
    },
    cameBack(number) {
      const counts = isInProgress && number === last;
      if (counts) isInProgress = false;
      return counts;
    },
    reset() {
      isInProgress = false;
    },
  };
}
