import type { Store } from '@busbar/store';

/**
 * One step of the stored documents from a version to the next. It may be broken off anywhere and begun again by another
 * process, and for a moment two processes may be at it: each part must change nothing where it was done before.
 */
export interface Migration {
  /** What the store has afterwards: one more than before. */
  readonly version: number;
  /** For the log. */
  readonly about: string;
  /** Does one bounded part of the work and says how many documents it looked after; 0 when nothing is left. */
  readonly part: (store: Store) => Promise<number>;
}
