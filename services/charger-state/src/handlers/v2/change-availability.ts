import type { Charger } from '@busbar/domain/chargers';
import { isSameEvse, socketIdOf } from '@busbar/ocpp';
import { withAvailability } from '../shared/availability';
import type { OutcomeHandler, RequestOf } from './route';

const TYPES = ['Operative', 'Inoperative'] as const;

/**
 * The result of a ChangeAvailability (OCPP 2.0.1, G03 and G04). Without an EVSE it is for the whole charger, and without a connector for
 * all known ones of its EVSE.
 */
export const changeAvailabilityOutcome: OutcomeHandler<'ChangeAvailability'> = {
  apply(charger, { payload: { request, status }, receivedAt }, { position }) {
    const isScheduled = status === 'Scheduled';
    const to = TYPES.find((type) => type === request?.operationalStatus);
    if (request === undefined || to === undefined || (status !== 'Accepted' && !isScheduled)) return { charger };
    const change = { to, isScheduled, at: receivedAt, position };
    return {
      charger: socketsOf(charger, request).reduce(
        (current, socketId) => withAvailability(current, { socketId, ...change }),
        charger,
      ),
    };
  },
};

function socketsOf({ reported }: Charger, { evse }: RequestOf<'ChangeAvailability'>): readonly number[] {
  if (evse === undefined) return [0];
  const named = socketIdOf({ evseId: evse.id, connectorId: evse.connectorId ?? 1 });
  if (named === undefined) return [];
  if (evse.connectorId !== undefined) return [named];
  const known = Object.keys(reported.sockets).map(Number);
  // Each EVSE has a first connector.
  return [named, ...known.filter((socketId) => socketId !== named && isSameEvse(socketId, named))];
}
