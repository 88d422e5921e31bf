import type { Store } from '@busbar/store';

/**
 * One step of the stored documents from a version to the next. Each part is idempotent: another process may resume after
 * a kill, and for a moment two processes may run it.
 */
export interface Migration {
  /** The version that the store has afterwards: one more than before. */
  readonly version: number;
  /** For the log. */
  readonly about: string;
  /**
   * Programs of the version before may run beside it and after it: it only adds fields and collections that they ignore.
   * Its parts fill what such a program wrote without them.
   */
  readonly isAdditive: boolean;
  /** Does one bounded part of the work and returns how many documents it changed; 0 when nothing is left. */
  readonly part: (store: Store) => Promise<number>;
}
