import { createChargerState, type ChargerState, type Reservation } from './charger-state';
import { activeReservations, cancelReservation, isReserved, reserve, startIssue } from './reservations';

const NOW = new Date('2026-01-01T00:00:00Z');
const LATER = new Date('2026-01-01T01:00:00Z');

function reservation(over: Partial<Reservation> = {}): Reservation {
  return { reservationId: 1, connectorId: 1, idTag: 'TAG-1', expiresAt: LATER, ...over };
}

function charger(change: (state: ChargerState) => void = () => undefined): ChargerState {
  const state = createChargerState(2, NOW);
  change(state);
  return state;
}

const busy = (state: ChargerState): void => void (state.sockets[0]!.phase = 'charging');

it.each<[string, ChargerState, Partial<Reservation>, string]>([
  ['a free socket', charger(), {}, 'Accepted'],
  ['any socket', charger(), { connectorId: 0 }, 'Accepted'],
  ['an unknown socket', charger(), { connectorId: 3 }, 'Rejected'],
  ['a time that has passed', charger(), { expiresAt: NOW }, 'Rejected'],
  ['a socket with a session', charger(busy), {}, 'Occupied'],
  ['any socket while one has a session', charger(busy), { connectorId: 0 }, 'Accepted'],
  ['an inoperative socket', charger((state) => (state.sockets[0]!.isOperative = false)), {}, 'Unavailable'],
  ['an inoperative charger', charger((state) => (state.isOperative = false)), { connectorId: 0 }, 'Unavailable'],
  [
    'a faulted socket',
    charger((state) => (state.sockets[0]!.override = { status: 'Faulted', errorCode: 'GroundFailure' })),
    {},
    'Faulted',
  ],
  ['a reserved socket', charger((state) => reserve(state, reservation({ reservationId: 9 }), NOW)), {}, 'Occupied'],
  [
    'the same reservation again',
    charger((state) => reserve(state, reservation(), NOW)),
    { connectorId: 2 },
    'Accepted',
  ],
])('a reservation of %s', (_title, state, over, answer) => {
  expect(reserve(state, reservation(over), NOW)).toBe(answer);
});

it('refuses a start with another tag until the reservation expires or is cancelled', () => {
  const state = charger();
  reserve(state, reservation({ parentIdTag: 'FAMILY' }), NOW);
  expect(startIssue(state, 1, { idTag: 'TAG-2' }, NOW)).toBe('socket 1 is reserved for another tag');
  expect(startIssue(state, 1, { idTag: 'tag-1' }, NOW)).toBeUndefined();
  expect(startIssue(state, 1, { idTag: 'TAG-2', parentIdTag: 'Family' }, NOW)).toBeUndefined();
  expect(startIssue(state, 2, { idTag: 'TAG-2' }, NOW)).toBeUndefined();
  expect(startIssue(state, 1, { idTag: 'TAG-2' }, LATER)).toBeUndefined();
  expect(cancelReservation(state, 1, NOW)).toBe(true);
  expect(cancelReservation(state, 1, NOW)).toBe(false);
  expect(startIssue(state, 1, { idTag: 'TAG-2' }, NOW)).toBeUndefined();
});

it('keeps the last free socket for a reservation of any', () => {
  const state = charger();
  reserve(state, reservation({ connectorId: 0 }), NOW);
  expect(state.sockets.map((socket) => isReserved(state, socket, NOW))).toEqual([false, false]);
  busy(state);
  expect(isReserved(state, state.sockets[1]!, NOW)).toBe(true);
  expect(startIssue(state, 2, { idTag: 'TAG-2' }, NOW)).toBe('socket 2 is reserved for another tag');
  expect(startIssue(state, 2, { idTag: 'TAG-1' }, NOW)).toBeUndefined();
});

it.each([
  ['an unknown socket', 3, () => undefined, 'there is no socket 3'],
  ['a socket with a session', 1, busy, 'socket 1 has a session'],
  [
    'an inoperative socket',
    1,
    (state: ChargerState) => (state.sockets[0]!.isOperative = false),
    'socket 1 is unavailable',
  ],
])('refuses a start at %s', (_title, socket, change, issue) => {
  expect(startIssue(charger(change), socket, { idTag: 'TAG-1' }, NOW)).toBe(issue);
});

it('ignores an expired reservation', () => {
  const state = charger();
  reserve(state, reservation(), NOW);
  expect(activeReservations(state, LATER)).toEqual([]);
});
