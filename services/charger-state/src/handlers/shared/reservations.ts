// Reservations that a charger accepted or ended, in any version.
import type { Charger } from '@busbar/domain/chargers';
import { withReservation, withReservationEnded, type Reservation } from '@busbar/domain/device-state';
import { parseTimestamp } from '@busbar/ocpp';
import type { HandlerContext, Report } from '../../pipeline/contract';
import { changeDeviceState } from './device-state';

/** `needs.deviceStates` must have named the charger. */
export function storeReservation(
  charger: Charger,
  { commandId = null, receivedAt }: Pick<Report<unknown>, 'receivedAt'> & { readonly commandId?: string | null },
  context: HandlerContext,
  made: Pick<Reservation, 'reservationId' | 'idTag' | 'parentIdTag' | 'socketId' | 'expiryDate'>,
): void {
  const reservation: Reservation = {
    ...made,
    expiryDate: parseTimestamp(made.expiryDate)?.date.toISOString() ?? receivedAt,
    end: null,
    transactionId: null,
    commandId,
    reservedAt: receivedAt,
    position: context.position,
  };
  changeDeviceState(charger, context, ({ reservations }) => ({
    reservations: withReservation(reservations, reservation),
  }));
}

/** `needs.deviceStates` must have named the charger. */
export function endReservation(
  charger: Charger,
  context: HandlerContext,
  reservationId: number,
  end: 'cancelled' | 'expired',
): void {
  const ended = { end, transactionId: null, position: context.position };
  changeDeviceState(charger, context, ({ reservations }) => ({
    reservations: withReservationEnded(reservations, reservationId, ended),
  }));
}
