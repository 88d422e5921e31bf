import { socketIdOf } from '@busbar/ocpp';
import { withAvailability } from '../shared/availability';
import type { OutcomeHandler, RequestOf } from './route';

const TYPES = ['Operative', 'Inoperative'] as const;

/** The result of a ChangeAvailability (OCPP 2.0.1, G03 and G04). Without an EVSE it is for the whole charger. */
export const changeAvailabilityOutcome: OutcomeHandler<'ChangeAvailability'> = {
  apply(charger, { payload: { request, status }, receivedAt }, { position }) {
    const isScheduled = status === 'Scheduled';
    const to = TYPES.find((type) => type === request?.operationalStatus);
    const socketId = request && socketOf(request);
    if (to === undefined || socketId === undefined || (status !== 'Accepted' && !isScheduled)) return { charger };
    return { charger: withAvailability(charger, { socketId, to, isScheduled, at: receivedAt, position }) };
  },
};

/** Undefined for a whole EVSE, which is no socket. */
function socketOf({ evse }: RequestOf<'ChangeAvailability'>): number | undefined {
  if (evse === undefined) return 0;
  return evse.connectorId === undefined ? undefined : socketIdOf({ evseId: evse.id, connectorId: evse.connectorId });
}
