// Brings the store's documents to the version that this program knows, however many processes start at once: one does the
// work, the others wait for it and take it over when it dies.
import { AppError, backoff, createId, isAppError, type Clock, type Logger } from '@busbar/core';
import type { Store } from '@busbar/store';
import { SCHEMA_ID, settingsCollection, type StoreSchema } from '../store-schema';
import type { Migration } from './migration';
import { createMigrationLease, type MigrationLease } from './migration-lease';

export interface MigrateDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly migrations: readonly Migration[];
  /** The process is to end: the work is left where it stands. */
  readonly stopping: () => boolean;
  /** After which a process that does not move on is taken for dead. Default 10 s. */
  readonly leaseMs?: number;
}

const LEASE_MS = 10_000;
/** How long the store may be away in the middle before the start is given up. */
const UNAVAILABLE_MS = 60_000;
const PROGRESS_MS = 5_000;
const REPORT_MS = 30_000;

/**
 * Resolves with the schema once no migration is left to do, by this process or another. It takes as long as the work does;
 * waiting for another process lasts only while that one moves on. Rejects with `unavailable` when the store is away for a
 * minute, or the process is to stop; what is done stays done.
 */
export async function migrate(deps: MigrateDeps): Promise<StoreSchema> {
  const { store, clock, logger, leaseMs = LEASE_MS } = deps;
  const schemas = store.collection(settingsCollection);
  const lease = createMigrationLease({ schemas, clock, owner: createId(), leaseMs, alone: store.kind === 'sqlite' });
  const logWaiting = atMostEvery(clock, REPORT_MS, (version: number) => {
    logger.info({ version }, 'waiting for another process that brings the store to a newer version');
  });
  for (;;) {
    const schema = await patiently(deps, () => schemas.get(SCHEMA_ID));
    if (schema === undefined) throw new AppError('unavailable', 'The store lost its settings while they were read.');
    const next = deps.migrations.find(({ version }) => version === schema.version + 1);
    if (next === undefined) return schema;
    if (await patiently(deps, () => lease.take(schema))) {
      await run(deps, lease, next);
      continue;
    }
    logWaiting(next.version);
    await pause(clock, leaseMs / 10);
    mustGoOn(deps);
  }
}

async function run(deps: MigrateDeps, lease: MigrationLease, migration: Migration): Promise<void> {
  const { store, clock, logger } = deps;
  const { version, about } = migration;
  let documents = 0;
  const run = atMostEvery(clock, PROGRESS_MS, () => {
    logger.info({ version, documents }, 'the store is being brought to a newer version');
  });
  logger.info({ version, about }, 'bringing the store to a newer version');
  try {
    for (;;) {
      const changed = await patiently(deps, () => migration.part(store));
      if (changed === 0) break;
      documents += changed;
      run();
      mustGoOn(deps);
      // Stopped for longer than its lease: another process has gone on from here.
      if (!lease.held()) return;
    }
    await patiently(deps, () => lease.finish(version));
    logger.info({ version, documents }, 'the store is at a newer version');
  } finally {
    lease.letGo();
  }
}

/** Again while the store is away, for a while. */
async function patiently<T>(deps: MigrateDeps, work: () => Promise<T>): Promise<T> {
  const { clock, logger } = deps;
  const until = clock.monotonicMs() + UNAVAILABLE_MS;
  const waits = backoff({ firstMs: 100, maxMs: 5_000 });
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isAppError(error, 'unavailable') || clock.monotonicMs() >= until) throw error;
      logger.debug({ err: error }, 'the store is away while it is brought to a newer version');
    }
    await pause(clock, waits.next());
    mustGoOn(deps);
  }
}

function mustGoOn({ stopping }: MigrateDeps): void {
  if (stopping()) throw new AppError('unavailable', 'Stopped while the store was brought to a newer version.');
}

function atMostEvery<A extends readonly unknown[]>(
  clock: Clock,
  ms: number,
  run: (...args: A) => void,
): (...args: A) => void {
  let reportedMs = Number.NEGATIVE_INFINITY;
  return (...args) => {
    const now = clock.monotonicMs();
    if (now - reportedMs < ms) return;
    reportedMs = now;
    run(...args);
  };
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
