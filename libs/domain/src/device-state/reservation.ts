import { isAfter, type Position } from '@busbar/contracts';
import type { Timestamp } from '../timestamp';

export interface Reservation {
  readonly reservationId: number;
  /** Null: any socket of the charger. */
  readonly socketId: number | null;
  readonly idTag: string;
  readonly parentIdTag: string | null;
  readonly expiryDate: Timestamp;
  /** The cause of its end, as the charger reported. It also expires by the clock. */
  readonly end: 'cancelled' | 'used' | 'expired' | null;
  /** For a used reservation. */
  readonly transactionId: number | null;
  /** The command that made it. */
  readonly commandId: string | null;
  readonly reservedAt: Timestamp;
  readonly position: Position;
}

export type ReservationState = 'active' | 'cancelled' | 'used' | 'expired';

/** More than any charger has. Ended ones stay while there is room. */
const MAX_RESERVATIONS = 100;

export function reservationState({ end, expiryDate }: Reservation, now: Timestamp): ReservationState {
  return end ?? (expiryDate <= now ? 'expired' : 'active');
}

/** Adds a reservation; it replaces one with the same id (OCPP 1.6 5.13) unless that comes from a later message. */
export function withReservation(
  reservations: readonly Reservation[],
  reservation: Reservation,
): readonly Reservation[] {
  const before = reservations.find(({ reservationId }) => reservationId === reservation.reservationId);
  if (before !== undefined && !isAfter(reservation.position, before.position)) return reservations;
  const others = reservations.filter((each) => each !== before);
  return withinLimits([...others, reservation], reservation.reservedAt);
}

/**
 * Ends the reservation. Returns the same list where it is unknown or a later message has changed it. One that has ended changes only by
 * its use: a charger may report one as expired or removed after a session used it (OCPP 2.0.1, H04).
 */
export function withReservationEnded(
  reservations: readonly Reservation[],
  reservationId: number,
  ended: Pick<Reservation, 'end' | 'transactionId' | 'position'>,
): readonly Reservation[] {
  const at = reservations.findIndex((each) => each.reservationId === reservationId);
  const before = reservations[at];
  if (before === undefined || !isAfter(ended.position, before.position)) return reservations;
  if (before.end !== null && ended.end !== 'used') return reservations;
  return reservations.with(at, { ...before, ...ended });
}

/** The oldest ended one is removed first, then the oldest. */
function withinLimits(reservations: readonly Reservation[], now: Timestamp): readonly Reservation[] {
  if (reservations.length <= MAX_RESERVATIONS) return reservations;
  const over = reservations.findIndex((each) => reservationState(each, now) !== 'active');
  return reservations.toSpliced(Math.max(over, 0), 1);
}
