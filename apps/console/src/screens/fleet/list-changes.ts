// How many changes a list read anew would show. Pure.

export interface ListCounts {
  /** Chargers that the filters left when the list was read. */
  readonly shown: number;
  /** Chargers that they leave by the last count; undefined before it. */
  readonly counted: number | undefined;
  /** Rows that events took out of the list, when the last count was made and now. */
  readonly goneAtCount: number;
  readonly gone: number;
}

/**
 * Chargers that came to the list, of which only the count says something, and those that left it. Rows that left out of sight are
 * known by the count alone.
 */
export function countChanges({ shown, counted = shown, goneAtCount, gone }: ListCounts): number {
  const difference = counted - shown;
  const came = Math.max(0, difference + goneAtCount);
  return Math.max(gone, -difference) + came;
}
