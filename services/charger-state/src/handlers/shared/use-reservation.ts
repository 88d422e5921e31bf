import type { Charger } from '@busbar/domain/chargers';
import { withReservationEnded } from '@busbar/domain/device-state';
import type { Session } from '@busbar/domain/sessions';
import type { HandlerContext } from '../../pipeline/contract';
import { changeDeviceState } from './device-state';

/** A session that uses a reservation ends it (OCPP 1.6 5.13; OCPP 2.0.1 H03). `needs.deviceStates` must have named the charger. */
export function useReservation(
  charger: Charger,
  reservationId: number | undefined,
  { transactionId }: Session,
  context: HandlerContext,
): void {
  if (reservationId === undefined) return;
  const used = { end: 'used' as const, transactionId, position: context.position };
  changeDeviceState(charger, context, ({ reservations }) => ({
    reservations: withReservationEnded(reservations, reservationId, used),
  }));
}
