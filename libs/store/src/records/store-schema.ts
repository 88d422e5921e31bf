// The schema document: versions, partitions and the generation of the feed (`schema` in the collection `settings`).
import type { CollectionDefinition, Document } from '../port';

export interface StoreSchema extends Document {
  readonly version: number;
  /** The lowest schema version of a program that may work on the store. Absent: `version`. */
  readonly readableBy?: number;
  readonly partitions?: number;
  /** Made with the store, and anew by a restore: cursors of before have expired. Absent: the feed has not begun. */
  readonly feedGeneration?: string;
  /** Pages of the feed that were written before may be deleted by age. */
  readonly feedPrunedBefore?: string;
  /**
   * Grows by whatever may leave documents without the fields of a newer version: an additive migration, and each older
   * program that works on the store.
   */
  readonly olderWrites?: number;
  /** `olderWrites` before the last settling pass that ended. */
  readonly settled?: number;
  /** The lease of the process that migrates or settles; `beat` grows while it lives. */
  readonly migration?: { readonly owner: string; readonly beat: number };
}

export const settingsCollection: CollectionDefinition<StoreSchema> = { name: 'settings', indexes: [] };
export const SCHEMA_ID = 'schema';
