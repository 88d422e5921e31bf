import type { Timestamp } from '@busbar/domain';
import { EARLIEST_CLOCK_MS, parseTimestamp, type DeviationKind } from '@busbar/ocpp';

const AHEAD_MS = 60_000;
/** The last year of four digits. */
const LATEST_MS = Date.UTC(9999, 11, 31);
const NONE: readonly DeviationKind[] = [];

export interface CheckedTime {
  readonly at: Timestamp;
  /** False where it is the gateway's time, not the charger's. */
  readonly isOwn: boolean;
  /** As `statedMsOf`. */
  readonly statedMs: number | undefined;
  /** `clock_off` where the charger's time is implausible. */
  readonly deviations: readonly DeviationKind[];
}

/**
 * The charger's time as a UTC timestamp. The time of receipt where there is none, or one before 2020 or more than 60 s
 * ahead of receipt (rules 42 and 51).
 */
export function checkTime(timestamp: string | undefined, receivedAt: Timestamp): CheckedTime {
  const statedMs = statedMsOf(timestamp);
  if (statedMs === undefined || Number.isNaN(statedMs)) {
    return { at: receivedAt, isOwn: false, statedMs, deviations: NONE };
  }
  if (statedMs < EARLIEST_CLOCK_MS || statedMs > Date.parse(receivedAt) + AHEAD_MS) {
    return { at: receivedAt, isOwn: false, statedMs, deviations: ['clock_off'] };
  }
  return { at: new Date(statedMs).toISOString(), isOwn: true, statedMs, deviations: NONE };
}

/**
 * The charger's time in Unix milliseconds, also an implausible one. Undefined: there is none. NaN: it cannot be parsed.
 */
export function statedMsOf(timestamp: string | undefined): number | undefined {
  return timestamp === undefined ? undefined : (parseTimestamp(timestamp)?.date.getTime() ?? NaN);
}

/** The charger's time as it stated it, also an implausible one. Null where there is none, or none that RFC 3339 can express. */
export function deviceTimeOf(statedMs: number | undefined): Timestamp | null {
  if (statedMs === undefined || !(statedMs >= 0 && statedMs <= LATEST_MS)) return null;
  return new Date(statedMs).toISOString();
}
