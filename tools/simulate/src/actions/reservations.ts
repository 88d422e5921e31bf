// ReserveNow and CancelReservation.
import { cancelReservation, reserve } from '../charger/reservations';
import type { ActionHandlers } from './action-handler';

/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const reservationActions: ActionHandlers = {
  /** OCPP 1.6, 5.13. */
  ReserveNow({ state, clock, reportStatuses }, { expiryDate, ...request }) {
    const expiresAt = new Date(expiryDate);
    const status = reserve(state, { ...request, expiresAt }, clock.now());
    const then = (): void => {
      const leftMs = expiresAt.getTime() - clock.now().getTime();
      if (leftMs <= MAX_TIMER_MS) clock.after(leftMs, () => reportStatuses());
      reportStatuses();
    };
    return { answer: { status }, then: status === 'Accepted' ? then : undefined };
  },

  /** 5.1. */
  CancelReservation({ state, clock, reportStatuses }, { reservationId }) {
    const status = cancelReservation(state, reservationId, clock.now()) ? 'Accepted' : 'Rejected';
    return { answer: { status }, then: () => reportStatuses() };
  },
};
