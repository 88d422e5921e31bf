// What the store itself must remember of how it was set up: the document `schema` of the collection `settings`.
import { AppError, type Service } from '@busbar/core';
import { and, eq, exists, type CollectionDefinition, type Document, type Store } from '@busbar/store';

/** Grows when stored documents change in a way that an older version of this program would misread. */
export const SCHEMA_VERSION = 1;

export interface StoreSchema extends Document {
  readonly version: number;
  readonly partitions?: number;
}

/** The collection; declared by `createStoreSetup`. */
export const settingsCollection: CollectionDefinition<StoreSchema> = { name: 'settings', indexes: [] };
const SCHEMA_ID = 'schema';

/**
 * A service that checks, once the store is there, that this program may work on it: the schema is not newer than it knows,
 * and `PARTITIONS` is what the first start fixed. Throws `invalid_configuration`.
 */
export function createStoreSetup(store: Store, partitions: number | undefined): Service {
  const collection = store.collection(settingsCollection);
  return {
    name: 'store set-up',
    async start() {
      await collection.insert({ _id: SCHEMA_ID, version: SCHEMA_VERSION });
      if (partitions !== undefined) {
        await collection.update(and(eq('_id', SCHEMA_ID), exists('partitions', false)), { set: { partitions } });
      }
      checkSchema(await collection.get(SCHEMA_ID), partitions);
    },
    stop: () => Promise.resolve(),
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

function checkSchema(schema: StoreSchema | undefined, partitions: number | undefined): void {
  if (schema === undefined) throw new AppError('unavailable', 'The store lost its settings while they were read.');
  if (schema.version > SCHEMA_VERSION) {
    throw new AppError(
      'invalid_configuration',
      `The store was written by a newer version (schema ${String(schema.version)}, this one knows ` +
        `${String(SCHEMA_VERSION)}): run that version, or restore a backup from before it.`,
    );
  }
  if (partitions === undefined || schema.partitions === undefined || schema.partitions === partitions) return;
  throw new AppError(
    'invalid_configuration',
    `PARTITIONS is ${String(partitions)} and the store was set up with ${String(schema.partitions)}: set it back, or stop ` +
      'every gateway, let charger-state empty the queues, stop it too, and run "npm run admin -- partitions set ' +
      `${String(partitions)}".`,
  );
}
