import { isAfter, type Position } from '@busbar/contracts';
import type { Timestamp } from '../timestamp';

export interface Reservation {
  readonly reservationId: number;
  /** Null: any socket of the charger. */
  readonly socketId: number | null;
  readonly idTag: string;
  readonly parentIdTag: string | null;
  readonly expiryDate: Timestamp;
  /** What ended it by the charger's own word; that it has expired is told by the clock alone. */
  readonly end: 'cancelled' | 'used' | null;
  /** Of a used one. */
  readonly transactionId: number | null;
  /** The command that made it. */
  readonly commandId: string | null;
  readonly reservedAt: Timestamp;
  readonly position: Position;
}

export type ReservationState = 'active' | 'cancelled' | 'used' | 'expired';

/** More than any charger keeps; those that are over are kept as long as there is room. */
const MAX_RESERVATIONS = 100;

export function reservationState({ end, expiryDate }: Reservation, now: Timestamp): ReservationState {
  return end ?? (expiryDate <= now ? 'expired' : 'active');
}

/** One with the same id takes its place (OCPP 1.6 5.13); what a later message said of that id stays. */
export function withReservation(
  reservations: readonly Reservation[],
  reservation: Reservation,
): readonly Reservation[] {
  const before = reservations.find(({ reservationId }) => reservationId === reservation.reservationId);
  if (before !== undefined && !isAfter(reservation.position, before.position)) return reservations;
  const others = reservations.filter((each) => each !== before);
  return withinBounds([...others, reservation], reservation.reservedAt);
}

/** The reservation is over; the same list where it is not known or a later message has spoken of it. */
export function withReservationEnded(
  reservations: readonly Reservation[],
  reservationId: number,
  ended: Pick<Reservation, 'end' | 'transactionId' | 'position'>,
): readonly Reservation[] {
  const at = reservations.findIndex((each) => each.reservationId === reservationId);
  const before = reservations[at];
  if (before === undefined || !isAfter(ended.position, before.position)) return reservations;
  return reservations.with(at, { ...before, ...ended });
}

/** The first to go is the oldest that is over, then the oldest. */
function withinBounds(reservations: readonly Reservation[], now: Timestamp): readonly Reservation[] {
  if (reservations.length <= MAX_RESERVATIONS) return reservations;
  const over = reservations.findIndex((each) => reservationState(each, now) !== 'active');
  return reservations.toSpliced(Math.max(over, 0), 1);
}
