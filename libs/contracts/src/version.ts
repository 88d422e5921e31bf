// Versions of the messages between services. Two neighbouring versions run side by side (docs/adr/0026). So a change adds
// fields, which older programs ignore. A change that an older program cannot work with gets a higher version: it leaves such a
// report in the queue, in order, and refuses such a request.
import type { ReportKind } from './report';

/**
 * The lowest version of a consumer that can apply a report of this kind. A new kind gets the next version. So does a known
 * kind with another meaning, such as that of a new OCPP version: its publisher then writes that version.
 */
export const REPORT_KINDS: Readonly<Record<ReportKind, number>> = {
  report: 1,
  decision: 1,
  log_only: 1,
  connected: 1,
  disconnected: 1,
  outcome: 1,
  nudge: 2,
};

/** Of a decision whose envelope has `authorization`: an older consumer would judge the tag by another rule. */
export const AUTHORIZED_REPORT_VERSION = 3;

/** The highest version of a report that this program can apply. */
export const REPORT_VERSION = Math.max(...Object.values(REPORT_KINDS), AUTHORIZED_REPORT_VERSION);
export const DEAD_LETTER_VERSION = 1;
export const COMMAND_VERSION = 1;

interface Versioned {
  readonly v?: unknown;
  readonly kind?: unknown;
  readonly reports?: unknown;
  readonly report?: unknown;
}

/** The highest version in a body: its own, or that of a report in it. 0 where there is none. */
export function versionOf(body: unknown): number {
  const { v, reports, report } = asVersioned(body);
  let highest = typeof v === 'number' ? v : 0;
  if (report !== undefined) highest = Math.max(highest, reportVersion(report));
  if (Array.isArray(reports)) for (const each of reports) highest = Math.max(highest, reportVersion(each));
  return highest;
}

/** A kind that this program does not know is of a newer one, whatever version the report names. */
function reportVersion(report: unknown): number {
  const { v, kind } = asVersioned(report);
  const named = typeof v === 'number' ? v : 0;
  const isUnknown = typeof kind === 'string' && !Object.hasOwn(REPORT_KINDS, kind);
  return isUnknown ? Math.max(named, REPORT_VERSION + 1) : named;
}

function asVersioned(body: unknown): Versioned {
  return typeof body === 'object' && body !== null ? body : {};
}
