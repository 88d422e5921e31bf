// Checks that this program may work on the store: its schema version and its `PARTITIONS`. Migrates older documents.
import { AppError, createId, type Clock, type Logger, type Service } from '@busbar/core';
import { and, eq, PREPARE_WITHIN_MS, type Store } from '@busbar/store';
import type { Migration } from './migration';
import { migrate } from './migrate';
import { MIGRATIONS, readableAfter, schemaVersionOf } from './migrations';
import { readableByOf, SCHEMA_ID, settingsCollection, type StoreSchema } from './store-schema';

export interface StoreSetupDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The number of queues, in processes that hash chargers onto queues. */
  readonly partitions: number | undefined;
  /** The schema after the start's migrations. */
  readonly onSchema?: (schema: StoreSchema) => void;
  /** The documents that the migration in progress has changed. */
  readonly onDocuments?: (count: number) => void;
  /** Default: the table of this program. */
  readonly migrations?: readonly Migration[];
  /** A process whose migration does not advance for so long has lost its lease. */
  readonly leaseMs?: number;
}

/**
 * A service that migrates an older schema, refuses a newer one that this program cannot live beside, and refuses another
 * `PARTITIONS` than the first start's. Its start rejects with `invalid_configuration`.
 */
export function createStoreSetup(deps: StoreSetupDeps): Service {
  const { store, partitions, migrations = MIGRATIONS } = deps;
  const collection = store.collection(settingsCollection);
  const known = schemaVersionOf(migrations);
  let stopped = false;
  return {
    name: 'store set-up',
    startWithinMs: PREPARE_WITHIN_MS,
    async start() {
      // Only into a new store, which has nothing to migrate.
      await collection.insert({ _id: SCHEMA_ID, version: known, readableBy: readableAfter(migrations) });
      checkReadable(await collection.get(SCHEMA_ID), known);
      const schema = await migrate({ ...deps, migrations, stopping: () => stopped });
      // A newer program may have migrated it meanwhile.
      checkReadable(schema, known);
      if (schema.version > known) await collection.update(eq('_id', SCHEMA_ID), { inc: { olderWrites: 1 } });
      deps.onSchema?.(schema);
      if (partitions === undefined) return;
      await collection.update(and(eq('_id', SCHEMA_ID), eq('partitions', null)), { set: { partitions } });
      await collection.update(and(eq('_id', SCHEMA_ID), eq('feedGeneration', null)), {
        set: { feedGeneration: createId() },
      });
      checkPartitions((await collection.get(SCHEMA_ID))?.partitions, partitions);
    },
    stop() {
      stopped = true;
      return Promise.resolve();
    },
    ready: () => true,
  };
}

/** Changes `PARTITIONS` of the store, and with it the feed's generation. Only while no process runs that hashes chargers onto queues. */
export async function setPartitions(store: Store, partitions: number): Promise<void> {
  await store.collection(settingsCollection).update(eq('_id', SCHEMA_ID), {
    set: { partitions, feedGeneration: createId() },
  });
}

/** Undefined before the first start on the store. */
export function readSchema(store: Store): Promise<StoreSchema | undefined> {
  return store.collection(settingsCollection).get(SCHEMA_ID);
}

/** The number of queues that chargers are spread over; undefined before anything hashed them. */
export async function readPartitions(store: Store): Promise<number | undefined> {
  return (await readSchema(store))?.partitions;
}

/** Throws the sentence for a program that cannot live beside what newer ones have written. */
export function checkReadable(schema: StoreSchema | undefined, known: number): void {
  if (schema === undefined || readableByOf(schema) <= known) return;
  throw new AppError(
    'invalid_configuration',
    `The store was written by a newer version (schema ${String(schema.version)}, for programs of schema ` +
      `${String(readableByOf(schema))} or newer; this one has ${String(known)}): run that version, or restore a backup ` +
      'from before it.',
  );
}

function checkPartitions(stored: number | undefined, partitions: number): void {
  if (stored === undefined || stored === partitions) return;
  throw new AppError(
    'invalid_configuration',
    `PARTITIONS is ${String(partitions)} and the store was set up with ${String(stored)}: set it back, or stop ` +
      'every gateway, let charger-state empty the queues, stop it too, and run "npm run admin -- partitions set ' +
      `${String(partitions)}".`,
  );
}
