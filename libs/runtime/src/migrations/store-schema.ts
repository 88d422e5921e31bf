// The schema document: versions and partitions of the store (`schema` in the collection `settings`).
import type { CollectionDefinition, Document } from '@busbar/store';

export interface StoreSchema extends Document {
  readonly version: number;
  /** The lowest schema version of a program that may work on the store. Absent: `version`. */
  readonly readableBy?: number;
  readonly partitions?: number;
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

/** Returns whether every document has what the newest version adds. */
export function isSettled({ olderWrites = 0, settled = 0 }: StoreSchema): boolean {
  return settled === olderWrites;
}

export function readableByOf({ readableBy, version }: StoreSchema): number {
  return readableBy ?? version;
}
