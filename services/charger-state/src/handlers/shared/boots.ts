import { isAfter, type Position } from '@busbar/contracts';
import { type Timestamp } from '@busbar/domain';
import { type Charger } from '@busbar/domain/chargers';

/**
 * Returns whether the charger has booted since. A boot may set its clock, so timestamps of before and after do not compare.
 */
export function hasBootedSince({ reported: { boot } }: Charger, position: Position): boolean {
  return boot !== null && isAfter(boot.position, position);
}

/** No charger holds back a status notification for as long; a clock that a boot resets falls further behind. */
const MAX_STATUS_DELAY_MS = 30 * 86_400_000;

interface TimedStatus {
  readonly ownAt: Timestamp;
  readonly position: Position;
}

/**
 * Returns whether the last boot set the clock back between a start and a status, whichever was received first. The
 * start then happened before the boot and the status after it, although the status has the earlier timestamp.
 */
export function isSetBackSince(
  { reported: { boot } }: Charger,
  startTime: Timestamp,
  { ownAt, position }: TimedStatus,
  receivedAt: Timestamp,
): boolean {
  if (boot === null || isAfter(boot.position, position) || startTime >= boot.at) return false;
  // By a clock that is only slow, a start after the boot is no further ahead than the time since the boot.
  const sinceBootMs = Date.parse(receivedAt) - Date.parse(boot.at);
  return Date.parse(startTime) - Date.parse(ownAt) > Math.max(MAX_STATUS_DELAY_MS, sinceBootMs);
}
