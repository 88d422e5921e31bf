// Whether this replica reaches the store: pure, judged by ticks in a row. A short hiccup moves no partition, and one that
// comes and goes moves them ever more seldom.

export interface StoreReach {
  /** Once a second: whether the store answered since the last time. */
  tick(answered: boolean): void;
  answers(): boolean;
}

/** Ticks in a row without an answer after which it is taken for away. */
export const UNREACHABLE_TICKS = 5;
/** The most ticks in a row that it must answer to count as back; one at first, doubled whenever it did not last. */
const MAX_BACK_TICKS = 30;
/** Answered for so long, it is as if it had never been away. */
const STEADY_TICKS = 60;

export function createStoreReach(): StoreReach {
  let answers = true;
  let missed = 0;
  let answered = 0;
  let backTicks = 1;
  return {
    tick(now) {
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
