// Decides whether this replica reaches the store, by consecutive ticks. Pure. A short outage moves no partition, and an
// intermittent store moves partitions less and less often.

/** Consecutive ticks without an answer after which the store counts as unreachable. */
export const UNREACHABLE_TICKS = 5;
/**
 * Maximum of the consecutive ticks that must be answered to count as reachable again: one at first, doubled after each
 * short recovery.
 */
const MAX_BACK_TICKS = 30;
/** After so many answered ticks a recovery counts as lasting. */
const STEADY_TICKS = 60;

export function createStoreReach() {
  let answers = true;
  let missed = 0;
  let answered = 0;
  let backTicks = 1;
  return {
    /** Called once a second: whether the store answered since the last tick. */
    tick(now: boolean): void {
      missed = now ? 0 : missed + 1;
      answered = now ? answered + 1 : 0;
      if (answers && missed >= UNREACHABLE_TICKS) answers = false;
      else if (answers && answered >= STEADY_TICKS) backTicks = 1;
      else if (!answers && answered >= backTicks) {
        answers = true;
        backTicks = Math.min(backTicks * 2, MAX_BACK_TICKS);
      }
    },
    answers: () => answers,
  };
}
