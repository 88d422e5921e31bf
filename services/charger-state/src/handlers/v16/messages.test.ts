// Only here: what one message stores, the next ones find; and it is stored once though messages come twice, at the same
// time, over another connection or after a restart.
import type { Charger } from '@busbar/domain/chargers';
import { newTag } from '@busbar/domain/testing';
import { allCollections, eq } from '@busbar/store';
import { eventually } from '@busbar/testing';
import { eachWithCharger } from '../../testing/one-charger';
import type { ChargerStateWorld, FakeConnection } from '../../testing/open-world';

let world: ChargerStateWorld;
let charger: Charger;
let connection: FakeConnection;

eachWithCharger((its) => ({ world, charger, connection } = its));

type Fields = Readonly<Record<string, unknown>>;
const at = (secondsAgo: number): string => new Date(Date.now() - secondsAgo * 1000).toISOString();
const start = (over: Fields = {}, by = connection) =>
  by.ask('StartTransaction', { connectorId: 1, idTag: 'Tag', meterStart: 1, timestamp: at(5), ...over });
const stop = (transactionId: unknown, over: Fields = {}) =>
  connection.ask('StopTransaction', { transactionId, meterStop: 11, timestamp: at(0), ...over });
const kept = async (collection: string) => {
  const definition = allCollections.find(({ name }) => name === collection);
  if (definition === undefined) throw new Error(`there is no collection ${collection}`);
  return world.platform.store.collection(definition).find(eq('chargerId', charger.chargerId));
};

it('stores a status that is sent again under a new message id once, while the log has both frames', async () => {
  const status = { connectorId: 1, status: 'Available', errorCode: 'NoError', timestamp: at(5) };
  await connection.report('StatusNotification', status);
  await connection.report('StatusNotification', status);
  expect(await kept('stateChanges')).toHaveLength(1);
  expect(await world.log(charger)).toHaveLength(2);
});

it('52. asks a charger that has booted for its configuration', async () => {
  const before = world.commands.length;
  await connection.ask('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
  const asked = () => world.commands.slice(before).filter(({ chargerId }) => chargerId === charger.chargerId);
  await eventually(() => asked().length > 0);
  expect(asked()).toMatchObject([{ action: 'GetConfiguration' }]);
});

it('53. gives each start, also a refused one, a positive transaction id of 32 bits of its own', async () => {
  await world.platform.records.tags.put(newTag({ clientId: world.clientId, idTag: 'Good53' }));
  const answers = [
    await start({ idTag: 'Good53', connectorId: 1 }),
    await start({ idTag: 'Nobody53', connectorId: 2 }),
    await start({ idTag: 'Good53', connectorId: 3 }),
  ];
  expect(answers.map(({ idTagInfo }) => (idTagInfo as { status: string }).status)).toEqual([
    ...['Accepted', 'Invalid', 'ConcurrentTx'],
  ]);
  const ids = answers.map(({ transactionId }) => Number(transactionId));
  expect(ids.every((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31)).toBe(true);
  expect(new Set(ids).size).toBe(3);
  expect(await world.sessions(charger)).toHaveLength(3);
});

it('55. begins one session for a start sent twice at once, over the next connection and after a restart', async () => {
  const timestamp = at(1);
  const [one, two] = await Promise.all([start({ timestamp }), start({ timestamp, idTag: 'TAG' })]);
  const next = await world.connect(charger);
  const three = await start({ timestamp }, next);
  await world.restart();
  const four = await start({ timestamp }, next);
  expect([two, three, four].map(({ transactionId }) => transactionId)).toEqual(Array(3).fill(one.transactionId));
  expect(await world.sessions(charger)).toHaveLength(1);
});

it('56. stores a stop of an unknown transaction as an orphan, once, with its meter values', async () => {
  const timestamp = at(3);
  const transactionData = [{ timestamp, sampledValue: [{ value: '5' }] }];
  await stop(-1, { timestamp, reason: 'PowerLoss', transactionData });
  await stop(-1, { timestamp, reason: 'PowerLoss', transactionData });
  expect(await kept('orphanStops')).toMatchObject([{ transactionId: -1, meterStop: 11, stopReason: 'PowerLoss' }]);
  expect(await kept('meterValues')).toMatchObject([{ sessionId: null, payload: { meterValue: transactionData } }]);
});

it('57. stores the meter values of a session with it, exactly as sent', async () => {
  const { transactionId } = await start();
  expect((await world.read(charger)).reported.ongoing['1']).toMatchObject({ transactionId });
  const sampledValue = [{ value: ' 8.10 ', phase: 'L1', vendorThing: { a: 1 } }];
  const payload = { connectorId: 1, transactionId, meterValue: [{ timestamp: at(0), sampledValue }] };
  await connection.report('MeterValues', payload);
  await stop(transactionId);
  const [session] = await world.sessions(charger);
  expect(session).toMatchObject({ state: 'ended', meterStop: 11, consumptionWh: 10, stopReason: 'Local' });
  expect(await world.meterValues(session?.sessionId ?? '')).toMatchObject([{ payload }]);
  expect((await world.read(charger)).reported.ongoing).toEqual({});
});

it('57. stores a transaction id beyond 2^53 to its last digit', async () => {
  const raw = '[2,"m","MeterValues",{"connectorId":1,"transactionId":1152921504606846977,"meterValue":[]}]';
  await connection.report('MeterValues', { connectorId: 1, transactionId: 2 ** 60, meterValue: [] }, { raw });
  expect(await kept('meterValues')).toMatchObject([{ frame: raw }]);
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

it('supersedes a session without a stop by the next start, which frees its tag, and still takes its late stop', async () => {
  for (const idTag of ['Lost', 'Other'])
    await world.platform.records.tags.put(newTag({ clientId: world.clientId, idTag }));
  const { transactionId } = await start({ idTag: 'Lost' });
  const second = await start({ idTag: 'Other', meterStart: 2 });
  const states = (await world.sessions(charger)).map(({ idTag, state }) => `${idTag} ${state}`);
  expect(states.sort()).toEqual(['Lost superseded', 'Other ongoing']);

  const elsewhere = await world.connect(await world.register());
  expect((await start({ idTag: 'Lost', timestamp: at(1) }, elsewhere))['idTagInfo']).toMatchObject({
    status: 'Accepted',
  });

  await stop(transactionId);
  const stopped = (await world.sessions(charger)).find((session) => session.transactionId === transactionId);
  expect(stopped).toMatchObject({ state: 'ended', consumptionWh: 10 });
  expect((await world.read(charger)).reported.ongoing['1']).toMatchObject({ transactionId: second['transactionId'] });
});

it('68. sets lastSeen to the last one of many heartbeats', async () => {
  const reports = await Promise.all(Array.from({ length: 200 }, () => connection.report('Heartbeat', {})));
  const last = reports.at(-1);
  expect((await world.read(charger)).reported).toMatchObject({
    lastSeen: last?.receivedAt,
    lastMessage: last?.raw,
  });
});

it('68. retains lastSeen of the last frame after twelve hours of silence, until the next frame', async () => {
  const { receivedAt } = await connection.report('Heartbeat', {}, { receivedAt: at(12 * 3600) });
  await world.restart();
  expect((await world.read(charger)).reported.lastSeen).toBe(receivedAt);
  const next = await connection.report('Heartbeat', {});
  expect((await world.read(charger)).reported).toMatchObject({ lastSeen: next.receivedAt, lastMessage: next.raw });
});
