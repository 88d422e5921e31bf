import type { Reservation } from '@busbar/domain/device-state';
import {
  answered,
  handle,
  RECEIVED_AT,
  secondsBefore,
  unanswered,
  type Situation,
} from '../../testing/handler-situation';
import { cancelReservationOutcome, reserveNowOutcome } from './reservations';

const REQUEST = { reservationId: 1, connectorId: 1, idTag: 'Tag', expiryDate: '2026-06-01T13:00:00Z' };
const RESERVATION: Reservation = {
  reservationId: 1,
  idTag: 'Tag',
  parentIdTag: null,
  socketId: 1,
  expiryDate: '2026-06-01T13:00:00.000Z',
  end: null,
  transactionId: null,
  commandId: null,
  reservedAt: RECEIVED_AT,
  position: [1, 5],
};
const reserve = (fields: object = {}, situation: Situation = {}, status = 'Accepted') =>
  handle(reserveNowOutcome, answered<'ReserveNow'>({ ...REQUEST, ...fields }, { status }), situation);
const cancel = (reservationId: number, situation: Situation, status = 'Accepted') =>
  handle(cancelReservationOutcome, answered<'CancelReservation'>({ reservationId }, { status }), situation);
const having = (...reservations: Partial<Reservation>[]): Situation => ({
  deviceState: { reservations: reservations.map((part) => ({ ...RESERVATION, position: [1, 1], ...part })) },
});

describe('the result of a ReserveNow', () => {
  it.each<[string, object, Situation, Partial<Reservation>]>([
    ['a socket', {}, {}, {}],
    ['any socket, for connector 0', { connectorId: 0 }, {}, { socketId: null }],
    ['with the parent of the tag', { parentIdTag: 'Family' }, {}, { parentIdTag: 'Family' }],
    ['with the command', {}, { report: { commandId: 'command-1' } }, { commandId: 'command-1' }],
    [
      'until a time in another zone',
      { expiryDate: '2026-06-01T15:00:00+02:00' },
      {},
      { expiryDate: '2026-06-01T13:00:00.000Z' },
    ],
    ['until now, for a time that cannot be parsed', { expiryDate: 'soon' }, {}, { expiryDate: RECEIVED_AT }],
  ])('reserves %s', (_, fields, situation, part) => {
    const { deviceState, rows, charger, before } = reserve(fields, situation);
    expect(deviceState.reservations).toEqual([{ ...RESERVATION, ...part }]);
    expect(rows.deviceStates).toMatchObject([{ from: { reservations: [] }, to: deviceState }]);
    expect(charger).toBe(before);
  });

  it('replaces an ended reservation with the same id, and no other', () => {
    const { deviceState } = reserve({ connectorId: 2 }, having({ end: 'cancelled' }, { reservationId: 2 }));
    expect(deviceState.reservations).toMatchObject([
      { reservationId: 2, socketId: 1 },
      { reservationId: 1, socketId: 2, end: null },
    ]);
  });

  it('does not replace a reservation of a later message', () => {
    const later = having({ position: [2, 1], end: 'cancelled' });
    expect(reserve({}, later).deviceState.reservations).toEqual(later.deviceState?.reservations);
  });

  it('removes the oldest ended one above 100, else the oldest', () => {
    const hundred = (ended: number) =>
      having(
        ...Array.from({ length: 100 }, (_, n) => ({
          reservationId: n + 2,
          expiryDate: secondsBefore(n === ended ? 1 : -1),
        })),
      );
    const left = (ended: number) =>
      reserve({}, hundred(ended)).deviceState.reservations.map(({ reservationId }) => reservationId);
    expect(left(50)).toHaveLength(100);
    expect(left(50)).not.toContain(52);
    expect(left(-1)).toHaveLength(100);
    expect(left(-1)).not.toContain(2);
    expect(left(-1)).toContain(1);
  });
});

describe('the result of a CancelReservation', () => {
  it('ends the reservation, and no other', () => {
    const { deviceState } = cancel(1, having({ reservationId: 2 }, {}));
    expect(deviceState.reservations).toMatchObject([
      { reservationId: 2, end: null },
      { reservationId: 1, end: 'cancelled', position: [1, 5] },
    ]);
  });

  it.each<[string, Situation]>([
    ['of an unknown reservation', having({ reservationId: 2 })],
    ['of one that a later message has made', having({ position: [2, 1] })],
  ])('changes no reservation for the id %s', (_, situation) => {
    expect(cancel(1, situation).deviceState.reservations).toEqual(situation.deviceState?.reservations);
  });
});

it.each([
  ['a rejected ReserveNow', reserve({}, {}, 'Occupied')],
  ['a ReserveNow without a response', handle(reserveNowOutcome, unanswered<'ReserveNow'>(REQUEST))],
  ['an invalid ReserveNow', handle(reserveNowOutcome, answered<'ReserveNow'>(undefined, { status: 'Accepted' }))],
  ['a rejected CancelReservation', cancel(1, having({}), 'Rejected')],
  [
    'an invalid CancelReservation',
    handle(cancelReservationOutcome, answered<'CancelReservation'>(undefined, { status: 'Accepted' }), having({})),
  ],
])('stores nothing for %s', (_, { rows, charger, before }) => {
  expect(rows.deviceStates).toEqual([]);
  expect(charger).toBe(before);
});

it('stores nothing for a message that the device state contains', () => {
  const applied = [[1, 5]] as const;
  expect(reserve({}, { deviceState: { applied } }).rows.deviceStates).toEqual([]);
});
