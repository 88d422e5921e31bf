import { socketIdOf } from '@busbar/ocpp';
import { endReservation, storeReservation } from '../shared/reservations';
import { storeEvent } from '../shared/store-event';
import type { CallHandler, OutcomeHandler } from './route';

/** The result of a ReserveNow (OCPP 2.0.1, H01). An EVSE is its first connector; none is any. */
export const reserveNowOutcome: OutcomeHandler<'ReserveNow'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    const { request, status } = report.payload;
    if (request === undefined || status !== 'Accepted') return { charger };
    const { id, idToken, groupIdToken, evseId, expiryDateTime } = request;
    storeReservation(charger, report, context, {
      reservationId: id,
      idTag: idToken.idToken,
      parentIdTag: groupIdToken?.idToken ?? null,
      socketId: evseId === undefined ? null : (socketIdOf({ evseId, connectorId: 1 }) ?? null),
      expiryDate: expiryDateTime,
    });
    return { charger };
  },
};

/** The result of a CancelReservation (OCPP 2.0.1, H02). */
export const cancelReservationOutcome: OutcomeHandler<'CancelReservation'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, { payload: { request, status } }, context) {
    if (request !== undefined && status === 'Accepted') {
      endReservation(charger, context, request.reservationId, 'cancelled');
    }
    return { charger };
  },
};

/** OCPP 2.0.1, H04: the charger ended a reservation. It expires by the charger's clock where that is ahead of the service's. */
export const reservationStatusUpdate: CallHandler<'ReservationStatusUpdate'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    storeEvent(charger, report, context);
    const { reservationId, reservationUpdateStatus } = report.payload;
    endReservation(charger, context, reservationId, reservationUpdateStatus === 'Expired' ? 'expired' : 'cancelled');
    return { charger };
  },
};
