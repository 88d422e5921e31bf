import { reservationState, type Reservation } from './reservation';

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
