// Versions of the messages between services. An upgrade stops every old process before it starts a new one
// (docs/operations.md). An old process that still runs may meet a newer body: it leaves a report in the queue and
// rejects a command.

/**
 * The version of a report's envelope. Raise it for changes that an older consumer cannot apply, such as a new kind. A
 * field that may be ignored does not raise it.
 */
export const REPORT_VERSION = 1;
export const DEAD_LETTER_VERSION = 1;
export const COMMAND_VERSION = 1;

interface Versioned {
  readonly v?: unknown;
  readonly reports?: unknown;
  readonly report?: unknown;
}

/** The highest version in a body: its own, or that of an envelope in it. 0 where there is none. */
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
