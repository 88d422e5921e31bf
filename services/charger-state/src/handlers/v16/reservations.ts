import { withReservation, withReservationEnded } from '@busbar/domain/device-state';
import { parseTimestamp } from '@busbar/ocpp';
import { changeDeviceState } from '../shared/device-state';
import type { OutcomeHandler } from './route';

/** The result of a ReserveNow (OCPP 1.6 5.13). */
export const reserveNowOutcome: OutcomeHandler<'ReserveNow'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, { commandId = null, payload: { request, status }, receivedAt }, context) {
    if (request === undefined || status !== 'Accepted') return { charger };
    const reservation = {
      reservationId: request.reservationId,
      idTag: request.idTag,
      parentIdTag: request.parentIdTag ?? null,
      // Connector 0 reserves any one of the sockets.
      socketId: request.connectorId === 0 ? null : request.connectorId,
      expiryDate: parseTimestamp(request.expiryDate)?.date.toISOString() ?? receivedAt,
      end: null,
      transactionId: null,
      commandId,
      reservedAt: receivedAt,
      position: context.position,
    };
    changeDeviceState(charger, context, ({ reservations }) => ({
      reservations: withReservation(reservations, reservation),
    }));
    return { charger };
  },
};

/** The result of a CancelReservation (OCPP 1.6 5.2). */
export const cancelReservationOutcome: OutcomeHandler<'CancelReservation'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, { payload: { request, status } }, context) {
    if (request === undefined || status !== 'Accepted') return { charger };
    const ended = { end: 'cancelled' as const, transactionId: null, position: context.position };
    changeDeviceState(charger, context, ({ reservations }) => ({
      reservations: withReservationEnded(reservations, request.reservationId, ended),
    }));
    return { charger };
  },
};
