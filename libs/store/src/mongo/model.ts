import { Schema } from 'mongoose';
import type { Connection, Model } from 'mongoose';

import type { CollectionDefinition, Document } from '../port';
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
  for (const { name, paths, unique, sparse } of definition.indexes) {
    // Sparse: absent values are outside, and a query for a value still uses the index.
    schema.index(Object.fromEntries(paths), {
      name,
      ...(unique === true ? { unique: true } : {}),
      ...(unique === true || sparse === true ? { sparse: true } : {}),
    });
  }
  return connection.model<StoredDocument>(definition.name, schema, definition.name);
}
