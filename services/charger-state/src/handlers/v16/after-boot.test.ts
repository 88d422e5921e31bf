// The questions to a charger after its boot (rule 52), by a clock that the test advances.
import type { Charger } from '@busbar/domain/chargers';
import type { LinkOutcome, ChargerCall } from '@busbar/domain/commands';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { createMemoryStores } from '../../testing/memory-stores';
import { newReport } from '../../testing/report';
import { createAfterBoot } from './after-boot';

const GRACE_MS = 10_000;
const ORDER = 3;
const AT = '2026-01-01T00:00:00.000Z';

const ANSWERED: LinkOutcome = { outcome: 'answered', payload: {} };
const SILENCE: LinkOutcome = { outcome: 'timeout' };

function open(reported: Partial<Charger['reported']> = {}, answers: Readonly<Record<string, LinkOutcome>> = {}) {
  const clock = createFakeClock();
  const stores = createMemoryStores();
  stores.register('c');
  const registered = stores.chargers.get('c');
  if (registered === undefined) throw new Error('the charger is not there');
  const connection = { ...registered.connection, active: true, gatewayId: 'g', position: [ORDER, 1] as const };
  const charger: Charger = { ...registered, connection, reported: { ...registered.reported, ...reported } };
  let current = charger;
  const asked: ChargerCall[] = [];
  const afterBoot = createAfterBoot({
    clock,
    logger: createRecordingLogger(),
    commandTimeoutMs: 30_000,
    statusGraceMs: GRACE_MS,
    link: { call: (_to, call) => Promise.resolve((asked.push(call), answers[call.action] ?? ANSWERED)) },
    reports: { loadChargers: () => Promise.resolve([current]) },
  });
  const report = newReport({ chargerId: 'c', order: ORDER, action: 'BootNotification', receivedAt: AT });
  return {
    clock,
    asked,
    boot: () => afterBoot.follow([{ report, charger, isNew: true }]),
    connect: () => afterBoot.follow([{ report: { ...report, kind: 'connected', action: '' }, charger, isNew: true }]),
    bootAgain: () => afterBoot.follow([{ report, charger, isNew: false }]),
    stop: () => afterBoot.stop(),
    current: () => current,
    becomes: (over: Partial<Charger>) => void (current = { ...charger, ...over }),
    triggered: () =>
      asked.filter(({ action }) => action === 'TriggerMessage').map(({ payload }) => payload['connectorId']),
  };
}

const status = (order: number) => ({
  state: 'Available' as const,
  errorCode: '',
  info: '',
  vendorErrorCode: '',
  at: AT,
  position: [order, 2] as const,
});
const BOOT = {
  manufacturer: '',
  model: '',
  serial: '',
  firmware: '',
  iccid: '',
  imsi: '',
  meterType: '',
  meterSerialNumber: '',
  at: AT,
  position: [1, 1] as const,
};
const connectors = (count: number) => ({
  configuration: [{ configName: 'NumberOfConnectors', configValue: String(count), canBeChanged: false }],
});

/** Everything here is answered in the same turn of the event loop. */
const quiet = () => new Promise((resolve) => setImmediate(resolve));

it('52. asks for the configuration soon, and for each connector without a status by TriggerMessage, never 0', async () => {
  const world = open({ ...connectors(3), sockets: { '1': status(ORDER), '2': status(ORDER - 1) } });
  world.boot();
  world.clock.advance(GRACE_MS - 1);
  await eventually(() => world.asked.length > 0);
  expect(world.asked).toMatchObject([{ action: 'GetConfiguration', payload: {} }]);
  world.clock.advance(1);
  await eventually(() => world.triggered().length === 3);
  expect(world.triggered()).toEqual([undefined, 2, 3]);
  expect(world.asked.at(-1)?.payload).toMatchObject({ requestedMessage: 'StatusNotification' });
});

it('52. asks no charger that reported everything by itself', async () => {
  const world = open({ ...connectors(1), status: status(ORDER), sockets: { '1': status(ORDER) } });
  world.boot();
  world.clock.advance(GRACE_MS);
  await quiet();
  expect(world.asked).toMatchObject([{ action: 'GetConfiguration' }]);
});

it('52. asks for all connectors together when their number is unknown', async () => {
  const world = open();
  world.boot();
  world.clock.advance(GRACE_MS);
  await eventually(() => world.triggered().length > 0);
  expect(world.triggered()).toEqual([undefined]);
});

it('52. stops asking a charger that does not answer, is disconnected or has reconnected', async () => {
  const silent = open(connectors(5), { TriggerMessage: SILENCE });
  silent.boot();
  silent.clock.advance(GRACE_MS);
  await quiet();
  expect(silent.triggered()).toEqual([undefined]);
  for (const over of [{ active: false }, { position: [ORDER + 1, 1] as const }]) {
    const gone = open(connectors(2));
    gone.becomes({ connection: { ...gone.current().connection, ...over } });
    gone.boot();
    gone.clock.advance(GRACE_MS);
    await quiet();
    expect(gone.asked).toMatchObject([{ action: 'GetConfiguration' }]);
  }
});

it("52. limits each question to five seconds, so that an operator's command does not wait", async () => {
  const world = open(connectors(2));
  world.boot();
  world.clock.advance(GRACE_MS);
  await eventually(() => world.triggered().length === 3);
  for (const { timeoutMs } of world.asked) expect(timeoutMs).toBeLessThanOrEqual(5_000);
});

it('52. asks no second question without an answer to the first, until the next boot', async () => {
  const world = open(connectors(2), { GetConfiguration: SILENCE });
  for (const times of [1, 2]) {
    world.boot();
    world.clock.advance(GRACE_MS - 1);
    await quiet();
    world.clock.advance(1);
    await quiet();
    expect(world.asked.map(({ action }) => action)).toEqual(Array(times).fill('GetConfiguration'));
  }
});

it('52. asks a charger in a boot loop once, when it stays up', async () => {
  const world = open({ ...connectors(1), status: status(ORDER), sockets: { '1': status(ORDER) } });
  for (let boot = 0; boot < 10; boot += 1) {
    world.boot();
    world.clock.advance(100);
  }
  await quiet();
  expect(world.asked).toEqual([]);
  world.clock.advance(GRACE_MS);
  await quiet();
  expect(world.asked).toMatchObject([{ action: 'GetConfiguration' }]);
});

it.each<[string, Partial<Charger['reported']>, string[]]>([
  ['has booted and never reported its configuration', { boot: BOOT }, ['GetConfiguration']],
  ['has reported its configuration', { boot: BOOT, configurationPosition: [1, 1] }, []],
  ['has not booted yet', {}, []],
])('52. asks, or does not ask, a charger that connects and %s', async (_title, reported, actions) => {
  const world = open({ ...reported, ...connectors(1), status: status(ORDER), sockets: { '1': status(ORDER) } });
  world.connect();
  world.clock.advance(GRACE_MS);
  await quiet();
  expect(world.asked.map(({ action }) => action)).toEqual(actions);
});

it('asks nothing for a boot that is delivered again, nor after the service stops', async () => {
  const world = open();
  world.bootAgain();
  world.clock.advance(GRACE_MS);
  world.boot();
  world.stop();
  world.clock.advance(GRACE_MS);
  await quiet();
  expect(world.asked).toEqual([]);
});
