import type { Charger } from '@busbar/domain/chargers';
import { allCollections, eq } from '@busbar/store';
import { eventually } from '@busbar/testing';
import { eachWithCharger } from '../../testing/one-charger';
import type { ChargerStateWorld, FakeConnection } from '../../testing/open-world';

let world: ChargerStateWorld;
let charger: Charger;
let connection: FakeConnection;

eachWithCharger((its) => ({ world, charger, connection } = its));

const at = (secondsAgo: number): string => new Date(Date.now() - secondsAgo * 1000).toISOString();
const status = (connectorId: number, word: string, over: Readonly<Record<string, unknown>> = {}) =>
  connection.report('StatusNotification', { connectorId, status: word, errorCode: 'NoError', ...over });
const start = (over: Readonly<Record<string, unknown>> = {}) =>
  connection.ask('StartTransaction', { connectorId: 1, idTag: 'Tag', meterStart: 100, timestamp: at(1), ...over });
const putTag = (idTag: string, over: Readonly<Record<string, unknown>> = {}) =>
  world.platform.records.tags.put({
    clientId: world.clientId,
    idTag,
    idTagKey: idTag.toLowerCase(),
    tokenName: null,
    parentIdTag: null,
    blocked: false,
    startDate: null,
    expiringDate: null,
    externalId: null,
    ...over,
  });

describe('StatusNotification', () => {
  /** Newest first. */
  const history = async () => {
    const page = { page: 1, limit: 10, sortKey: 'at', sortDescending: true } as const;
    const always = { from: '2000', to: '3000', chargerIds: [charger.chargerId] };
    return (await world.platform.records.history.statePage(world.clientId, always, page)).items;
  };

  it.each([
    ['SuspendedEV', 'SuspendedCAR'],
    ['SuspendedEVSE', 'SuspendedCHARGER'],
    ['Faulted', 'Error'],
    ['Charging', 'Charging'],
  ])('%s shows as %s', async (word, state) => {
    await status(1, word);
    expect((await world.read(charger)).reported.sockets['1']).toMatchObject({ state, errorCode: '' });
  });

  it('counts a status of a negative connector number, or of one above the limit, and creates no socket', async () => {
    await status(-1, 'Available');
    for (let connectorId = 1; connectorId <= 300; connectorId += 1) void status(connectorId, 'Available');
    await status(1, 'Charging');
    const { reported } = await world.read(charger);
    expect(Object.keys(reported.sockets)).toHaveLength(256);
    expect(reported.sockets['1']).toMatchObject({ state: 'Charging' });
    expect(reported.deviations['surplus_connector']).toMatchObject({ count: 45 });
  });

  it('51. that is older than the stored one goes into the history only', async () => {
    await status(1, 'Charging', { timestamp: at(10) });
    await status(1, 'Available', { timestamp: at(20) });
    expect((await world.read(charger)).reported.sockets['1']).toMatchObject({ state: 'Charging' });
    expect((await history()).map((change) => change.state)).toEqual(['Charging', 'Available']);
  });

  it('51. without a timestamp is current by its position, despite different clocks of two gateways', async () => {
    const ahead = new Date(Date.now() + 300_000).toISOString();
    const payloadOf = (word: string) => ({ connectorId: 1, status: word, errorCode: 'NoError' });
    await connection.report('StatusNotification', payloadOf('Charging'), { receivedAt: ahead });
    await connection.report('StatusNotification', payloadOf('Available'));
    expect((await world.read(charger)).reported.sockets['1']).toMatchObject({ state: 'Available' });
  });

  it.each([
    ['an hour old', 3600, 'Charging'],
    ['a minute old', 60, 'Available'],
  ])('51. that is %s by its own timestamp is judged against the receipt of one without', async (_, age, state) => {
    const { receivedAt } = await status(1, 'Charging');
    await status(1, 'Available', { timestamp: at(age) });
    expect((await world.read(charger)).reported.sockets['1']).toMatchObject({ state, at: receivedAt });
    expect(await history()).toHaveLength(2);
  });

  it('51. is current after a boot that set the clock back, and the time of its socket does not go back', async () => {
    const before = at(10);
    await status(1, 'Charging', { timestamp: before });
    await connection.ask('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
    await status(1, 'Available', { timestamp: '2021-01-01T00:00:00Z' });
    const shown = async () => (await world.read(charger)).reported.sockets['1'];
    expect(await shown()).toMatchObject({ state: 'Available', at: before });
    await status(1, 'Preparing', { timestamp: '2021-01-01T00:00:10Z' });
    expect(await shown()).toMatchObject({ state: 'Preparing', at: before });
    await status(1, 'Charging', { timestamp: '2021-01-01T00:00:05Z' });
    expect(await shown()).toMatchObject({ state: 'Preparing', at: before });
  });

  it('51. queued while the charger was offline stays history once the current one was received', async () => {
    await status(1, 'Available', { timestamp: at(7200) });
    connection = await world.connect(charger);
    await status(1, 'Charging');
    for (const [word, age] of [
      ['Preparing', 3600],
      ['Charging', 3000],
      ['Available', 600],
    ] as const)
      await status(1, word, { timestamp: at(age) });
    expect((await world.read(charger)).reported.sockets['1']).toMatchObject({ state: 'Charging' });
    expect(await history()).toHaveLength(5);
  });

  it('51. queued while the charger was offline becomes current in its order where nothing newer was received', async () => {
    const before = { connectorId: 1, status: 'Available', errorCode: 'NoError' };
    await connection.report('StatusNotification', before, { receivedAt: at(7200) });
    await status(1, 'Charging', { timestamp: at(3600) });
    await status(1, 'Finishing', { timestamp: at(600) });
    expect((await world.read(charger)).reported.sockets['1']).toMatchObject({ state: 'Finishing' });
  });

  it.each(['2015-01-01T00:00:00Z', new Date(Date.now() + 3_600_000).toISOString()])(
    '51. takes the time of receipt for a clock far off (%s), and counts it',
    async (timestamp) => {
      const { receivedAt } = await status(1, 'Available', { timestamp });
      const { reported } = await world.read(charger);
      expect(reported.sockets['1']?.at).toBe(receivedAt);
      expect(reported.deviations['clock_off']).toMatchObject({ count: 1 });
    },
  );

  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.1234567Z', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
    ['2026-01-02T03:04:05+02', '2026-01-02T01:04:05.000Z'],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
  ])('42. stores %s as the timestamp %s', async (sent, stored) => {
    await status(1, 'Available', { timestamp: sent });
    expect((await world.read(charger)).reported.sockets['1']?.at).toBe(stored);
  });

  it('sent again under a new message id is one row of history, while the log has both frames', async () => {
    const timestamp = at(5);
    await status(1, 'Available', { timestamp });
    await status(1, 'Available', { timestamp });
    expect(await history()).toHaveLength(1);
    expect(await world.log(charger)).toHaveLength(2);
  });
});

describe('BootNotification', () => {
  it('62. is accepted and stored; a second one updates', async () => {
    const boot = { chargePointVendor: 'V', chargePointModel: 'M', chargeBoxSerialNumber: 'B', firmwareVersion: '1' };
    const answer = await connection.ask('BootNotification', { ...boot, iccid: 'i', imsi: 'j', meterType: 't' });
    expect(answer).toMatchObject({ status: 'Accepted', interval: 300 });
    expect(String(answer['currentTime'])).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/);
    expect((await world.read(charger)).reported.boot).toMatchObject({ serial: 'B', firmware: '1', iccid: 'i' });
    await connection.ask('BootNotification', { ...boot, chargePointSerialNumber: 'P', firmwareVersion: '2' });
    expect((await world.read(charger)).reported.boot).toMatchObject({ serial: 'P', firmware: '2', iccid: '' });
    await connection.ask('BootNotification', { ...boot, chargePointSerialNumber: '' });
    expect((await world.read(charger)).reported.boot).toMatchObject({ serial: 'B' });
  });
});

describe('Authorize', () => {
  it('61. knows accepted, blocked, expired and unknown tags; 47. without regard to case', async () => {
    await putTag('Good', { parentIdTag: 'Family', expiringDate: '2999-01-01T00:00:00.000Z' });
    await putTag('Bad', { blocked: true });
    await putTag('Old', { expiringDate: '2020-01-01T00:00:00.000Z' });
    const standing = async (idTag: string) => (await connection.ask('Authorize', { idTag }))['idTagInfo'];
    expect(await standing('gOOD')).toEqual({
      status: 'Accepted',
      parentIdTag: 'Family',
      expiryDate: '2999-01-01T00:00:00.000Z',
    });
    expect(await standing('bad')).toMatchObject({ status: 'Blocked' });
    expect(await standing('OLD')).toMatchObject({ status: 'Expired' });
    expect(await standing('nobody')).toEqual({ status: 'Invalid' });
  });

  it('61. is not ConcurrentTx for a tag in use; StartTransaction elsewhere is', async () => {
    await putTag('Busy');
    expect((await start({ idTag: 'Busy' }))['idTagInfo']).toMatchObject({ status: 'Accepted' });
    expect((await connection.ask('Authorize', { idTag: 'Busy' }))['idTagInfo']).toMatchObject({ status: 'Accepted' });
    expect((await start({ idTag: 'BUSY', connectorId: 2 }))['idTagInfo']).toMatchObject({ status: 'ConcurrentTx' });
  });
});

describe('StartTransaction and StopTransaction', () => {
  it('53. gives a start with an unknown tag a unique, positive transaction id of 32 bits', async () => {
    const [one, two] = [await start(), await start({ connectorId: 2 })];
    expect(one['idTagInfo']).toEqual({ status: 'Invalid' });
    for (const { transactionId } of [one, two]) {
      expect(Number.isInteger(transactionId) && Number(transactionId) > 0 && Number(transactionId) < 2 ** 31).toBe(
        true,
      );
    }
    expect(one['transactionId']).not.toBe(two['transactionId']);
  });

  it('54. retains the time of a start that is reported hours late, and marks it as made offline', async () => {
    const timestamp = at(3 * 3600);
    await start({ timestamp });
    expect(await world.sessions(charger)).toMatchObject([{ startTime: timestamp, startedOffline: true }]);
  });

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

  it.each([0, -1, 123_456_789])(
    '56. answers a stop of %s, stores it as an orphan, and stops nothing',
    async (transactionId) => {
      const idTag = `Stop ${String(transactionId)}`;
      await putTag(idTag);
      await start({ idTag });
      expect(await connection.ask('StopTransaction', { transactionId, meterStop: 5, timestamp: at(0) })).toEqual({});
      expect(await world.sessions(charger)).toMatchObject([{ state: 'ongoing' }]);
    },
  );

  it('56. never ends the session of another charger', async () => {
    await putTag('Mine');
    const { transactionId } = await start({ idTag: 'Mine' });
    const other = await world.register();
    const elsewhere = await world.connect(other);
    await elsewhere.ask('StopTransaction', { transactionId, meterStop: 5, timestamp: at(0) });
    expect(await world.sessions(charger)).toMatchObject([{ state: 'ongoing' }]);
  });

  it('58. ignores a second stop', async () => {
    const { transactionId } = await start();
    await connection.ask('StopTransaction', { transactionId, meterStop: 200, timestamp: at(0), reason: 'Remote' });
    await connection.ask('StopTransaction', { transactionId, meterStop: 999, timestamp: at(0) });
    expect(await world.sessions(charger)).toMatchObject([{ meterStop: 200, stopReason: 'Remote' }]);
  });
});

describe('MeterValues', () => {
  it.each([[-1], [424_242], [undefined], [2 ** 60]])(
    '57. with transaction %s are stored exactly as sent',
    async (transactionId) => {
      const payload = {
        connectorId: 1,
        ...(transactionId === undefined ? {} : { transactionId }),
        meterValue: [{ timestamp: at(0), sampledValue: [{ value: ' 8.10 ', phase: 'L1', vendorThing: { a: 1 } }] }],
      };
      const report = await connection.report('MeterValues', payload);
      const definition = allCollections.find(({ name }) => name === 'meterValues');
      const rows = await world.platform.store.collection(definition!).find(eq('chargerId', report.chargerId));
      expect(rows).toMatchObject([{ payload }]);
    },
  );
});

describe('other messages', () => {
  it('60. stores notifications, and the latest of each in the record', async () => {
    await connection.report('FirmwareStatusNotification', { status: 'Downloading' });
    await connection.report('SignedFirmwareStatusNotification', { status: 'Installing' });
    await connection.report('DiagnosticsStatusNotification', { status: 'Uploading' });
    await connection.report('LogStatusNotification', { status: 'Uploaded' });
    await connection.report('SecurityEventNotification', { type: 'T', timestamp: at(0) });
    expect((await world.read(charger)).reported).toMatchObject({
      firmware: { status: 'Installing' },
      diagnostics: { status: 'Uploading' },
      log: { status: 'Uploaded' },
    });
    expect(await world.log(charger)).toHaveLength(5);
  });

  it('68. sets lastSeen to the last one of many heartbeats', async () => {
    const reports = await Promise.all(Array.from({ length: 200 }, () => connection.report('Heartbeat', {})));
    const last = reports.at(-1);
    expect((await world.read(charger)).reported).toMatchObject({
      lastSeen: last?.receivedAt,
      lastMessage: last?.raw,
    });
  });
});

describe('after a boot', () => {
  it('52. asks for the configuration, masks its secrets, and stores it', async () => {
    world.answerCommands(({ action }) =>
      action === 'GetConfiguration' ? { outcome: 'answered', payload: {} } : { outcome: 'timeout' },
    );
    await connection.ask('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
    const payload = {
      outcome: 'answered',
      payload: {
        configurationKey: [
          { key: 'NumberOfConnectors', readonly: true, value: '2' },
          { key: 'AuthorizationKey', readonly: false, value: 'deadbeef' },
        ],
      },
    };
    await connection.send('outcome', { action: 'GetConfiguration', payload, raw: '[3,"x",{}]', request: '[2,"x"]' });
    expect((await world.read(charger)).reported.configuration).toEqual([
      { configName: 'NumberOfConnectors', configValue: '2', canBeChanged: false },
      { configName: 'AuthorizationKey', configValue: '***', canBeChanged: true },
    ]);
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
