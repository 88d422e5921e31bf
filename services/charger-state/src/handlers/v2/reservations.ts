import { socketIdOf } from '@busbar/ocpp';
import { cancelReservation, storeReservation } from '../shared/reservations';
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
    if (request !== undefined && status === 'Accepted') cancelReservation(charger, context, request.reservationId);
    return { charger };
  },
};

/** OCPP 2.0.1, H04: the charger ended a reservation. One that expired says so by its own time too. */
export const reservationStatusUpdate: CallHandler<'ReservationStatusUpdate'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    storeEvent(charger, report, context);
    const { reservationId, reservationUpdateStatus } = report.payload;
    if (reservationUpdateStatus !== 'Expired') cancelReservation(charger, context, reservationId);
    return { charger };
  },
};
