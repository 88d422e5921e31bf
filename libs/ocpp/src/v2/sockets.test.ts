import { isSameEvse, MAX_SOCKET_ID, placeOfSocket, socketIdOf } from './sockets';

it.each([
  [1, 1, 1],
  [1, 2, 102],
  [1, 3, 103],
  [2, 1, 2],
  [2, 2, 202],
  [99, 1, 99],
  [99, 99, 9_999],
])('132. shows EVSE %i, connector %i as socket %i, and back', (evseId, connectorId, socketId) => {
  expect(socketIdOf({ evseId, connectorId })).toBe(socketId);
  expect(placeOfSocket(socketId)).toEqual({ evseId, connectorId });
});

it('132. gives each place a number of its own', () => {
  const ids = Array.from({ length: 99 }, (_, n) => n + 1);
  const sockets = ids.flatMap((evseId) => ids.map((connectorId) => socketIdOf({ evseId, connectorId })));
  expect(new Set(sockets).size).toBe(99 * 99);
  expect(Math.max(...sockets.map(Number))).toBe(MAX_SOCKET_ID);
});

it.each([
  [0, 1],
  [1, 0],
  [100, 1],
  [1, 100],
  [1.5, 1],
])('132. has no socket for EVSE %d, connector %d', (evseId, connectorId) => {
  expect(socketIdOf({ evseId, connectorId })).toBeUndefined();
});

it.each([0, -1, 100, 101, 200, 201, 9_901, 10_002, 1.5, Number.NaN])(
  '132. has no connector for socket %d',
  (socketId) => {
    expect(placeOfSocket(socketId)).toBeUndefined();
  },
);

it.each([
  [1, 102, true],
  [102, 1, true],
  [2, 2, true],
  [1, 2, false],
  [0, 0, false],
  [0, 1, false],
  [101, 101, false],
])('132. has sockets %d and %d at one EVSE: %s', (socketId, other, expected) => {
  expect(isSameEvse(socketId, other)).toBe(expected);
});
