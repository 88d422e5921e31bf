import { reservationState, withReservationEnded, type Reservation } from './reservation';

const NOW = '2026-02-01T00:00:00.000Z';
const BEFORE = '2026-01-31T23:59:59.999Z';
const AFTER = '2026-02-01T00:00:00.001Z';

const reservation: Reservation = {
  reservationId: 1,
  socketId: null,
  idTag: 'Tag',
  parentIdTag: null,
  expiryDate: AFTER,
  end: null,
  transactionId: null,
  commandId: null,
  reservedAt: BEFORE,
  position: [1, 1],
};

it.each<[string, Partial<Reservation>]>([
  ['active', {}],
  ['expired', { expiryDate: NOW }],
  ['cancelled', { end: 'cancelled' }],
  ['used', { end: 'used', transactionId: 7 }],
  ['expired', { end: 'expired' }],
  ['cancelled', { end: 'cancelled', expiryDate: BEFORE }],
  ['used', { end: 'used', expiryDate: BEFORE }],
])('shows a reservation as %s with %j', (state, part) => {
  expect(reservationState({ ...reservation, ...part }, NOW)).toBe(state);
});

it.each<[Reservation['end'], Reservation['end'], Reservation['end']]>([
  ['cancelled', null, 'cancelled'],
  ['expired', null, 'expired'],
  ['used', null, 'used'],
  ['cancelled', 'used', 'used'],
  ['expired', 'used', 'used'],
  ['expired', 'cancelled', 'cancelled'],
  ['used', 'expired', 'used'],
])('reports the end %s of a reservation that ended as %s: it is %s', (end, before, after) => {
  const transactionIdOf = (each: Reservation['end']) => (each === 'used' ? 7 : null);
  const ended = { ...reservation, end: before, transactionId: transactionIdOf(before) };
  const reported = withReservationEnded([ended], 1, { end, transactionId: transactionIdOf(end), position: [2, 1] });
  expect(reported).toMatchObject([{ end: after, transactionId: transactionIdOf(after) }]);
});
