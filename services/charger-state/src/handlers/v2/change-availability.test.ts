import type { Charger } from '@busbar/domain/chargers';
import { handle, RECEIVED_AT } from '../../testing/handler-situation';
import { changeAvailabilityOutcome } from './change-availability';
import type { RequestOf } from './route';

type Sockets = Charger['reported']['sockets'];

const availabilityAfter = (
  request: RequestOf<'ChangeAvailability'> | undefined,
  status: string,
  sockets: Sockets = {},
) => {
  const result = { outcome: 'answered', payload: { status } } as const;
  const outcome = { result, request, response: { status }, status };
  return handle(changeAvailabilityOutcome, outcome, { reported: { sockets } }).charger.reported.availability;
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
    ['an EVSE that has no socket', { operationalStatus, evse: { id: 100 } }, 'Accepted'],
    ['a request that does not fit its schema', undefined, 'Accepted'],
  ])('changes nothing for %s', (_what, request, status) => {
    expect(availabilityAfter(request, status)).toBeUndefined();
  });

  // The source is TC_G_03 to TC_G_17 of OCPP 2.0.1 Part 6, not a requirement of Part 2.
  it('129. changes the availability of all connectors of an EVSE', () => {
    const socket = { state: 'Available', errorCode: '', info: '', vendorErrorCode: '', at: RECEIVED_AT } as const;
    const reported = { ...socket, position: [1, 2] as const };
    const change = { inForce: operationalStatus, scheduled: null, ...shown };
    const request = { operationalStatus, evse: { id: 1 } } as const;
    const sockets = { '1': reported, '2': reported, '102': reported };
    expect(availabilityAfter(request, 'Accepted', sockets)).toEqual({ '1': change, '102': change });
    expect(availabilityAfter(request, 'Accepted')).toEqual({ '1': change });
  });
});
