// The questions about sessions after a reconnect, by a clock that the test advances.
import type { ReportEnvelope } from '@busbar/contracts';
import type { Charger } from '@busbar/domain/chargers';
import type { ChargerCall, LinkOutcome } from '@busbar/domain/commands';
import { newCharger } from '@busbar/domain/testing';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { newReport } from '../../testing/report';
import { createSilentSessions } from './silent-sessions';

const AT = '2026-01-01T00:00:00.000Z';
const TEN_MINUTES_MS = 600_000;
const NOT_LOST: LinkOutcome = {
  outcome: 'answered',
  payload: { ongoingIndicator: true, messagesInQueue: false },
};

const ongoing = (id: string, socketId: number) => ({
  socketId,
  transactionId: socketId,
  sessionId: id,
  idTag: 'TAG',
  startTime: AT,
  position: [1, 1] as const,
  device: { id, chargingState: null, wasEnergized: false },
});
const BOTH = { '1': ongoing('T-1', 1), '2': ongoing('T-2', 2) };

/** A charger with sessions at both EVSEs, whose link responds so. */
function open(answer: LinkOutcome = NOT_LOST, reported: Partial<Charger['reported']> = {}) {
  const clock = createFakeClock();
  const withOrder = (order: number, active = true) =>
    newCharger({
      chargerId: 'c',
      connection: { active, gatewayId: 'g', position: [order, 1] },
      reported: { ongoing: BOTH, ...reported },
    });
  let stored = withOrder(3);
  let loads = 0;
  const asked: ChargerCall[] = [];
  const sessions = createSilentSessions({
    clock,
    logger: createRecordingLogger(),
    commandTimeoutMs: 30_000,
    link: { call: (_to, call) => Promise.resolve((asked.push(call), answer)) },
    reports: { loadChargers: () => Promise.resolve(((loads += 1), [stored])) },
  });
  const follow = (part: Partial<ReportEnvelope>): void => {
    const report = newReport({ chargerId: 'c', receivedAt: AT, ...part });
    sessions.follow([{ report, charger: stored, isNew: true }]);
  };
  return {
    clock,
    stop: () => sessions.stop(),
    loads: () => loads,
    connect: (order = 3) => {
      stored = withOrder(order);
      follow({ kind: 'connected', action: '', order });
    },
    disconnect: () => (stored = withOrder(3, false)),
    report: (action: string, payload: unknown) => follow({ kind: 'report', action, payload }),
    /** The transactions that were asked about, when that number was. */
    async asked(count: number) {
      await eventually(() => asked.length >= count);
      // Nothing more follows.
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return asked.map(({ action, payload }) => [action, payload['transactionId']]);
    },
  };
}

it('146. asks after ten minutes about the sessions of which nothing was reported since a reconnect', async () => {
  const world = open();
  world.connect();
  world.clock.advance(TEN_MINUTES_MS - 1);
  expect(await world.asked(0)).toEqual([]);
  world.clock.advance(1);
  expect(await world.asked(2)).toEqual([
    ['GetTransactionStatus', 'T-1'],
    ['GetTransactionStatus', 'T-2'],
  ]);
});

it.each<[string, string, object]>([
  ['an event', 'TransactionEvent', { transactionInfo: { transactionId: 'T-1' } }],
  ['meter values of its EVSE', 'MeterValues', { evseId: 1 }],
])('146. asks about no session of which %s came', async (_title, action, payload) => {
  const world = open();
  world.connect();
  world.report(action, payload);
  world.clock.advance(TEN_MINUTES_MS);
  expect(await world.asked(1)).toEqual([['GetTransactionStatus', 'T-2']]);
});

it('146. counts the ten minutes from the last reconnect, however often its connection is reported', async () => {
  const world = open();
  world.connect();
  world.clock.advance(TEN_MINUTES_MS - 1);
  world.connect(4);
  world.clock.advance(TEN_MINUTES_MS - 1);
  expect(await world.asked(0)).toEqual([]);
  world.connect(4);
  world.clock.advance(1);
  expect(await world.asked(2)).toHaveLength(2);
});

it.each<[string, (world: ReturnType<typeof open>) => void]>([
  ['is disconnected by then', ({ disconnect }) => disconnect()],
  ['is of a stopped replica', ({ stop }) => stop()],
])('146. asks nothing of a charger that %s', async (_title, change) => {
  const world = open();
  world.connect();
  change(world);
  world.clock.advance(TEN_MINUTES_MS);
  expect(await world.asked(0)).toEqual([]);
});

it('146. asks a charger that is silent about one session alone', async () => {
  const world = open({ outcome: 'timeout' });
  world.connect();
  world.clock.advance(TEN_MINUTES_MS);
  expect(await world.asked(1)).toHaveLength(1);
});

it('146. does not read the record of a charger without sessions', async () => {
  const world = open(NOT_LOST, { ongoing: {} });
  world.connect();
  world.clock.advance(TEN_MINUTES_MS);
  expect(await world.asked(0)).toEqual([]);
  expect(world.loads()).toBe(0);
});
