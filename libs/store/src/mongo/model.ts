import { mongo, Schema } from 'mongoose';
import type { Connection, Model } from 'mongoose';

import { AppError } from '@busbar/core';

import type { CollectionDefinition, Document, IndexDefinition } from '../port';
import type { StoredDocument } from './filter-query';

const INDEX_OPTIONS_CONFLICT = 85;
const INDEX_KEY_SPECS_CONFLICT = 86;

/** A collection's schema and indexes as mongoose keeps them. What is stored is JSON and checked before it comes here. */
export function createModel<T extends Document>(
  connection: Connection,
  definition: CollectionDefinition<T>,
): Model<StoredDocument> {
  const schema = new Schema<StoredDocument>(
    { _id: String },
    { strict: false, minimize: false, versionKey: false, autoIndex: false, autoCreate: false, bufferCommands: false },
  );
  for (const index of definition.indexes) schema.index(keysOf(index), optionsOf(index));
  return connection.model<StoredDocument>(definition.name, schema, definition.name);
}

/**
 * Makes the indexes that are missing, and anew those whose declaration changed. `onSlow` is told of one for which the server
 * takes longer than an answer is waited for: it goes on meanwhile, and is asked again.
 */
export async function makeIndexes(
  model: Pick<Model<StoredDocument>, 'schema' | 'collection'>,
  onSlow: (index: string) => void,
): Promise<void> {
  for (const [keys, options] of model.schema.indexes()) {
    const name = String(options.name);
    const make = async (): Promise<void> => {
      for (;;) {
        try {
          const index = options as mongo.CreateIndexesOptions;
          await model.collection.createIndex(keys as mongo.IndexSpecification, index, {});
          return;
        } catch (error) {
          // One that is away as a whole fails otherwise: no server is found for the next attempt.
          if (!(error instanceof mongo.MongoNetworkTimeoutError)) throw error;
          onSlow(name);
        }
      }
    };
    try {
      await make();
    } catch (error) {
      if (codeOf(error) === INDEX_OPTIONS_CONFLICT || codeOf(error) === INDEX_KEY_SPECS_CONFLICT) {
        await model.collection.dropIndex(name);
        await make();
      } else if (codeOf(error) === 11_000) {
        const where = `the index ${name} of ${model.collection.name}`;
        throw new AppError('invalid_configuration', `${where} cannot be made on what is stored`, { cause: error });
      } else throw error;
    }
  }
}

function keysOf({ paths }: IndexDefinition): Record<string, 1 | -1> {
  return Object.fromEntries(paths);
}

/** Sparse: what is absent is outside, and a query for a value still uses the index (see unique-paths.ts). */
function optionsOf({ name, unique }: IndexDefinition): mongo.CreateIndexesOptions {
  return unique === true ? { name, unique: true, sparse: true } : { name };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
