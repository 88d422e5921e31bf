// Versions of what services send to each other. Two neighbouring versions of Busbar may run side by side, so a consumer can
// meet a body of a newer one: it leaves it to a newer consumer, and never takes it for unreadable.

/**
 * Of a report's envelope. Raised for what an older consumer cannot apply: a new kind, a field with another meaning. A field
 * that may be ignored does not raise it.
 */
export const REPORT_VERSION = 1;
export const DEAD_LETTER_VERSION = 1;
export const COMMAND_VERSION = 1;

interface Versioned {
  readonly v?: unknown;
  readonly reports?: unknown;
  readonly report?: unknown;
}

/** The highest version in a body: its own, or that of an envelope in it. 0 where none says any. */
export function versionOf(body: unknown): number {
  const { v, reports, report } = asVersioned(body);
  let highest = typeof v === 'number' ? v : 0;
  if (report !== undefined) highest = Math.max(highest, ownVersion(report));
  if (Array.isArray(reports)) for (const each of reports) highest = Math.max(highest, ownVersion(each));
  return highest;
}

function ownVersion(body: unknown): number {
  const { v } = asVersioned(body);
  return typeof v === 'number' ? v : 0;
}

function asVersioned(body: unknown): Versioned {
  return typeof body === 'object' && body !== null ? body : {};
}
