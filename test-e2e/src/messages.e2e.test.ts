// Tests the effect of each message of a charger: rules 50 to 62 and 68, from the socket to what an integrator reads.
import { eventually, type ScriptedCharger } from '@busbar/testing';
import { inBothWorlds } from './harness/in-both-worlds';
import { connect, readLegacy, readV2, registerCharger, v2, type V2Charger, type World } from './harness/world';

const VERSIONS = ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'];
const HOUR_MS = 3_600_000;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

async function connected(
  world: World,
  subprotocol = 'ocpp1.6',
): Promise<{ chargerId: string; charger: ScriptedCharger }> {
  const { chargerId } = await registerCharger(world);
  return { chargerId, charger: await connect(world, chargerId, { subprotocols: [subprotocol] }) };
}

/** The record, once it is as wanted. */
async function shown(world: World, chargerId: string, expected: Readonly<Record<string, unknown>>): Promise<V2Charger> {
  return eventually(async () => {
    const record = await readV2(world, chargerId);
    expect(record).toMatchObject(expected);
    return record;
  });
}

async function sessionOf(world: World, transactionId: unknown, expected: Readonly<Record<string, unknown>>) {
  await eventually(async () => {
    expect((await v2(world, `/sessions/${String(transactionId)}`)).json).toMatchObject(expected);
    return true;
  });
}

async function sessionsOf(world: World, chargerId: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { json } = await v2(world, `/sessions?chargerIds=${chargerId}`);
  return (json as { items: Readonly<Record<string, unknown>>[] }).items;
}

/** The charger's own frames in its log. */
async function logged(world: World, chargerId: string): Promise<string> {
  return (await v2(world, `/chargers/${chargerId}/ocpp-logs?includeHeartbeats=true`)).text;
}

async function makeTag(world: World, over: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const idTag = `T${Math.random().toString(36).slice(2, 12)}`;
  const made = await v2(world, '/tags', { method: 'POST', body: { idTag, ...over } });
  expect(made.status).toBe(200);
  return idTag;
}

inBothWorlds((world) => {
  it('50. takes connector 0 as the charger itself, and creates sockets by their first status, in any order, with gaps', async () => {
    const { chargerId, charger } = await connected(world());
    await charger.status(7, 'Available');
    await charger.status(2, 'Preparing');
    await charger.status(0, 'Unavailable');
    await shown(world(), chargerId, {
      state: 'Unavailable',
      sockets: [
        { id: 2, status: 'Preparing' },
        { id: 7, status: 'Available' },
      ],
    });
    await charger.close();
  });

  it('51. shows nothing of an outdated status, and replaces a wrong clock by the time of receipt', async () => {
    const { chargerId, charger } = await connected(world());
    await charger.status(1, 'Charging', { timestamp: ago(10_000) });
    await charger.status(1, 'Available', { timestamp: ago(20_000) });
    await charger.status(2, 'Available', { timestamp: '2010-01-01T00:00:00Z' });
    const record = await shown(world(), chargerId, {
      sockets: [
        { id: 1, status: 'Charging' },
        { id: 2, status: 'Available' },
      ],
      deviations: [{ kind: 'clock_off', count: 1 }],
    });
    const [, second] = record['sockets'] as readonly { lastUpdated: string }[];
    expect(Math.abs(Date.now() - Date.parse(second?.lastUpdated ?? ''))).toBeLessThan(60_000);
    await charger.close();
  });

  it('52. requests the configuration and missing statuses after a boot, and does not count connector 0', async () => {
    const { chargerId, charger } = await connected(world());
    charger.answer('TriggerMessage', ({ connectorId }) => {
      void charger.status(Number(connectorId ?? 0), 'Available');
      return { status: 'Accepted' };
    });
    await charger.boot();
    await charger.waitForCall('GetConfiguration');
    await charger.waitForCall('TriggerMessage');
    await shown(world(), chargerId, { sockets: [{ id: 1 }, { id: 2 }] });
    expect(await readLegacy(world(), chargerId)).toMatchObject({ amountOfSockets: 2 });
    await charger.close();
  });

  it('53. answers a start with an unknown or blocked tag with its status, and a unique transaction id of 32 bits', async () => {
    const { charger } = await connected(world());
    const blocked = await makeTag(world(), { blocked: true });
    const [one, two] = [
      await charger.start({ idTag: 'NOBODY' }),
      await charger.start({ idTag: blocked, connectorId: 2 }),
    ];
    expect([one['idTagInfo'], two['idTagInfo']]).toMatchObject([{ status: 'Invalid' }, { status: 'Blocked' }]);
    for (const { transactionId } of [one, two]) {
      expect(Number.isInteger(transactionId)).toBe(true);
      expect(Number(transactionId)).toBeGreaterThan(0);
      expect(Number(transactionId)).toBeLessThan(2 ** 31);
    }
    expect(one['transactionId']).not.toBe(two['transactionId']);
    await charger.close();
  });

  it('54. accepts a start that arrives hours late with its own time, and marks it as started offline', async () => {
    const { charger } = await connected(world());
    const timestamp = ago(5 * HOUR_MS);
    const { transactionId } = await charger.start({ idTag: await makeTag(world()), timestamp });
    await sessionOf(world(), transactionId, { startTime: timestamp, startedOffline: true, state: 'ongoing' });
    await charger.close();
  });

  it('56. answers a stop of an unknown transaction, 0 or -1, and stops nothing', async () => {
    const { chargerId, charger } = await connected(world());
    const other = await connected(world());
    const { transactionId } = await charger.start({ idTag: await makeTag(world()) });
    for (const unknown of [0, -1, 2_000_000_000]) expect(await charger.stop({ transactionId: unknown })).toEqual({});
    await other.charger.stop({ transactionId: Number(transactionId) });
    await charger.heartbeat();
    await sessionOf(world(), transactionId, { state: 'ongoing', endTime: null });
    expect(await sessionsOf(world(), chargerId)).toHaveLength(1);
    await Promise.all([charger.close(), other.charger.close()]);
  });

  it.each(['-1', '987654321', '1152921504606846977', undefined])(
    '57. answers MeterValues of transaction %s with {}, and stores them exactly as sent',
    async (transactionId) => {
      const { chargerId, charger } = await connected(world());
      const id = transactionId === undefined ? '' : `"transactionId":${transactionId},`;
      const frame = `[2,"mv","MeterValues",{"connectorId":1,${id}"meterValue":[{"timestamp":"${ago(0)}","sampledValue":[{"value":" 8.10"}]}]}]`;
      charger.send(frame);
      await eventually(() => charger.frames.some(({ text }) => text === '[3,"mv",{}]'));
      await shown(world(), chargerId, { lastMessage: frame });
      await charger.close();
    },
  );

  it('58. ends a session once after a stop before the answer of its start, and after a repeated stop', async () => {
    const { chargerId, charger } = await connected(world());
    const start = { connectorId: 1, idTag: 'T', meterStart: 100, timestamp: ago(1_000) };
    charger.send(JSON.stringify([2, 'start', 'StartTransaction', start]));
    expect(await charger.stop({ transactionId: 0, meterStop: 150 })).toEqual({});
    const { transactionId } = await charger.ask('StartTransaction', start);
    const stop = { transactionId: Number(transactionId), meterStop: 350, timestamp: ago(0), reason: 'Remote' };
    await charger.stop(stop);
    await charger.stop({ ...stop, meterStop: 999, reason: 'Other' });
    await charger.heartbeat();
    await sessionOf(world(), transactionId, {
      state: 'ended',
      meterStop: 350,
      consumptionWh: 250,
      stopReason: 'Remote',
    });
    expect(await sessionsOf(world(), chargerId)).toHaveLength(1);
    await charger.close();
  });

  it('59. answers DataTransfer of an unknown vendor with UnknownVendorId, for any data', async () => {
    const { charger } = await connected(world());
    for (const over of [{}, { messageId: 'M' }, { messageId: '', data: '{"a":1}' }]) {
      expect(await charger.ask('DataTransfer', { vendorId: 'Nobody', ...over })).toEqual({ status: 'UnknownVendorId' });
    }
    await charger.close();
  });

  it('60. answers status and security notifications with {}, and stores them', async () => {
    const { chargerId, charger } = await connected(world());
    const notifications = [
      ['FirmwareStatusNotification', { status: 'Downloading' }],
      ['DiagnosticsStatusNotification', { status: 'Uploading' }],
      ['SecurityEventNotification', { type: 'TamperDetectionActivated', timestamp: ago(0) }],
      ['LogStatusNotification', { status: 'Uploading', requestId: 4 }],
      ['SignedFirmwareStatusNotification', { status: 'SignatureVerified', requestId: 5 }],
    ] as const;
    for (const [action, payload] of notifications) expect(await charger.ask(action, payload)).toEqual({});
    await eventually(async () => {
      const log = await logged(world(), chargerId);
      for (const [action] of notifications) expect(log).toContain(action);
      return true;
    });
    await charger.close();
  });

  it('61. returns the status of a tag for Authorize and StartTransaction, and ConcurrentTx for StartTransaction alone', async () => {
    const { charger } = await connected(world());
    const elsewhere = await connected(world());
    const [good, blocked] = [await makeTag(world()), await makeTag(world(), { blocked: true })];
    const expired = await makeTag(world(), { expiringDate: ago(HOUR_MS) });
    const standings = [
      [good, 'Accepted'],
      [blocked, 'Blocked'],
      [expired, 'Expired'],
      ['NOBODY', 'Invalid'],
    ] as const;
    for (const [idTag, status] of standings) {
      expect(await charger.authorize(idTag)).toMatchObject({ idTagInfo: { status } });
    }
    expect(await charger.start({ idTag: good })).toMatchObject({ idTagInfo: { status: 'Accepted' } });
    expect(await elsewhere.charger.authorize(good)).toMatchObject({ idTagInfo: { status: 'Accepted' } });
    expect(await elsewhere.charger.start({ idTag: good })).toMatchObject({ idTagInfo: { status: 'ConcurrentTx' } });
    await Promise.all([charger.close(), elsewhere.charger.close()]);
  });

  it('62. accepts and stores a boot; a second one updates it', async () => {
    const { chargerId, charger } = await connected(world());
    const boot = { chargePointVendor: 'V', chargePointModel: 'M', chargeBoxSerialNumber: 'BOX', firmwareVersion: '1' };
    const more = { iccid: '89', imsi: '26', meterType: 'MT', meterSerialNumber: 'MS' };
    expect(await charger.ask('BootNotification', { ...boot, ...more })).toMatchObject({
      status: 'Accepted',
      interval: 300,
    });
    const { chargePointVendor: manufacturer, chargePointModel: model } = boot;
    await shown(world(), chargerId, { manufacturer, model, serial: 'BOX', firmware: '1', ...more });
    await charger.ask('BootNotification', { ...boot, chargePointSerialNumber: 'POINT', firmwareVersion: '2' });
    await shown(world(), chargerId, { serial: 'POINT', firmware: '2', iccid: '' });
    await charger.close();
  });

  it.each(VERSIONS)('68. shows lastSeen and lastMessage of the last Heartbeat after a storm of %s', async (version) => {
    const { chargerId, charger } = await connected(world(), version);
    const before = Date.now();
    const answers = await Promise.all(Array.from({ length: 500 }, () => charger.call('Heartbeat', {})));
    expect(answers.every(({ kind }) => kind === 'result')).toBe(true);
    const lastMessage = charger.frames.filter(({ from }) => from === 'charger').at(-1)?.text;
    const { lastSeen } = await shown(world(), chargerId, { lastMessage });
    expect(Date.parse(lastSeen ?? '')).toBeGreaterThanOrEqual(before);
    await charger.close();
  });
});
