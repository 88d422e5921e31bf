import { newCharger } from '../testing/charger';
import type { SocketAvailability } from './charger';
import type { ChargingState, ReportedStatus } from './reported-status';
import { chargerState, ongoingTransactions, ownStateOf, readTally, socketTally, viewSockets } from './charger-view';

const AT = '2026-01-01T00:00:00.000Z';

function inState(state: ChargingState): ReportedStatus {
  return { state, errorCode: '', info: '', vendorErrorCode: '', at: AT, position: [1, 1] };
}

function sockets(...states: readonly ChargingState[]): Record<string, ReportedStatus> {
  return Object.fromEntries(states.map((state, i) => [String(i + 1), inState(state)]));
}

describe('the sockets of a charger', () => {
  it('are those of its registration and its reports, each once and by number', () => {
    const shown = viewSockets(
      newCharger({
        registered: { sockets: [{ id: 11, name: 'Left' }, { id: 2 }] },
        connection: { active: true },
        reported: { sockets: { '10': inState('Charging'), '2': inState('Preparing') } },
      }),
    );
    expect(shown).toMatchObject([
      { id: 2, registered: { id: 2 }, state: 'Preparing' },
      { id: 10, registered: undefined, reported: inState('Charging'), state: 'Charging' },
      { id: 11, registered: { name: 'Left' }, reported: undefined, state: 'Offline' },
    ]);
  });

  it('are Offline without a connection, and keep their last report', () => {
    const [shown] = viewSockets(newCharger({ reported: { sockets: sockets('Charging') } }));
    expect(shown).toMatchObject({ state: 'Offline', reported: { state: 'Charging' } });
  });

  const own: SocketAvailability = { inForce: 'Operative', scheduled: null, at: AT, position: [1, 2] };
  const whole: SocketAvailability = { ...own, inForce: 'Inoperative' };
  it.each<[string, Record<string, SocketAvailability>, SocketAvailability | undefined]>([
    ['its own', { '0': whole, '1': own }, own],
    ['that of the whole charger where it has none of its own', { '0': whole, '2': own }, whole],
    ['none where only another socket has one', { '2': own }, undefined],
  ])('have as availability %s', (_title, availability, expected) => {
    const [shown] = viewSockets(newCharger({ reported: { sockets: sockets('Available'), availability } }));
    expect(shown?.availability).toEqual(expected);
  });
});

describe('the ongoing sessions of a charger', () => {
  it('are by socket, without those that were refused', () => {
    const at = (socketId: number, refused?: boolean) => ({
      socketId,
      transactionId: socketId,
      sessionId: `s${String(socketId)}`,
      idTag: 'Tag',
      startTime: AT,
      position: [1, 1] as const,
      ...(refused === undefined ? {} : { refused }),
    });
    const ongoing = { a: at(3), b: at(2, true), c: at(1, false) };
    expect(ongoingTransactions(newCharger({ reported: { ongoing } })).map(({ socketId }) => socketId)).toEqual([1, 3]);
  });
});

it.each([
  [true, 'Charging'],
  [false, 'Offline'],
])('shows a charger in its own state only while it is connected: %s', (active, state) => {
  expect(chargerState(newCharger({ connection: { active }, reported: { ownState: 'Charging' } }))).toBe(state);
});

describe("a charger's own state", () => {
  it.each<[string, ChargingState | null, ChargingState[], ChargingState]>([
    ['is Booting before its first report', null, [], 'Booting'],
    ['is its own report where that is not Available', 'Error', ['Charging'], 'Error'],
    ['is Available without sockets', 'Available', [], 'Available'],
    ["is its sockets' where it reports itself Available", 'Available', ['Charging'], 'Charging'],
    ["is its sockets' where it reports nothing of itself", null, ['Available', 'Error'], 'Error'],
    ['prefers a session to a session that pauses', null, ['SuspendedCAR', 'Charging'], 'Charging'],
    ["prefers the car's pause to its own", null, ['SuspendedCHARGER', 'SuspendedCAR'], 'SuspendedCAR'],
    ['prefers a paused session to its preparation', null, ['Preparing', 'SuspendedCHARGER'], 'SuspendedCHARGER'],
    ['prefers a preparation to an end', null, ['Finishing', 'Preparing'], 'Preparing'],
    ['prefers an end to a reservation', null, ['Reserved', 'Finishing'], 'Finishing'],
    ['prefers a driver to a fault', null, ['Error', 'Reserved'], 'Reserved'],
    ['prefers a fault to a socket that is out of service', null, ['Unavailable', 'Error'], 'Error'],
    ['prefers a socket that is out of service to an available one', null, ['Available', 'Unavailable'], 'Unavailable'],
  ])('%s', (_title, own, states, expected) => {
    const status = own === null ? null : inState(own);
    expect(ownStateOf({ status, sockets: sockets(...states) })).toBe(expected);
  });
});

describe('the tally of sockets', () => {
  it.each<[string, readonly number[], ChargingState[], string]>([
    ['is empty without sockets', [], [], ''],
    [
      'counts the sockets in each state, in one order',
      [],
      ['Charging', 'Available', 'Charging'],
      'Available*1,Charging*2',
    ],
    ['counts registered sockets without a report as Offline', [1, 2, 3], ['Available'], 'Available*1,Offline*2'],
  ])('%s', (_title, registered, states, tally) => {
    const charger = newCharger({
      registered: { sockets: registered.map((id) => ({ id })) },
      reported: { sockets: sockets(...states) },
    });
    expect(socketTally(charger)).toBe(tally);
  });

  it.each<[string, ReturnType<typeof readTally>]>([
    ['', []],
    [
      'Available*1,Charging*12',
      [
        ['Available', 1],
        ['Charging', 12],
      ],
    ],
    ['Dreaming*3,Error*1', [['Error', 1]]],
  ])('is read from %j, without unknown states', (text, counts) => {
    expect(readTally(text)).toEqual(counts);
  });
});
