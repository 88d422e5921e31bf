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

const at = (secondsAgo: number): string => new Date(Date.now() - secondsAgo * 1000).toISOString();
const status = (word: string, timestamp: string) =>
  connection.report('StatusNotification', { connectorId: 1, status: word, errorCode: 'NoError', timestamp });
const start = (over: Readonly<Record<string, unknown>> = {}) =>
  connection.ask('StartTransaction', { connectorId: 1, idTag: 'Tag', meterStart: 100, timestamp: at(1), ...over });
const putTag = (idTag: string) => world.platform.records.tags.put(newTag({ clientId: world.clientId, idTag }));

describe('StatusNotification', () => {
  /** Newest first. */
  const history = async () => {
    const page = { page: 1, limit: 10, sortKey: 'at', sortDescending: true } as const;
    const always = { from: '2000', to: '3000', chargerIds: [charger.chargerId] };
    return (await world.platform.records.history.statePage(world.clientId, always, page)).items;
  };

  it('51. goes into the history only when it is older than the stored one', async () => {
    await status('Charging', at(10));
    await status('Available', at(20));
    expect((await world.read(charger)).reported.sockets['1']).toMatchObject({ state: 'Charging' });
    expect((await history()).map((change) => change.state)).toEqual(['Charging', 'Available']);
  });

  it('is one row of history when it is sent again under a new message id, while the log has both frames', async () => {
    const timestamp = at(5);
    await status('Available', timestamp);
    await status('Available', timestamp);
    expect(await history()).toHaveLength(1);
    expect(await world.log(charger)).toHaveLength(2);
  });
});

describe('BootNotification', () => {
  it('62. is accepted and stored; a second one updates', async () => {
    const boot = { chargePointVendor: 'V', chargePointModel: 'M', chargeBoxSerialNumber: 'B', firmwareVersion: '1' };
    const answer = await connection.ask('BootNotification', { ...boot, iccid: 'i', imsi: 'j', meterType: 't' });
    expect(answer).toMatchObject({ status: 'Accepted', interval: 300 });
    expect((await world.read(charger)).reported.boot).toMatchObject({ serial: 'B', firmware: '1', iccid: 'i' });
    await connection.ask('BootNotification', { ...boot, chargePointSerialNumber: 'P', firmwareVersion: '2' });
    expect((await world.read(charger)).reported.boot).toMatchObject({ serial: 'P', firmware: '2', iccid: '' });
  });
});

describe('StartTransaction and StopTransaction', () => {
  it('55. maps a repeated start to the same session, also after a failover of charger-state', async () => {
    const timestamp = at(1);
    const { transactionId } = await start({ timestamp });
    expect(await start({ timestamp })).toMatchObject({ transactionId });
    await world.restart();
    expect(await start({ timestamp })).toMatchObject({ transactionId });
    expect(await world.sessions(charger)).toHaveLength(1);
  });

  it('stores the meter values, the stop and the consumption of a session', async () => {
    const { transactionId } = await start({ meterStart: 100 });
    expect((await world.read(charger)).reported.ongoing['1']).toMatchObject({ transactionId });
    const meterValue = [{ timestamp: at(0), sampledValue: [{ value: '150', unit: 'Wh' }] }];
    await connection.report('MeterValues', { connectorId: 1, transactionId, meterValue });
    await connection.ask('StopTransaction', { transactionId, meterStop: 350, timestamp: at(0) });
    const [session] = await world.sessions(charger);
    expect(session).toMatchObject({ state: 'ended', meterStop: 350, consumptionWh: 250, stopReason: 'Local' });
    expect(await world.meterValues(session?.sessionId ?? '')).toMatchObject([
      { payload: { transactionId, meterValue } },
    ]);
    expect((await world.read(charger)).reported.ongoing).toEqual({});
  });
});

it('57. stores meter values exactly as sent', async () => {
  const sampledValue = [{ value: ' 8.10 ', phase: 'L1', vendorThing: { a: 1 } }];
  const payload = { connectorId: 1, meterValue: [{ timestamp: at(0), sampledValue }] };
  const report = await connection.report('MeterValues', payload);
  const definition = allCollections.find(({ name }) => name === 'meterValues');
  const rows = await world.platform.store.collection(definition!).find(eq('chargerId', report.chargerId));
  expect(rows).toMatchObject([{ payload }]);
});

it('68. sets lastSeen to the last one of many heartbeats', async () => {
  const reports = await Promise.all(Array.from({ length: 200 }, () => connection.report('Heartbeat', {})));
  const last = reports.at(-1);
  expect((await world.read(charger)).reported).toMatchObject({
    lastSeen: last?.receivedAt,
    lastMessage: last?.raw,
  });
});

describe('a session whose stop was lost', () => {
  it('is superseded by the next start at its socket, releases its tag, and still takes a late stop', async () => {
    await putTag('Lost');
    await putTag('Other');
    const first = await start({ idTag: 'Lost', meterStart: 1 });
    const second = await start({ idTag: 'Other', meterStart: 2 });
    const [byNow, before] = await world.sessions(charger);
    expect([byNow, before].map((session) => session?.state).sort()).toEqual(['ongoing', 'superseded']);
    expect((await world.read(charger)).reported.ongoing['1']).toMatchObject({ transactionId: second['transactionId'] });

    const elsewhere = await world.connect(await world.register());
    const there = { connectorId: 1, idTag: 'Lost', meterStart: 3, timestamp: at(1) };
    expect((await elsewhere.ask('StartTransaction', there))['idTagInfo']).toMatchObject({ status: 'Accepted' });

    const { transactionId } = first;
    await connection.ask('StopTransaction', { transactionId, meterStop: 9, timestamp: at(0) });
    const stopped = (await world.sessions(charger)).find((session) => session.transactionId === transactionId);
    expect(stopped).toMatchObject({ state: 'ended', consumptionWh: 8 });
    expect((await world.read(charger)).reported.ongoing['1']).toMatchObject({ transactionId: second['transactionId'] });
  });
});

describe('a boot loop', () => {
  it('causes one GetConfiguration, not one for each boot', async () => {
    const before = world.commands.length;
    for (let boot = 0; boot < 10; boot += 1) {
      await connection.ask('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
    }
    const asked = () => world.commands.slice(before).filter(({ chargerId }) => chargerId === charger.chargerId);
    await eventually(() => asked().length > 0);
    expect(asked()).toMatchObject([{ action: 'GetConfiguration' }]);
  });
});
