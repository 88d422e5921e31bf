/**
 * A message's place in its charger's history: the order of its connection and its number within the connection. The
 * order is a counter in the store, greater for each new connection. No clock decides.
 */
export type Position = readonly [order: number, seq: number];

/** Returns whether a message comes after the one that last wrote a part of the record. */
export function isAfter(position: Position, written: Position): boolean {
  return position[0] > written[0] || (position[0] === written[0] && position[1] > written[1]);
}

/** Returns whether both are the place of one message, which may be delivered more than once. */
export function isSamePosition(position: Position, other: Position): boolean {
  return position[0] === other[0] && position[1] === other[1];
}
