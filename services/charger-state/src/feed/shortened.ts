// Bounds an event: a body is at most 20 kB. Long values are left out, and `truncated` says so.
import type { EventName } from '@busbar/contracts';

/** The measurements of one event. */
const MAX_MEASUREMENTS_BYTES = 16_000;
/** Leaves room for the envelope. */
const MAX_DATA_BYTES = 19_000;
/** The limit of each text in data that are too long. */
const MAX_TEXT = 200;

/** The JSON text of an event's data. */
export function shortened(name: EventName, data: unknown): string {
  const text = JSON.stringify(data);
  // A character has at most three bytes.
  if (text.length * 3 <= MAX_MEASUREMENTS_BYTES) return text;
  const bytes = Buffer.byteLength(text);
  if (bytes <= (name === 'meter.values' ? MAX_MEASUREMENTS_BYTES : MAX_DATA_BYTES)) return text;
  return JSON.stringify({ ...cut(data as Readonly<Record<string, unknown>>), truncated: true });
}

function cut(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(data).map(([field, value]) => [field, cutValue(value)]));
}

function cutValue(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  if (Array.isArray(value)) return [];
  return typeof value === 'object' ? null : value;
}
