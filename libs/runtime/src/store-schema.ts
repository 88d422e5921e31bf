// What the store remembers of how it was set up: the document `schema` of the collection `settings`.
import type { CollectionDefinition, Document } from '@busbar/store';

export interface StoreSchema extends Document {
  readonly version: number;
  readonly partitions?: number;
  /** Of the process that is bringing the store to the next version; `beat` grows while it lives. */
  readonly migration?: { readonly owner: string; readonly beat: number };
}

export const settingsCollection: CollectionDefinition<StoreSchema> = { name: 'settings', indexes: [] };
export const SCHEMA_ID = 'schema';
