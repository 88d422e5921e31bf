/** Where a charger's connection or a report of it stands: [order, seq]. */
export type StoredPosition = readonly [order: number, seq: number];

/** Whether a position is after the one that last wrote a part of the record. */
export function isAfter(position: StoredPosition, written: StoredPosition): boolean {
  return position[0] > written[0] || (position[0] === written[0] && position[1] > written[1]);
}
