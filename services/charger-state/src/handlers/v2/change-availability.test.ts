import { handle, RECEIVED_AT } from '../../testing/handler-situation';
import { changeAvailabilityOutcome } from './change-availability';
import type { RequestOf } from './route';

const availabilityAfter = (request: RequestOf<'ChangeAvailability'> | undefined, status: string) => {
  const result = { outcome: 'answered', payload: { status } } as const;
  const outcome = { result, request, response: { status }, status };
  return handle(changeAvailabilityOutcome, outcome).charger.reported.availability;
};
const shown = { at: RECEIVED_AT, position: [1, 5] };
const operationalStatus = 'Inoperative';

describe('the result of a ChangeAvailability', () => {
  it.each([
    ['a connector', { operationalStatus, evse: { id: 1, connectorId: 2 } }, '102'],
    ['the whole charger', { operationalStatus }, '0'],
  ])('130. changes the availability of %s', (_what, request, socketId) => {
    const change = { [socketId]: { inForce: operationalStatus, scheduled: null, ...shown } };
    expect(availabilityAfter(request, 'Accepted')).toEqual(change);
    const scheduled = { [socketId]: { inForce: null, scheduled: operationalStatus, ...shown } };
    expect(availabilityAfter(request, 'Scheduled')).toEqual(scheduled);
  });

  it.each([
    ['a rejected request', { operationalStatus }, 'Rejected'],
    ['a whole EVSE', { operationalStatus, evse: { id: 1 } }, 'Accepted'],
    ['a request that does not fit its schema', undefined, 'Accepted'],
  ])('changes nothing for %s', (_what, request, status) => {
    expect(availabilityAfter(request, status)).toBeUndefined();
  });
});
