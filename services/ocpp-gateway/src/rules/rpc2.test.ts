// Rules 107 to 122 of OCPP 2.0.1 and 2.1, on real sockets.
import { eventually, UpgradeRejected, type ScriptedCharger } from '@busbar/testing';
import { COMPATIBILITY, idOf, openWorld, type GatewayWorld, type WorldOptions } from '../testing/open-world';

const BOTH = ['ocpp2.0.1', 'ocpp2.1'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const STATUS = { timestamp: '2026-01-01T00:00:00Z', connectorStatus: 'Available', evseId: 1, connectorId: 1 };
const STREAM = { id: 1, pending: 0, basetime: '2026-01-01T00:00:00Z', data: [{ t: 0, v: '1' }] };
const BOOT = { reason: 'PowerUp', chargingStation: { vendorName: 'V', model: 'M' } };

let world: GatewayWorld;
let charger: ScriptedCharger;
afterEach(() => world.close());

async function open(version: string, options: WorldOptions = {}, admitted: object = {}): Promise<void> {
  world = await openWorld(options);
  world.admit(() => world.acceptance({ securityProfile: 2, ...admitted }));
  charger = await world.connect({ subprotocols: [version] });
  await world.waitFor(({ kind }) => kind === 'connected');
}

const fromService = (): unknown[][] =>
  charger.frames.filter(({ from }) => from === 'service').map(({ text }) => JSON.parse(text) as unknown[]);
const codeOf = (answer: unknown) => (answer as { code?: string }).code;
const deviationsOf = (kind: string) => world.metric(`busbar_gateway_deviations_total{kind="${kind}"}`);
/** Everything sent before has been taken once this is answered. */
const allReceived = () => charger.ask('Heartbeat', {});

it.each(BOTH)('109. negotiates permessage-deflate with a charger of %s that offers it', async (version) => {
  world = await openWorld();
  charger = await world.connect({ subprotocols: [version], perMessageDeflate: true });
  expect(charger.extensions).toContain('permessage-deflate');
  expect(await charger.ask('Heartbeat', {})).toHaveProperty('currentTime');
});

describe('security', () => {
  it('107. tolerates and counts a charger without any', async () => {
    await open('ocpp2.0.1', {}, { securityProfile: 0 });
    const connected = await world.waitFor(({ kind }) => kind === 'connected');
    expect(connected).toMatchObject({ deviations: ['no_security'] });
  });

  it('107. refuses such a charger with 401 where the listener is strict', async () => {
    world = await openWorld({ settings: { strict: true } });
    const refused = await world.connect({ subprotocols: ['ocpp2.1'] }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UpgradeRejected);
    expect(refused).toMatchObject({ status: 401 });
  });
});

describe.each(BOTH)('frames of %s', (version) => {
  it('110. answers an unreadable one under its id, else under -1, and closes after ten in a row with 1008', async () => {
    await open(version);
    charger.send('{broken');
    charger.send('["2","mine","Heartbeat",{}]');
    await eventually(() => fromService().length === 2);
    expect(fromService().map((frame) => frame.slice(0, 3))).toEqual([
      [4, '-1', 'RpcFrameworkError'],
      [4, 'mine', 'RpcFrameworkError'],
    ]);
    expect(JSON.stringify(fromService())).not.toContain('broken');
    for (let i = 0; i < 8; i += 1) charger.send('{broken');
    expect(await charger.waitForClose()).toMatchObject({ code: 1008 });
  });

  it('112. answers an empty message id under -1', async () => {
    await open(version);
    charger.send('[2,"","Heartbeat",{}]');
    await eventually(() => fromService().length === 1);
    expect(fromService()[0]?.slice(0, 3)).toEqual([4, '-1', 'RpcFrameworkError']);
  });

  it('112. takes a payload of null as an empty one, and counts it', async () => {
    await open(version);
    expect(await charger.call('Heartbeat', null)).toMatchObject({ kind: 'result' });
    expect(await deviationsOf('null_payload')).toBe(1);
  });

  it('112. refuses null and a numeric id where the listener is strict', async () => {
    await open(version, { settings: { strict: true } });
    expect(codeOf(await charger.call('Heartbeat', null))).toBe('FormatViolation');
    charger.send('[2,5,"Heartbeat",{}]');
    charger.send('[2,5,"Heartbeat",{}]');
    await eventually(() => fromService().length === 3);
    const refused = [4, '-1', 'RpcFrameworkError'];
    expect(
      fromService()
        .slice(1)
        .map((frame) => frame.slice(0, 3)),
    ).toEqual([refused, refused]);
  });

  it('49. gives charger-state a payload without null and empty lists; 113. the raw frame keeps them', async () => {
    await open(version);
    await charger.call('StatusNotification', { ...STATUS, customData: null }, 'nulled');
    const report = await world.waitFor(({ action }) => action === 'StatusNotification');
    expect(report).toMatchObject({ payload: STATUS, deviations: ['null_field'] });
    expect(report.raw).toContain('"customData":null');
  });

  it.each([true, false])('170. judges an unknown enum value by the switch vendorFields: %s', async (vendorFields) => {
    await open(version, {}, { compatibility: { ...COMPATIBILITY, vendorFields } });
    const outcome = await charger.call('StatusNotification', { ...STATUS, connectorStatus: 'Dreaming' });
    expect(codeOf(outcome)).toBe(vendorFields ? undefined : 'PropertyConstraintViolation');
    expect(await deviationsOf('unknown_enum_value')).toBe(vendorFields ? 1 : 0);
  });

  it('118. has UUIDs as ids of our CALLs', async () => {
    await open(version);
    await world.command(idOf(world), 'ClearCache', {});
    expect((await charger.waitForCall('ClearCache')).messageId).toMatch(UUID);
  });

  it('125. takes a frame of 200,000 bytes, and closes at one above the limit with 1009', async () => {
    await open(version);
    const data = (length: number) => ({ vendorId: 'V', data: 'x'.repeat(length) });
    expect(await charger.call('DataTransfer', data(200_000))).toMatchObject({ kind: 'result' });
    charger.send(JSON.stringify([2, 'large', 'DataTransfer', data(300_000)]));
    expect(await charger.waitForClose()).toMatchObject({ code: 1009 });
  });

  it.each(['pending', 'rejected'])(
    '63. answers anything but a boot with SecurityError; 121. while it is %s',
    async (bootStatus) => {
      await open(version, {}, { bootStatus });
      expect(codeOf(await charger.call('StatusNotification', STATUS))).toBe('SecurityError');
      expect(codeOf(await charger.call('Heartbeat', {}))).toBe('SecurityError');
      await charger.ask('BootNotification', BOOT);
      expect(await charger.call('StatusNotification', STATUS)).toMatchObject({ kind: 'result' });
    },
  );

  it('121. follows the last answer to a boot', async () => {
    await open(version);
    const answer = { interval: 60, currentTime: '2026-01-01T00:00:00.000Z' };
    world.decide('BootNotification', () => ({ status: 'Pending', ...answer }));
    await charger.ask('BootNotification', BOOT);
    expect(codeOf(await charger.call('Heartbeat', {}))).toBe('SecurityError');
  });

  it('121. processes the same frame once a boot is accepted', async () => {
    await open(version, {}, { bootStatus: 'pending' });
    const repeat = () => charger.call('StatusNotification', STATUS, 'same');
    expect(codeOf(await repeat())).toBe('SecurityError');
    expect(codeOf(await repeat())).toBe('SecurityError');
    await charger.ask('BootNotification', BOOT);
    expect(await repeat()).toMatchObject({ kind: 'result' });
  });

  it('121. accepts what a CALL of ours asked for, and its result', async () => {
    await open(version, {}, { bootStatus: 'pending' });
    const report = { requestId: 1, generatedAt: STATUS.timestamp, seqNo: 0 };
    expect(codeOf(await charger.call('NotifyReport', report))).toBe('SecurityError');
    charger.answer('GetBaseReport', () => ({ status: 'Accepted' }));
    const request = { requestId: 1, reportBase: 'FullInventory' };
    expect(await world.command(idOf(world), 'GetBaseReport', request)).toMatchObject({ outcome: 'answered' });
    expect(await charger.call('NotifyReport', report)).toMatchObject({ kind: 'result' });
    expect(codeOf(await charger.call('StatusNotification', STATUS))).toBe('SecurityError');
  });

  it('121. accepts the report that a CALL of ours asked for on the connection before', async () => {
    await open(version, {}, { bootStatus: 'pending', solicited: ['NotifyReport'] });
    const report = { requestId: 1, generatedAt: STATUS.timestamp, seqNo: 0 };
    expect(await charger.call('NotifyReport', report)).toMatchObject({ kind: 'result' });
    expect(codeOf(await charger.call('StatusNotification', STATUS))).toBe('SecurityError');
  });

  it('122. tolerates and counts messages before the first boot', async () => {
    await open(version, {}, { bootStatus: 'none' });
    expect(await charger.call('StatusNotification', STATUS)).toMatchObject({ kind: 'result' });
    expect(await deviationsOf('not_booted')).toBe(1);
  });

  it('122. refuses them with SecurityError where the listener is strict', async () => {
    await open(version, { settings: { strict: true } }, { bootStatus: 'none' });
    expect(codeOf(await charger.call('StatusNotification', STATUS))).toBe('SecurityError');
    expect(await charger.call('BootNotification', BOOT)).toMatchObject({ kind: 'result' });
  });
});

describe('message types', () => {
  it('111. answers one that 2.0.1 does not have with MessageTypeNotSupported, under its id or -1', async () => {
    await open('ocpp2.0.1');
    charger.send('[9,"mine"]');
    charger.send('[5,"other","X","",{}]');
    charger.send('[6]');
    await eventually(() => fromService().length === 3);
    expect(fromService().map((frame) => frame.slice(0, 3))).toEqual([
      [4, 'mine', 'MessageTypeNotSupported'],
      [4, 'other', 'MessageTypeNotSupported'],
      [4, '-1', 'MessageTypeNotSupported'],
    ]);
  });

  it('111. ignores and counts one that 2.1 does not have', async () => {
    await open('ocpp2.1');
    charger.send('[7,"mine"]');
    await allReceived();
    expect(fromService()).toHaveLength(1);
    expect(await deviationsOf('unknown_message_type')).toBe(1);
  });

  it('115. publishes a SEND as a report without an answer', async () => {
    await open('ocpp2.1');
    charger.send(JSON.stringify([6, 's1', 'NotifyPeriodicEventStream', STREAM]));
    const report = await world.waitFor(({ action }) => action === 'NotifyPeriodicEventStream');
    expect(report).toMatchObject({ kind: 'report', unanswered: true, payload: STREAM, messageId: 's1' });
    expect(report.answer).toBeUndefined();
    await allReceived();
    expect(fromService()).toHaveLength(1);
  });

  it.each(['pending', 'rejected', 'none'])('121. publishes a SEND while its boot is %s', async (bootStatus) => {
    await open('ocpp2.1', {}, { bootStatus });
    charger.send(JSON.stringify([6, 's1', 'NotifyPeriodicEventStream', STREAM]));
    expect(await world.waitFor(({ action }) => action === 'NotifyPeriodicEventStream')).toMatchObject({
      kind: 'report',
      unanswered: true,
    });
    expect(fromService()).toEqual([]);
  });

  it('115. holds up no reading of the line while a SEND waits for its confirm', async () => {
    await open('ocpp2.1');
    const release = world.hold();
    charger.send(JSON.stringify([6, 's1', 'NotifyPeriodicEventStream', STREAM]));
    expect(codeOf(await charger.call('NoSuchAction', {}))).toBe('NotImplemented');
    charger.answer('ClearCache', () => ({ status: 'Accepted' }));
    void world.command(idOf(world), 'ClearCache', {});
    expect(await charger.waitForCall('ClearCache')).toMatchObject({ payload: {} });
    expect(world.reports.some(({ action }) => action === 'NotifyPeriodicEventStream')).toBe(false);
    release();
    await world.waitFor(({ action }) => action === 'NotifyPeriodicEventStream');
  });

  it.each([
    ['of an unknown action', '[6,"s","NoSuchAction",{}]'],
    ['of the action of a CALL', '[6,"s","Heartbeat",{}]'],
    ['that does not fit its schema', '[6,"s","NotifyPeriodicEventStream",{}]'],
    ['without a payload', '[6,"s","NotifyPeriodicEventStream"]'],
    ['without an id', '[6]'],
  ])('115. drops and counts a SEND %s, and never answers it', async (_what, frame) => {
    await open('ocpp2.1');
    charger.send(frame);
    await allReceived();
    expect(fromService()).toHaveLength(1);
    expect(await deviationsOf('unusable_send')).toBe(1);
  });

  it('115. answers the action of a SEND as a CALL with NotSupported', async () => {
    await open('ocpp2.1');
    expect(codeOf(await charger.call('NotifyPeriodicEventStream', STREAM))).toBe('NotSupported');
  });

  it('115. drops and counts a SEND while the broker does not keep up', async () => {
    await open('ocpp2.1', { limits: { maxUnconfirmed: 1 } });
    const letGo = world.hold();
    charger.send(JSON.stringify([6, 's1', 'NotifyPeriodicEventStream', STREAM]));
    charger.send(JSON.stringify([6, 's2', 'NotifyPeriodicEventStream', STREAM]));
    await eventually(async () => (await world.metric('busbar_gateway_sends_dropped_total')) > 0);
    letGo();
  });

  it.each(['"again"', '7'])('116. judges a CALL of the id %s anew after its answer was refused', async (id) => {
    await open('ocpp2.1');
    const repeat = () => {
      charger.send(`[2,${id},"StatusNotification",${JSON.stringify(STATUS)}]`);
      return allReceived();
    };
    await repeat();
    charger.send(`[5,${id},"FormatViolation","no",{}]`);
    await repeat();
    expect(
      world.reports.filter(({ action, kind }) => action === 'StatusNotification' && kind === 'report'),
    ).toHaveLength(2);
    expect(await deviationsOf('result_refused')).toBe(1);
  });

  it('116. ignores a refusal of an answer that was never given', async () => {
    await open('ocpp2.1');
    charger.send('[5,"nobody","FormatViolation","no",{}]');
    await allReceived();
    expect(fromService()).toHaveLength(1);
    expect(await deviationsOf('result_refused')).toBe(0);
  });

  it.each<[string, boolean, unknown, readonly string[]]>([
    ['ocpp2.1', true, {}, ['OccurrenceConstraintViolation']],
    ['ocpp2.1', false, {}, ['OccurrenceConstraintViolation']],
    ['ocpp2.1', true, { status: 7 }, ['TypeConstraintViolation']],
    ['ocpp2.1', false, { status: 7 }, ['TypeConstraintViolation']],
    ['ocpp2.1', true, { status: 'Maybe' }, ['PropertyConstraintViolation']],
    ['ocpp2.1', true, { status: 'Accepted', own: 1 }, ['OccurrenceConstraintViolation']],
    ['ocpp2.1', true, [], ['FormatViolation']],
    ['ocpp2.0.1', true, {}, []],
    ['ocpp2.0.1', false, {}, []],
  ])('117. refuses in %s (strict: %j) the result %j with %j', async (version, strict, answer, refusals) => {
    await open(version, { settings: { strict } });
    charger.answer('ClearCache', () => answer as Readonly<Record<string, unknown>>);
    expect(await world.command(idOf(world), 'ClearCache', {})).toMatchObject({ outcome: 'invalid_answer' });
    await allReceived();
    const errors = fromService().filter(([type]) => type === 5);
    expect(errors.map(([, , code]) => code)).toEqual(refusals);
  });
});

it('117. refuses no result where the charger fails on refusals', async () => {
  await open('ocpp2.1', {}, { compatibility: { ...COMPATIBILITY, noCallResultError: true } });
  charger.answer('ClearCache', () => ({}));
  expect(await world.command(idOf(world), 'ClearCache', {})).toMatchObject({ outcome: 'invalid_answer' });
  await allReceived();
  expect(fromService().filter(([type]) => type === 5)).toEqual([]);
});

describe('a frame that is repeated on a later connection', () => {
  const reconnect = async (version: string) => {
    const url = `${world.origin}/ocpp/${idOf(world)}`;
    await charger.close();
    await world.waitFor(({ kind }) => kind === 'disconnected');
    charger = await world.connect({ url, subprotocols: [version] });
  };
  const statuses = () =>
    world.reports.filter(({ action, kind }) => action === 'StatusNotification' && kind === 'report');

  it('119. gets the remembered answer in 2.1, and has no second effect', async () => {
    await open('ocpp2.1');
    const first = await charger.call('StatusNotification', STATUS, 'unique');
    await reconnect('ocpp2.1');
    expect(await charger.call('StatusNotification', STATUS, 'unique')).toEqual(first);
    expect(statuses()).toHaveLength(1);
  });

  it('119. gets the remembered answer while the earlier connection is half-open, and after both', async () => {
    await open('ocpp2.1');
    const earlier = charger;
    const url = `${world.origin}/ocpp/${idOf(world)}`;
    const first = await charger.call('StatusNotification', STATUS, 'unique');
    charger = await world.connect({ url, subprotocols: ['ocpp2.1'] });
    expect(await charger.call('StatusNotification', STATUS, 'unique')).toEqual(first);
    const second = await charger.call('StatusNotification', STATUS, 'newer');
    await earlier.waitForClose();
    await world.waitFor(({ kind }) => kind === 'disconnected');
    charger = await world.connect({ url, subprotocols: ['ocpp2.1'] });
    expect(await charger.call('StatusNotification', STATUS, 'unique')).toEqual(first);
    expect(await charger.call('StatusNotification', STATUS, 'newer')).toEqual(second);
    expect(statuses()).toHaveLength(2);
  });

  it('23. gets the remembered answer behind those to earlier CALLs that wait', async () => {
    await open('ocpp2.1');
    await charger.call('StatusNotification', STATUS, 'first');
    await reconnect('ocpp2.1');
    const release = world.hold();
    for (const id of ['waiting', 'first']) charger.send(JSON.stringify([2, id, 'StatusNotification', STATUS]));
    charger.send('[2,"refused","NoSuchAction",{}]');
    release();
    await eventually(() => fromService().length === 3);
    expect(fromService().map(([, id]) => id)).toEqual(['waiting', 'first', 'refused']);
  });

  it.each<[string, string, object, number]>([
    ['again with no time of its own', 'LogStatusNotification', { status: 'Idle' }, 2],
    ['once with its own time', 'StatusNotification', STATUS, 1],
  ])('119. is processed %s after a boot in between', async (_title, action, payload, times) => {
    await open('ocpp2.1');
    await charger.call(action, payload, '2');
    await reconnect('ocpp2.1');
    await charger.call('BootNotification', BOOT, '1');
    expect(await charger.call(action, payload, '2')).toMatchObject({ kind: 'result' });
    expect(world.reports.filter((each) => each.action === action && each.kind === 'report')).toHaveLength(times);
  });

  it('119. is processed again in 2.1 where it is a boot', async () => {
    await open('ocpp2.1');
    await charger.call('BootNotification', BOOT, '1');
    await reconnect('ocpp2.1');
    await charger.call('BootNotification', BOOT, '1');
    expect(world.reports.filter(({ action }) => action === 'BootNotification')).toHaveLength(2);
  });

  it('119. is a new message in 2.1 where its content differs', async () => {
    await open('ocpp2.1');
    await charger.call('StatusNotification', STATUS, 'unique');
    await reconnect('ocpp2.1');
    const other = { ...STATUS, connectorStatus: 'Occupied' };
    expect(await charger.call('StatusNotification', other, 'unique')).toMatchObject({ kind: 'result' });
    expect(statuses()).toHaveLength(2);
  });

  it('119. is processed again in 2.0.1', async () => {
    await open('ocpp2.0.1');
    await charger.call('StatusNotification', STATUS, 'unique');
    await reconnect('ocpp2.0.1');
    await charger.call('StatusNotification', STATUS, 'unique');
    expect(statuses()).toHaveLength(2);
  });
});

it('128. publishes a TransactionEvent as a decision where it has a token, else as a report', async () => {
  await open('ocpp2.0.1');
  const event = { eventType: 'Updated', timestamp: STATUS.timestamp, triggerReason: 'MeterValuePeriodic', seqNo: 1 };
  const payload = { ...event, transactionInfo: { transactionId: 'T' } };
  expect(await charger.ask('TransactionEvent', payload)).toEqual({});
  const token = { idToken: { idToken: 'T', type: 'Central' } };
  expect(await charger.ask('TransactionEvent', { ...payload, ...token })).toHaveProperty('idTokenInfo');
  const kinds = world.reports.filter(({ action }) => action === 'TransactionEvent').map(({ kind }) => kind);
  expect(kinds).toEqual(['report', 'decision']);
});
