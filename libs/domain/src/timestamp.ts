/**
 * A moment as its ISO 8601 text in UTC with milliseconds (`2026-01-02T03:04:05.678Z`): what the store keeps and the wire
 * carries, and text order is time order. `Date` appears only where time is computed.
 */
export type Timestamp = string;

export function toTimestamp(date: Date): Timestamp {
  return date.toISOString();
}
