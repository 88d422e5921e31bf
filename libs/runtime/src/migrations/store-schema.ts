// What the schema document says about the store (its fields: libs/store).
import type { StoreSchema } from '@busbar/store';

export { SCHEMA_ID, settingsCollection } from '@busbar/store';
export type { StoreSchema } from '@busbar/store';

/** Returns whether every document has what the newest version adds. */
export function isSettled({ olderWrites = 0, settled = 0 }: StoreSchema): boolean {
  return settled === olderWrites;
}

export function readableByOf({ readableBy, version }: StoreSchema): number {
  return readableBy ?? version;
}
