import type { CallOutcome } from '@busbar/contracts';
import { withReservation, withReservationEnded } from '@busbar/domain/device-state';
import { parseTimestamp } from '@busbar/ocpp';
import type { Handler } from '../handler';
import { changeDeviceState } from '../shared/device-state';
import { exchangeOf } from './exchange';

/** How our ReserveNow ended (OCPP 1.6 5.13). */
export const reserveNowOutcome: Handler<CallOutcome> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    const exchange = exchangeOf('ReserveNow', report);
    if (exchange?.status !== 'Accepted') return { charger };
    const { reservationId, connectorId, idTag, parentIdTag = null, expiryDate } = exchange.request;
    const reservation = {
      ...{ reservationId, idTag, parentIdTag },
      // Connector 0 reserves any one of the sockets.
      socketId: connectorId === 0 ? null : connectorId,
      expiryDate: parseTimestamp(expiryDate)?.date.toISOString() ?? report.receivedAt,
      ...{ end: null, transactionId: null },
      ...{ commandId: report.commandId ?? null, reservedAt: report.receivedAt, position: context.position },
    };
    changeDeviceState(charger, context, ({ reservations }) => ({
      reservations: withReservation(reservations, reservation),
    }));
    return { charger };
  },
};

/** How our CancelReservation ended (OCPP 1.6 5.2). */
export const cancelReservationOutcome: Handler<CallOutcome> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    const exchange = exchangeOf('CancelReservation', report);
    if (exchange?.status !== 'Accepted') return { charger };
    const ended = { end: 'cancelled' as const, transactionId: null, position: context.position };
    changeDeviceState(charger, context, ({ reservations }) => ({
      reservations: withReservationEnded(reservations, exchange.request.reservationId, ended),
    }));
    return { charger };
  },
};
