// The schema document: versions and partitions of the store (`schema` in the collection `settings`).
import type { CollectionDefinition, Document } from '@busbar/store';

export interface StoreSchema extends Document {
  readonly version: number;
  /** The lowest schema version of a program that may work on the store. Absent: `version`. */
  readonly readableBy?: number;
  readonly partitions?: number;
  /** The lease of the process that migrates to the next version; `beat` grows while it lives. */
  readonly migration?: { readonly owner: string; readonly beat: number };
}

export const settingsCollection: CollectionDefinition<StoreSchema> = { name: 'settings', indexes: [] };
export const SCHEMA_ID = 'schema';

export function readableByOf({ readableBy, version }: StoreSchema): number {
  return readableBy ?? version;
}
