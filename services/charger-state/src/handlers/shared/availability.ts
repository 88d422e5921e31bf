// The availability that was set for a charger's sockets: 0 is the charger, and every socket without a later setting.
import type { Position } from '@busbar/contracts';
import type { Availability, Charger, ChargingState, SocketAvailability } from '@busbar/domain/chargers';
import { isAfter, withReported } from '../../pipeline/contract';
import { isWithinLimit } from './row-limit';

export interface AvailabilityChange {
  readonly socketId: number;
  readonly to: Availability;
  /** It takes effect after the ongoing transaction. */
  readonly isScheduled: boolean;
  readonly at: string;
  readonly position: Position;
}

type Availabilities = Readonly<Record<string, SocketAvailability>>;

/** The record after a change that the charger accepted; the same where a later change exists. */
export function withAvailability(charger: Charger, change: AvailabilityChange): Charger {
  const known = charger.reported.availability ?? {};
  if (!isWithinLimit(known, change.socketId, 0)) return charger;
  const before = known[String(change.socketId)] ?? known['0'];
  if (before !== undefined && !isAfter(change.position, before.position)) return charger;
  const sockets = change.socketId === 0 ? withoutStale(known, change) : known;
  const availability = { ...sockets, [String(change.socketId)]: changed(before, change) };
  return withReported(charger, { availability });
}

/** A socket's status may show that its scheduled change is in force. */
export function resolveAvailability(
  charger: Charger,
  socketId: number,
  { state, at, position }: { readonly state: ChargingState; readonly at: string; readonly position: Position },
): Charger {
  const known = charger.reported.availability;
  const entry = known?.[String(socketId)] ?? known?.['0'];
  if (known === undefined || entry?.scheduled == null || !isAfter(position, entry.position)) return charger;
  const isDone = (entry.scheduled === 'Inoperative') === (state === 'Unavailable');
  if (!isDone || !isWithinLimit(known, socketId, 0)) return charger;
  const resolved: SocketAvailability = { inForce: entry.scheduled, scheduled: null, at, position };
  return withReported(charger, { availability: { ...known, [String(socketId)]: resolved } });
}

function changed(
  before: SocketAvailability | undefined,
  { to, isScheduled, at, position }: AvailabilityChange,
): SocketAvailability {
  if (!isScheduled) return { inForce: to, scheduled: null, at, position };
  return { inForce: before?.inForce ?? null, scheduled: to, at, position };
}

/** A setting of the whole charger replaces those of its sockets, at once or when each is free. */
function withoutStale(known: Availabilities, change: AvailabilityChange): Availabilities {
  const kept = Object.entries(known).flatMap(([id, entry]): [string, SocketAvailability][] => {
    if (!isAfter(change.position, entry.position)) return [[id, entry]];
    return change.isScheduled ? [[id, changed(entry, change)]] : [];
  });
  return Object.fromEntries(kept);
}
