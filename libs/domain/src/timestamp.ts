/**
 * An RFC 3339 timestamp in UTC with milliseconds (`2026-01-02T03:04:05.678Z`), as stored and sent. Its text order is
 * time order. `Date` is used only to compute.
 */
export type Timestamp = string;

export function toTimestamp(date: Date): Timestamp {
  return date.toISOString();
}

/** A timestamp with any offset as stored. Without one, the null or undefined. */
export function inUtc<Absent extends null | undefined>(text: string | Absent): Timestamp | Absent {
  return typeof text === 'string' ? toTimestamp(new Date(text)) : text;
}
