// Migrates the stored documents to the version of this program. Several processes may start together: one does the
// work. The others wait, and one of them takes over when it dies.
import { AppError, backoff, createId, delay, isAppError, type Clock, type Logger } from '@busbar/core';
import type { Store } from '@busbar/store';
import { isSettled, readableByOf, SCHEMA_ID, settingsCollection, type StoreSchema } from './store-schema';
import { fill, fillsUpTo } from './fill';
import type { Migration } from './migration';
import { createMigrationLease, type MigrationLease } from './migration-lease';

export interface MigrateDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly migrations: readonly Migration[];
  /** The process is to end: the migration stops after the current part. */
  readonly stopping: () => boolean;
  readonly onDocuments?: (count: number) => void;
  /** A process whose count does not advance for so long has lost the lease. Default 10 s. */
  readonly leaseMs?: number;
}

const LEASE_MS = 10_000;
/** The time that the store may be unavailable before the start fails. */
const UNAVAILABLE_MS = 60_000;
const REPORT_MS = 30_000;

/**
 * Resolves with the schema once no migration is left, whichever process ran it. Rejects with `unavailable` when the store
 * is unavailable for a minute, or when the process is to stop. Finished parts stay.
 */
export async function migrate(deps: MigrateDeps): Promise<StoreSchema> {
  const { store, clock, logger, leaseMs = LEASE_MS } = deps;
  const schemas = store.collection(settingsCollection);
  const lease = createMigrationLease({
    schemas,
    clock,
    owner: createId(),
    leaseMs,
    isExclusive: store.kind === 'sqlite',
  });
  let reportedMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    const schema = await withRetry(deps, () => schemas.get(SCHEMA_ID));
    if (schema === undefined)
      throw new AppError(
        'unavailable',
        'The settings of the store were deleted during the start. Start the service again.',
      );
    const next = deps.migrations.find(({ version }) => version === schema.version + 1);
    if (next === undefined) return schema;
    const readableBy = next.isAdditive ? readableByOf(schema) : next.version;
    // At its begin: no older program may start in the middle of a change that it cannot live beside.
    if (await withRetry(deps, () => lease.acquire(schema, { readableBy }))) {
      await run(deps, lease, schema, next);
      continue;
    }
    if (clock.monotonicMs() - reportedMs >= REPORT_MS) {
      reportedMs = clock.monotonicMs();
      logger.info({ version: next.version }, 'waiting for another process that migrates the store');
    }
    await delay(clock, leaseMs / 10);
    throwIfStopping(deps);
  }
}

async function run(deps: MigrateDeps, lease: MigrationLease, schema: StoreSchema, next: Migration): Promise<void> {
  const { logger, migrations } = deps;
  const { version, about, isAdditive } = next;
  logger.info({ version, about }, 'migrating the store');
  // No older program works on the store after any other migration. Fields that they left unfilled are filled before.
  const unfilled = isAdditive || isSettled(schema) ? [] : fillsUpTo(migrations, schema.version);
  const end = isAdditive
    ? { set: { version }, inc: { olderWrites: 1 } }
    : { set: { version, settled: schema.olderWrites ?? 0 } };
  try {
    const documents = await fill(
      {
        ...deps,
        attempt: (work) => withRetry(deps, work),
        mayContinue() {
          throwIfStopping(deps);
          // After a pause longer than the lease another process has resumed from here.
          return lease.isHeld();
        },
      },
      [...unfilled, next],
    );
    if (documents === undefined) return;
    await withRetry(deps, () => lease.finish(end));
    logger.info({ version, documents }, 'store migrated');
  } finally {
    lease.release();
  }
}

/** Retries while the store is unavailable, with backoff. */
async function withRetry<T>(deps: MigrateDeps, work: () => Promise<T>): Promise<T> {
  const { clock, logger } = deps;
  const until = clock.monotonicMs() + UNAVAILABLE_MS;
  const waits = backoff({ firstMs: 100, maxMs: 5_000 });
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isAppError(error, 'unavailable') || clock.monotonicMs() >= until) throw error;
      logger.debug({ err: error }, 'the store is unavailable during its migration');
    }
    await delay(clock, waits.next());
    throwIfStopping(deps);
  }
}

function throwIfStopping({ stopping }: MigrateDeps): void {
  if (stopping()) throw new AppError('unavailable', 'The process was stopped during a migration of the store.');
}
