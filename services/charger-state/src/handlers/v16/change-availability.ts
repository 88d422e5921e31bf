import { withAvailability } from '../shared/availability';
import type { OutcomeHandler } from './route';

const TYPES = ['Operative', 'Inoperative'] as const;

/** The result of a ChangeAvailability (OCPP 1.6 5.2). */
export const changeAvailabilityOutcome: OutcomeHandler<'ChangeAvailability'> = {
  apply(charger, { payload: { request, status }, receivedAt }, { position }) {
    const isScheduled = status === 'Scheduled';
    const to = TYPES.find((type) => type === request?.type);
    if (request === undefined || to === undefined || (status !== 'Accepted' && !isScheduled)) return { charger };
    const change = { socketId: request.connectorId, to, isScheduled, at: receivedAt, position };
    return { charger: withAvailability(charger, change) };
  },
};
