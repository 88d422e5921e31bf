import { Schema } from 'mongoose';
import type { Connection, Model, mongo } from 'mongoose';

import type { CollectionDefinition, Document, IndexDefinition } from '../port';
import type { StoredDocument } from './filter-query';

/** A collection's schema and indexes for mongoose. Stored documents are JSON and were checked before. */
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

function keysOf({ paths }: IndexDefinition): Record<string, 1 | -1> {
  return Object.fromEntries(paths);
}

/** Sparse: absent values are outside, and a query for a value still uses the index. */
function optionsOf({ name, unique }: IndexDefinition): mongo.CreateIndexesOptions {
  return unique === true ? { name, unique: true, sparse: true } : { name };
}
