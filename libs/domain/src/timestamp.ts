/**
 * An RFC 3339 timestamp in UTC with milliseconds (`2026-01-02T03:04:05.678Z`), as stored and sent. Its text order is
 * time order. `Date` is used only to compute.
 */
export type Timestamp = string;

export function toTimestamp(date: Date): Timestamp {
  return date.toISOString();
}
