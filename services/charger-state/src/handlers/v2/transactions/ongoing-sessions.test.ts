import { secondsBefore } from '../../../testing/handler-situation';
import { createStored, ENDED, event, EVSE, sendAll, STARTED, TOKEN } from '../../../testing/stored-transactions';

const OTHER = { transactionInfo: { transactionId: 'T-2' }, evse: EVSE };
it.each([
  ['that is later', event('Started', 0, { ...OTHER, timestamp: secondsBefore(60) }), ['superseded', 'ongoing'], 78],
  [
    'that is offline',
    event('Started', 0, { ...OTHER, timestamp: secondsBefore(60), offline: true }),
    ['ongoing', 'ongoing'],
    77,
  ],
  ['that is older', event('Started', 0, { ...OTHER, timestamp: secondsBefore(900) }), ['ongoing', 'superseded'], 77],
  ['at the same time', event('Started', 0, { ...OTHER, timestamp: STARTED.timestamp }), ['superseded', 'ongoing'], 78],
  [
    'at another connector of the EVSE',
    event('Started', 0, { ...OTHER, timestamp: secondsBefore(60), evse: { id: 1, connectorId: 2 } }),
    ['superseded', 'ongoing'],
    78,
  ],
  [
    'at another EVSE',
    event('Started', 0, { ...OTHER, timestamp: secondsBefore(60), evse: { id: 2, connectorId: 1 } }),
    ['ongoing', 'ongoing'],
    77,
  ],
])('145. shows one transaction at an EVSE after a Started %s', (_title, other, states, ongoing) => {
  const stored = sendAll([STARTED, other]);
  expect(stored.sessions().map(({ state }) => state)).toEqual(states);
  expect(Object.values(stored.reported().ongoing ?? {})[0]).toMatchObject({ transactionId: ongoing });
});

it('145. announces a session that was superseded before its first event came, and its late end', () => {
  const later = event('Started', 0, { ...OTHER, timestamp: secondsBefore(60) });
  const stored = sendAll([later]);
  const types = stored.send(STARTED).emitted.filter(({ type }) => type.startsWith('session.'));
  expect(types).toMatchObject([
    { type: 'session.started', data: { transactionId: 78 } },
    { type: 'session.ended', data: { transactionId: 78, superseded: true } },
  ]);
  const ended = stored.send(ENDED).emitted.find(({ type }) => type === 'session.ended');
  expect(ended?.data).toMatchObject({ transactionId: 78, superseded: false, endTime: secondsBefore(420) });
});

it('145. gives the same states in both orders of two starts, one of them offline', () => {
  const offline = event('Started', 0, { ...OTHER, timestamp: secondsBefore(60), offline: true });
  const stored = sendAll([offline, STARTED]);
  expect(stored.sessions().map(({ state }) => state)).toEqual(['ongoing', 'ongoing']);
});

it('145. shows a session that began offline once the one before it has ended', () => {
  const offline = event('Started', 0, { ...OTHER, timestamp: secondsBefore(60), offline: true });
  const updated = event('Updated', 1, { transactionInfo: { transactionId: 'T-2' }, timestamp: secondsBefore(30) });
  const stored = sendAll([STARTED, offline, ENDED, updated]);
  expect(stored.reported().ongoing?.['1']).toMatchObject({ transactionId: 78 });
});

it('145. gives the place of a refused transaction to the next one', () => {
  const stored = createStored();
  stored.send({ ...STARTED, idToken: { idToken: 'UNKNOWN', type: 'Central' } });
  const { emitted } = stored.send(event('Started', 0, { ...OTHER, idToken: TOKEN, timestamp: secondsBefore(60) }));
  expect(stored.sessions().map(({ state }) => state)).toEqual(['refused', 'ongoing']);
  expect(stored.reported().ongoing?.['1']).toMatchObject({ transactionId: 78 });
  expect(emitted.map(({ type }) => type)).not.toContain('session.ended');
});

it('145. accepts the token of the session that a start at the other connector of the EVSE supersedes', () => {
  const evse = { id: 1, connectorId: 2 };
  const stored = sendAll([{ ...STARTED, evse }]);
  const later = event('Started', 0, { ...OTHER, idToken: TOKEN, timestamp: secondsBefore(60) });
  expect(stored.send(later).answer).toEqual({ idTokenInfo: { status: 'Accepted' } });
  expect(stored.sessions().map(({ state }) => state)).toEqual(['superseded', 'ongoing']);
});

it('145. ends a superseded session late, without another', () => {
  const other = event('Started', 0, { ...OTHER, timestamp: secondsBefore(60) });
  const stored = sendAll([STARTED, other, ENDED]);
  expect(stored.sessions().map(({ state }) => state)).toEqual(['ended', 'ongoing']);
  expect(stored.reported().ongoing?.['1']).toMatchObject({ transactionId: 78 });
});

it('145. announces the end of a superseded session', () => {
  const stored = sendAll([STARTED]);
  const { emitted } = stored.send(event('Started', 0, { ...OTHER, timestamp: secondsBefore(60) }));
  const ended = emitted.find(({ type }) => type === 'session.ended');
  expect(ended?.data).toMatchObject({ transactionId: 77, superseded: true, endTime: null });
});

it('145. announces a superseded session whose row was stored without the record', () => {
  const later = event('Started', 0, { ...OTHER, timestamp: secondsBefore(60) });
  const lost = sendAll([STARTED, later]);
  // The process died before the record was stored, and the broker delivers both again.
  const stored = createStored({ sessions: lost.sessions() });
  const first = stored.send(STARTED);
  expect(stored.reported().ongoing?.['1']).toMatchObject({ transactionId: 77 });
  const second = stored.send(later);
  const announced = [first, second].map(({ emitted }) =>
    emitted
      .filter(({ type }) => type.startsWith('session.'))
      .map(({ type, data }) => [type, (data as { readonly transactionId?: number }).transactionId]),
  );
  expect(announced).toEqual([
    [['session.started', 77]],
    [
      ['session.started', 78],
      ['session.ended', 77],
    ],
  ]);
  expect(stored.sessions().map(({ state }) => state)).toEqual(['superseded', 'ongoing']);
  expect(stored.reported()).toMatchObject({ ongoing: lost.reported().ongoing, sockets: lost.reported().sockets });
});
