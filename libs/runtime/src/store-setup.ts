// Whether this program may work on the store: what the store remembers of how it was set up is read, and older documents are
// brought to what this program knows.
import { AppError, type Clock, type Logger, type Service } from '@busbar/core';
import { and, eq, exists, PREPARE_WITHIN_MS, type Store } from '@busbar/store';
import type { Migration } from './migrations/migration';
import { migrate } from './migrations/migrate';
import { MIGRATIONS } from './migrations/migrations';
import { SCHEMA_ID, settingsCollection, type StoreSchema } from './store-schema';

const FIRST_VERSION = 1;

export interface StoreSetupDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of processes that hash chargers onto queues. */
  readonly partitions: number | undefined;
  readonly onVersion?: (version: number) => void;
  /** Default: the table of this program. */
  readonly migrations?: readonly Migration[];
  /** After which another process that does not move on with a migration is taken for dead. */
  readonly leaseMs?: number;
}

/**
 * A service that, once the store is there, sees to it that this program can work on it: the schema is not newer than it
 * knows, an older one is brought to it, and `PARTITIONS` is what the first start fixed. Throws `invalid_configuration`.
 */
export function createStoreSetup(deps: StoreSetupDeps): Service {
  const { store, partitions, migrations = MIGRATIONS } = deps;
  const collection = store.collection(settingsCollection);
  const known = migrations.at(-1)?.version ?? FIRST_VERSION;
  let stopped = false;
  return {
    name: 'store set-up',
    startWithinMs: PREPARE_WITHIN_MS,
    async start() {
      // Of a new store, which has nothing to bring forward.
      await collection.insert({ _id: SCHEMA_ID, version: known });
      checkVersion(await collection.get(SCHEMA_ID), known);
      const schema = await migrate({ ...deps, migrations, stopping: () => stopped });
      deps.onVersion?.(schema.version);
      if (partitions === undefined) return;
      await collection.update(and(eq('_id', SCHEMA_ID), exists('partitions', false)), { set: { partitions } });
      checkPartitions((await collection.get(SCHEMA_ID))?.partitions, partitions);
    },
    stop() {
      stopped = true;
      return Promise.resolve();
    },
    ready: () => true,
  };
}

/** Changes what the first start fixed. Only while no process runs that hashes chargers onto queues. */
export async function setPartitions(store: Store, partitions: number): Promise<void> {
  await store.collection(settingsCollection).update(eq('_id', SCHEMA_ID), { set: { partitions } });
}

/** How many queues chargers are spread over; undefined before anything hashed them. */
export async function readPartitions(store: Store): Promise<number | undefined> {
  return (await store.collection(settingsCollection).get(SCHEMA_ID))?.partitions;
}

function checkVersion(schema: StoreSchema | undefined, known: number): void {
  if (schema === undefined || schema.version <= known) return;
  throw new AppError(
    'invalid_configuration',
    `The store was written by a newer version (schema ${String(schema.version)}, this one knows ${String(known)}): ` +
      'run that version, or restore a backup from before it.',
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
