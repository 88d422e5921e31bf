// Runs migrations part by part, with what they share: progress in the log and in a metric.
import type { Clock, Logger } from '@busbar/core';
import type { Store } from '@busbar/store';
import type { Migration } from './migration';

export interface FillDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The documents that the current work has changed so far. */
  readonly onDocuments?: ((count: number) => void) | undefined;
  /** One part; by default as it is. */
  readonly attempt?: (work: () => Promise<number>) => Promise<number>;
  /** Called after each part; false ends the work. */
  readonly mayContinue: () => boolean;
}

const PROGRESS_MS = 5_000;

/** Resolves with the number of changed documents, or with undefined when the work was ended before nothing was left. */
export async function fill(deps: FillDeps, migrations: readonly Migration[]): Promise<number | undefined> {
  const { store, clock, logger, onDocuments } = deps;
  const attempt = deps.attempt ?? ((work: () => Promise<number>) => work());
  let documents = 0;
  let reportedMs = Number.NEGATIVE_INFINITY;
  onDocuments?.(0);
  for (const { version, part } of migrations) {
    for (;;) {
      const changed = await attempt(() => part(store));
      if (changed === 0) break;
      documents += changed;
      onDocuments?.(documents);
      if (clock.monotonicMs() - reportedMs >= PROGRESS_MS) {
        reportedMs = clock.monotonicMs();
        logger.info({ version, documents }, 'migration in progress');
      }
      if (!deps.mayContinue()) return undefined;
    }
  }
  return documents;
}

/** The additive migrations up to a version that programs may lack which can work on a store of that version. */
export function fillsUpTo(migrations: readonly Migration[], version: number): readonly Migration[] {
  const done = migrations.filter((each) => each.version <= version);
  const lastBreaking = done.findLastIndex(({ isAdditive }) => !isAdditive);
  return done.slice(lastBreaking + 1);
}
