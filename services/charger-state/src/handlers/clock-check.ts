import type { Instant } from '@busbar/domain';
import { parseTimestamp, type DeviationKind } from '@busbar/ocpp';

/** No charger that speaks OCPP 1.6 with a working clock reports a time before this. */
const EARLIEST_MS = Date.UTC(2020, 0);
const AHEAD_MS = 60_000;
const NONE: readonly DeviationKind[] = [];

export interface CheckedTime {
  readonly at: Instant;
  /** False where it is the gateway's time, not the charger's. */
  readonly isOwn: boolean;
  /** Unix milliseconds of what the charger gave, whatever it is worth; 0 where it cannot be read. */
  readonly statedMs: number | undefined;
  /** `clock_off` where the charger's time was not to be believed. */
  readonly deviations: readonly DeviationKind[];
}

/**
 * The charger's own time for something, as a UTC instant; the time of receipt where it gave none, or one before 2020 or more
 * than 60 s ahead of receipt (rules 42 and 51 of what is promised to chargers).
 */
export function checkTime(timestamp: string | undefined, receivedAt: Instant): CheckedTime {
  if (timestamp === undefined) return { at: receivedAt, isOwn: false, statedMs: undefined, deviations: NONE };
  const stated = parseTimestamp(timestamp)?.instant;
  if (stated === undefined) return { at: receivedAt, isOwn: false, statedMs: 0, deviations: NONE };
  const statedMs = stated.getTime();
  if (statedMs < EARLIEST_MS || statedMs > Date.parse(receivedAt) + AHEAD_MS) {
    return { at: receivedAt, isOwn: false, statedMs, deviations: ['clock_off'] };
  }
  return { at: stated.toISOString(), isOwn: true, statedMs, deviations: NONE };
}
