// Limits of charging that others than the operator set, as a charger of OCPP 2.x reports and clears them (K12, K13 of 2.0.1). Pure.
import { isAfter, type Position } from '@busbar/contracts';
import type { Timestamp } from '../timestamp';

export interface ExternalLimit {
  /** Who set it: EMS, SO, Other. */
  readonly source: string;
  /** Null: the whole charger. */
  readonly socketId: number | null;
  readonly position: Position;
  /** Absent: it is cleared. Kept for limits of an older connection that are reported later. */
  readonly limit?: {
    readonly at: Timestamp;
    readonly isGridCritical: boolean;
    readonly isLocalGeneration: boolean;
    /** In OCPP's field names. Empty: the charger gave none. */
    readonly chargingSchedule: readonly Readonly<Record<string, unknown>>[];
  };
}

/** More than a charger has sources and EVSEs with a limit. The oldest are removed. */
const MAX_LIMITS = 32;
/** Characters of one limit as JSON. The schedules of a longer one are not kept. */
const MAX_CHARACTERS = 30_000;

/**
 * The limits with one that the charger reported or cleared: it takes the place of those of its source at its socket, and where it is cleared
 * for the whole charger, at all sockets. Later messages prevail.
 */
export function withExternalLimit(limits: readonly ExternalLimit[], next: ExternalLimit): readonly ExternalLimit[] {
  const isOutdone = limits.some((each) => covers(each, next) && !isAfter(next.position, each.position));
  if (isOutdone) return limits;
  const others = limits.filter((each) => !covers(next, each) || isAfter(each.position, next.position));
  return [...others, withinLimit(next)].slice(-MAX_LIMITS);
}

/** Those that are not cleared. */
export function limitsInForce(limits: readonly ExternalLimit[] = []) {
  return limits.flatMap(({ limit, source, socketId }) => (limit === undefined ? [] : [{ source, socketId, ...limit }]));
}

function covers(one: ExternalLimit, other: ExternalLimit): boolean {
  const isEverywhere = one.limit === undefined && one.socketId === null;
  return one.source === other.source && (isEverywhere || one.socketId === other.socketId);
}

function withinLimit(next: ExternalLimit): ExternalLimit {
  if (next.limit === undefined || JSON.stringify(next.limit).length <= MAX_CHARACTERS) return next;
  return { ...next, limit: { ...next.limit, chargingSchedule: [] } };
}
