import type { Instant } from '@busbar/domain';
import { parseTimestamp, type DeviationKind } from '@busbar/ocpp';

/** No charger that speaks OCPP 1.6 with a working clock reports a time before this. */
const EARLIEST = '2020-01-01T00:00:00.000Z';
const AHEAD_MS = 60_000;

export interface CheckedTime {
  readonly at: Instant;
  /** False where it is the gateway's time, not the charger's. */
  readonly isOwn: boolean;
  /** `clock_off` where the charger's time was not to be believed. */
  readonly deviations: readonly DeviationKind[];
}

/**
 * The charger's own time for something, as a UTC instant; the time of receipt where it gave none, or one before 2020 or more
 * than 60 s ahead of receipt (rules 42 and 51 of what is promised to chargers).
 */
export function checkTime(timestamp: string | undefined, receivedAt: Instant): CheckedTime {
  const at = timestamp === undefined ? undefined : parseTimestamp(timestamp)?.instant.toISOString();
  if (at === undefined) return { at: receivedAt, isOwn: false, deviations: [] };
  if (at < EARLIEST || Date.parse(at) > Date.parse(receivedAt) + AHEAD_MS) {
    return { at: receivedAt, isOwn: false, deviations: ['clock_off'] };
  }
  return { at, isOwn: true, deviations: [] };
}
