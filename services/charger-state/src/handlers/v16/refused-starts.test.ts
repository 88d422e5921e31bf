// A start with a refused tag (rules 53 and 61): its representation, and its effect on statistics.
import { ongoingTransactions, type Charger } from '@busbar/domain/chargers';
import { type NetworkStatistics } from '@busbar/domain/history';
import { openWorld, type ChargerStateWorld, type FakeConnection } from '../../testing/open-world';

let world: ChargerStateWorld;
let charger: Charger;
let connection: FakeConnection;

beforeEach(async () => {
  // Statistics cover the whole client.
  world = await openWorld();
  charger = await world.register();
  connection = await world.connect(charger);
});
afterEach(() => world.close());

type Fields = Readonly<Record<string, unknown>>;
const at = (secondsAgo: number): string => new Date(Date.now() - secondsAgo * 1000).toISOString();
const start = (over: Fields = {}) =>
  connection.ask('StartTransaction', { connectorId: 1, idTag: 'Nobody', meterStart: 5, timestamp: at(1), ...over });
const stop = (transactionId: unknown, over: Fields = {}) =>
  connection.ask('StopTransaction', { transactionId, meterStop: 5, timestamp: at(0), ...over });
const meter = (transactionId: unknown) =>
  connection.report('MeterValues', { connectorId: 1, transactionId, meterValue: [] });
const statistics = (): Promise<NetworkStatistics> => world.platform.records.statistics.read(world.clientId, new Date());
const listed = async () => ongoingTransactions(await world.read(charger)).map(({ transactionId }) => transactionId);
const NONE = { sessionsInProgress: 0, sessionsToday: 0, energyTodayWh: 0 };

it('53. leaves a refused start out of ongoing sessions and statistics', async () => {
  const { transactionId } = await start();
  const refused = { transactionId, state: 'refused', verdict: 'unknown', authorizedBy: 'own', endTime: null };
  expect(await world.sessions(charger)).toMatchObject([refused]);
  expect(await listed()).toEqual([]);
  expect(await statistics()).toMatchObject(NONE);
});

it.each([
  ['has counted nothing', { meterStop: 5, reason: 'Local' }],
  ['has the reason DeAuthorized', { meterStop: 8, reason: 'DeAuthorized' }],
])('53. ends a refused start, and leaves it refused, when its stop %s', async (_, over) => {
  const { transactionId } = await start();
  await stop(transactionId, over);
  await stop(transactionId, { meterStop: 9_000 });
  const [session] = await world.sessions(charger);
  expect(session).toMatchObject({ state: 'refused', meterStop: over.meterStop });
  expect(session?.endTime).not.toBeNull();
  expect((await world.read(charger)).reported.ongoing).toEqual({});
  expect(await statistics()).toMatchObject(NONE);
  // Late values change nothing.
  await meter(transactionId);
  expect(await world.sessions(charger)).toMatchObject([{ state: 'refused' }]);
});

it('53. leaves a refused start refused when another follows at its socket, also after late values', async () => {
  const first = await start();
  const second = await start({ meterStart: 6 });
  await meter(first['transactionId']);
  const states = (await world.sessions(charger)).map(({ transactionId, state }) => [transactionId, state]);
  expect(states.sort()).toEqual([
    [first['transactionId'], 'refused'],
    [second['transactionId'], 'refused'],
  ]);
});

it.each([
  ['sends values of it', meter],
  [
    'reports Charging',
    () => connection.report('StatusNotification', { connectorId: 1, status: 'Charging', errorCode: 'NoError' }),
  ],
])('61. makes a refused start ongoing, and counts it, when its charger %s', async (_, charge) => {
  const { transactionId } = await start();
  await charge(transactionId);
  expect(await world.sessions(charger)).toMatchObject([{ state: 'ongoing', verdict: 'unknown' }]);
  expect(await listed()).toEqual([transactionId]);
  expect(await statistics()).toMatchObject({ sessionsInProgress: 1, sessionsToday: 1 });
  await stop(transactionId, { meterStop: 105, reason: 'DeAuthorized' });
  expect(await world.sessions(charger)).toMatchObject([{ state: 'ended', verdict: 'unknown', consumptionWh: 100 }]);
  expect(await statistics()).toMatchObject({ sessionsInProgress: 0, sessionsToday: 1, energyTodayWh: 100 });
});

it('58. ends a refused start by a stop that reports energy', async () => {
  const { transactionId } = await start();
  await stop(transactionId, { meterStop: 25 });
  expect(await world.sessions(charger)).toMatchObject([{ state: 'ended', consumptionWh: 20 }]);
  expect(await statistics()).toMatchObject({ energyTodayWh: 20 });
});

it('61. marks a session of an unknown tag as authorized by open charging', async () => {
  const open = await openWorld({ openCharging: true });
  try {
    const there = await open.register();
    const start = { connectorId: 1, idTag: 'Nobody', meterStart: 0, timestamp: at(0) };
    await (await open.connect(there)).ask('StartTransaction', start);
    expect(await open.sessions(there)).toMatchObject([{ verdict: 'accepted', authorizedBy: 'open' }]);
  } finally {
    await open.close();
  }
});
