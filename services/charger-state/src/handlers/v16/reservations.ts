import { endReservation, storeReservation } from '../shared/reservations';
import type { OutcomeHandler } from './route';

/** The result of a ReserveNow (OCPP 1.6 5.13). */
export const reserveNowOutcome: OutcomeHandler<'ReserveNow'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    const { request, status } = report.payload;
    if (request === undefined || status !== 'Accepted') return { charger };
    storeReservation(charger, report, context, {
      reservationId: request.reservationId,
      idTag: request.idTag,
      parentIdTag: request.parentIdTag ?? null,
      // Connector 0 reserves any one of the sockets.
      socketId: request.connectorId === 0 ? null : request.connectorId,
      expiryDate: request.expiryDate,
    });
    return { charger };
  },
};

/** The result of a CancelReservation (OCPP 1.6 5.2). */
export const cancelReservationOutcome: OutcomeHandler<'CancelReservation'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, { payload: { request, status } }, context) {
    if (request !== undefined && status === 'Accepted') {
      endReservation(charger, context, request.reservationId, 'cancelled');
    }
    return { charger };
  },
};
