// The effect of each message (rules 51 to 60 and 68) in longer scenarios: repeated, concurrent, out of order.
import { type Charger } from '@busbar/domain/chargers';
import { newTag } from '@busbar/domain/testing';
import { allCollections, eq } from '@busbar/store';
import { eachWithCharger } from '../../testing/one-charger';
import type { ChargerStateWorld, FakeConnection } from '../../testing/open-world';

let world: ChargerStateWorld;
let charger: Charger;
let connection: FakeConnection;

eachWithCharger((its) => ({ world, charger, connection } = its));

type Fields = Readonly<Record<string, unknown>>;
const at = (secondsAgo: number): string => new Date(Date.now() - secondsAgo * 1000).toISOString();
const starting = (over: Fields = {}) => ({ connectorId: 1, idTag: 'Tag', meterStart: 1, timestamp: at(5), ...over });
const start = (over: Fields = {}, by = connection) => by.ask('StartTransaction', starting(over));
const stop = (transactionId: unknown, over: Fields = {}) =>
  connection.ask('StopTransaction', { transactionId, meterStop: 11, timestamp: at(0), ...over });
const kept = async (collection: string) => {
  const definition = allCollections.find(({ name }) => name === collection);
  if (definition === undefined) throw new Error(`there is no collection ${collection}`);
  return world.platform.store.collection(definition).find(eq('chargerId', charger.chargerId));
};

it.each(['2019-12-31T23:59:59Z', new Date(Date.now() + 120_000).toISOString()])(
  '51. takes the time of receipt for a start and a stop with a clock far off (%s), and counts them',
  async (timestamp) => {
    const before = at(0);
    const { transactionId } = await start({ timestamp });
    await stop(transactionId, { timestamp });
    const [session] = await world.sessions(charger);
    expect(session?.startTime.localeCompare(before)).not.toBe(-1);
    expect(session).toMatchObject({ state: 'ended', startedOffline: false });
    expect((await world.read(charger)).reported.deviations['clock_off']).toMatchObject({ count: 2 });
  },
);

it('53. gives a refused start a positive transaction id of 32 bits of its own', async () => {
  const { tags } = world.platform.records;
  await tags.put(newTag({ clientId: world.clientId, idTag: 'Bad53', blocked: true }));
  await tags.put(newTag({ clientId: world.clientId, idTag: 'Old53', expiringDate: at(60) }));
  const answers = [
    await start({ idTag: 'Nobody53', connectorId: 1 }),
    await start({ idTag: 'Bad53', connectorId: 2 }),
    await start({ idTag: 'Old53', connectorId: 3 }),
  ];
  expect(answers.map(({ idTagInfo }) => (idTagInfo as { status: string }).status)).toEqual([
    ...['Invalid', 'Blocked', 'Expired'],
  ]);
  const ids = answers.map(({ transactionId }) => Number(transactionId));
  expect(ids.every((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31)).toBe(true);
  expect(new Set(ids).size).toBe(3);
  expect(await world.sessions(charger)).toHaveLength(3);
});

it('55. begins one session for a start sent twice at the same time, and again over the next connection', async () => {
  const timestamp = at(1);
  const [one, two] = await Promise.all([start({ timestamp }), start({ timestamp, idTag: 'TAG' })]);
  const next = await world.connect(charger);
  const three = await start({ timestamp }, next);
  expect([two.transactionId, three.transactionId]).toEqual([one.transactionId, one.transactionId]);
  expect(await world.sessions(charger)).toHaveLength(1);
});

it.each([0, -1, 123_456_789])(
  '56. stores a stop of %s as an orphan, once, with its meter values',
  async (transactionId) => {
    const timestamp = at(3);
    const transactionData = [{ timestamp, sampledValue: [{ value: '5' }] }];
    await stop(transactionId, { timestamp, reason: 'PowerLoss', transactionData });
    await stop(transactionId, { timestamp, reason: 'PowerLoss', transactionData });
    expect(await kept('orphanStops')).toMatchObject([{ transactionId, meterStop: 11, stopReason: 'PowerLoss' }]);
    expect(await kept('meterValues')).toMatchObject([{ sessionId: null, payload: { meterValue: transactionData } }]);
  },
);

it('57. stores a transaction id beyond 2^53 to its last digit', async () => {
  const number = '1152921504606846977';
  const payload = {
    connectorId: 1,
    transactionId: Number(number),
    meterValue: [{ timestamp: at(0), sampledValue: [] }],
  };
  const raw = `[2,"m","MeterValues",{"connectorId":1,"transactionId":${number},"meterValue":[]}]`;
  expect(String(payload.transactionId)).not.toContain('6977');
  await connection.report('MeterValues', payload, { raw });
  await connection.report('MeterValues', { ...payload, transactionId: -1 });
  const rows = await kept('meterValues');
  expect(rows.map((row) => 'frame' in row && row.frame).sort()).toEqual([raw, false].sort());
});

it('58. ends the session by a stop before the answer of its start, and the start sent again restores nothing', async () => {
  const timestamp = at(5);
  const { transactionId } = await start({ timestamp });
  await stop(transactionId);
  expect(await start({ timestamp })).toMatchObject({ transactionId });
  expect(await world.sessions(charger)).toMatchObject([{ state: 'ended', meterStop: 11 }]);
  expect((await world.read(charger)).reported.ongoing).toEqual({});
});

it('58. applies a stop sent twice at the same time, and again after a restart, once', async () => {
  const { transactionId } = await start();
  const timestamp = at(0);
  await Promise.all([stop(transactionId, { timestamp }), stop(transactionId, { timestamp, meterStop: 99 })]);
  await world.restart();
  await stop(transactionId, { timestamp, meterStop: 77, reason: 'Reboot' });
  expect(await world.sessions(charger)).toMatchObject([{ meterStop: 11, stopReason: 'Local', consumptionWh: 10 }]);
  expect(await kept('orphanStops')).toEqual([]);
});

it('60. stores each notification as an event, and the latest of each in the record', async () => {
  await connection.report('FirmwareStatusNotification', { status: 'Downloading' });
  await connection.report('SignedFirmwareStatusNotification', { status: 'Installed', requestId: 1 });
  await connection.report('DiagnosticsStatusNotification', { status: 'Uploaded' });
  await connection.report('LogStatusNotification', { status: 'Uploading', requestId: 2 });
  await connection.report('SecurityEventNotification', { type: 'TamperDetection', timestamp: at(0) });
  const events = (await kept('events')) as unknown as { action: string; payload: Fields }[];
  expect(
    events.map(({ action, payload }) => `${action} ${String(payload['status'] ?? payload['type'])}`).sort(),
  ).toEqual([
    'SecurityEventNotification TamperDetection',
    'diagnostics.progressed Uploaded',
    'firmware.progressed Downloading',
    'firmware.progressed Installed',
    'log.progressed Uploading',
  ]);
  expect((await world.read(charger)).reported).toMatchObject({
    firmware: { status: 'Installed', requestId: 1 },
    diagnostics: { status: 'Uploaded' },
    log: { status: 'Uploading', requestId: 2 },
  });
});

it('68. retains lastSeen of the last frame after twelve hours of silence, until the next frame', async () => {
  const { receivedAt } = await connection.report('Heartbeat', {}, { receivedAt: at(12 * 3600) });
  await world.restart();
  expect((await world.read(charger)).reported.lastSeen).toBe(receivedAt);
  const next = await connection.report('Heartbeat', {});
  expect((await world.read(charger)).reported).toMatchObject({ lastSeen: next.receivedAt, lastMessage: next.raw });
});
