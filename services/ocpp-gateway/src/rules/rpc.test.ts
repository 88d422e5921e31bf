// Rules 23 to 41 of what is promised to chargers, on real sockets.
import type { ReportEnvelope } from '@busbar/contracts';
import { eventually, type ScriptedCharger } from '@busbar/testing';
import { idOf, openWorld, type GatewayWorld } from '../testing/open-world';

const CHARGING_PROFILE = {
  chargingProfileId: 1,
  stackLevel: 0,
  chargingProfilePurpose: 'TxProfile',
  chargingProfileKind: 'Relative',
  chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
};

let world: GatewayWorld;
let charger: ScriptedCharger;

beforeEach(async () => {
  world = await openWorld();
  charger = await world.connect();
  await world.waitFor(({ kind }) => kind === 'connected');
});
afterEach(() => world.close());

const fromService = (): string[] => charger.frames.filter(({ from }) => from === 'service').map(({ text }) => text);
const answersTo = (id: string): string[] => fromService().filter((text) => text.startsWith(`[3,"${id}"`));
/** Everything sent before has been taken once this is answered. */
const allReceived = () => charger.heartbeat();
const reportsOf = (action: string) =>
  world.reports.filter((report) => report.kind !== 'log_only' && report.action === action);

describe('CALLs of the charger', () => {
  it('publishes the answer of a report in its envelope', async () => {
    charger.send('[2,7,"StatusNotification",{"connectorId":1,"status":"Available","errorCode":"NoError"}]');
    expect(await world.waitFor(({ action }) => action === 'StatusNotification')).toMatchObject({ answer: '[3,7,{}]' });
  });

  it('23. answers pipelined ones once each and in order, reports and decisions', async () => {
    const frames: [string, string, unknown][] = [
      ['p1', 'Authorize', { idTag: 'T' }],
      ['p2', 'Heartbeat', {}],
      ['p3', 'NoSuchAction', {}],
      ['p4', 'Authorize', { idTag: 'U' }],
    ];
    for (const [id, action, payload] of frames) charger.send(JSON.stringify([2, id, action, payload]));
    await eventually(() => fromService().length === 4);
    expect(fromService().map((text) => (JSON.parse(text) as unknown[])[1])).toEqual(['p1', 'p2', 'p3', 'p4']);
    await allReceived();
    expect(fromService()).toHaveLength(5);
  });

  it('23. answers a repeated one in order, behind a decision in progress', async () => {
    await allReceived();
    charger.send('[2,"known","Heartbeat",{}]');
    await eventually(() => answersTo('known').length === 1);
    const release = world.hold();
    charger.send('[2,"slow","Authorize",{"idTag":"T"}]');
    charger.send('[2,"known","Heartbeat",{}]');
    charger.send('[2,"bad"]');
    release();
    await eventually(() => fromService().length === 5);
    const ids = fromService().map((text) => (JSON.parse(text) as unknown[])[1]);
    expect(ids.slice(2)).toEqual(['slow', 'known', 'bad']);
  });

  it('23. refuses one in order, behind a decision in progress', async () => {
    const release = world.hold();
    charger.send('[2,"slow","Authorize",{"idTag":"T"}]');
    charger.send('[2,"bad"]');
    charger.send('[2,"worse","Heartbeat",[]]');
    release();
    await eventually(() => fromService().length === 3);
    expect(fromService().map((text) => (JSON.parse(text) as unknown[])[1])).toEqual(['slow', 'bad', 'worse']);
  });

  it('23. answers all in a flood', async () => {
    const flood = await Promise.all(Array.from({ length: 500 }, () => charger.call('Heartbeat', {})));
    expect(flood.filter(({ kind }) => kind === 'result')).toHaveLength(500);
  });

  it('24. answers immediately while a CALL of ours is in flight, and both complete', async () => {
    let answer: (payload: Readonly<Record<string, unknown>>) => void = () => undefined;
    charger.answer('GetConfiguration', () => new Promise((resolve) => (answer = resolve)));
    const ours = world.command(idOf(world), 'GetConfiguration');
    await charger.waitForCall('GetConfiguration');
    expect(await charger.heartbeat()).toHaveProperty('currentTime');
    answer({ configurationKey: [] });
    expect(await ours).toEqual({ outcome: 'answered', payload: { configurationKey: [] } });
    // Its own reports in between follow our CALL and precede its outcome.
    const ofOurs = ({ kind, chargerId }: ReportEnvelope) => kind === 'outcome' && chargerId === idOf(world);
    const { seq, sentAfter = seq } = await world.waitFor(ofOurs);
    expect(seq - sentAfter).toBe(2);
  });

  it('61. names a pending remote start until the charger has answered it', async () => {
    let answer: (payload: Readonly<Record<string, unknown>>) => void = () => undefined;
    charger.answer('RemoteStartTransaction', () => new Promise((resolve) => (answer = resolve)));
    const asked = { connectorId: 1, idTag: 'T', chargingProfile: CHARGING_PROFILE };
    const ours = world.command(idOf(world), 'RemoteStartTransaction', asked);
    await charger.waitForCall('RemoteStartTransaction');
    await charger.authorize('T');
    await charger.call('DataTransfer', { vendorId: 'V' });
    answer({ status: 'Accepted' });
    await ours;
    await charger.authorize('T');
    const [before, after] = reportsOf('Authorize');
    // No more of it than charger-state needs, and only with what it may authorize.
    expect(before?.pendingStart).toEqual({ socketId: 1, rfidTag: 'T' });
    expect(reportsOf('DataTransfer').map(({ pendingStart }) => pendingStart)).toEqual([undefined]);
    expect(after?.pendingStart).toBeUndefined();
    // The outcome stands after what was asked before it, and before what was asked after it.
    const outcome = await world.waitFor(
      ({ kind, action }) => kind === 'outcome' && action === 'RemoteStartTransaction',
    );
    expect([before?.seq, outcome.seq, after?.seq].toSorted((a = 0, b = 0) => a - b)).toEqual([
      ...[before?.seq, outcome.seq, after?.seq],
    ]);
  });

  it('28. answers a repeated frame identically, without a second effect', async () => {
    for (let time = 0; time < 3; time += 1) {
      charger.send(
        '[2,"same","StartTransaction",{"connectorId":1,"idTag":"T","meterStart":0,"timestamp":"2026-01-01T00:00:00Z"}]',
      );
      await eventually(() => answersTo('same').length === time + 1);
    }
    expect(new Set(answersTo('same')).size).toBe(1);
    expect(reportsOf('StartTransaction')).toHaveLength(1);
  });

  it('28. processes a frame once that repeats during processing, and answers each time', async () => {
    const release = world.hold();
    for (let time = 0; time < 3; time += 1) charger.send('[2,"twice","Authorize",{"idTag":"T"}]');
    release();
    await eventually(() => answersTo('twice').length === 3);
    expect(reportsOf('Authorize')).toHaveLength(1);
  });

  it('28. answers an id with other content with ProtocolError, and the first CALL keeps its answer', async () => {
    charger.send('[2,"id","Authorize",{"idTag":"T"}]');
    await eventually(() => answersTo('id').length === 1);
    expect(await charger.call('Heartbeat', {}, 'id')).toMatchObject({ kind: 'error', code: 'ProtocolError' });
    charger.send('[2,"id","Authorize",{"idTag":"T"}]');
    await eventually(() => answersTo('id').length === 2);
    expect(answersTo('id')[1]).toBe(answersTo('id')[0]);
    expect(reportsOf('Authorize')).toHaveLength(1);
  });
});

describe('message ids', () => {
  it.each([1, 36, 37, 255])('29. echoes an id whole at %s characters', async (length) => {
    const id = 'i'.repeat(length);
    expect(await charger.call('Heartbeat', {}, id)).toMatchObject({ kind: 'result' });
    const { deviations } = await world.waitFor(({ messageId }) => messageId === id);
    expect(deviations ?? []).toEqual(length > 36 ? ['long_message_id'] : []);
  });

  it.each(['', 'i'.repeat(256)])('29. answers an empty or too long id with ProtocolError', async (id) => {
    expect(await charger.call('Heartbeat', {}, id)).toMatchObject({ kind: 'error', code: 'ProtocolError' });
  });

  it.each(['17', '1.0', '-3', '12345678901234567890'])(
    '29. echoes an id unchanged and counts it where it is the number %s',
    async (id) => {
      charger.send(`[2,${id},"Heartbeat",{}]`);
      await eventually(() => fromService().some((text) => text.startsWith(`[3,${id},{"currentTime"`)));
      expect((await world.waitFor(({ messageId }) => messageId === id)).deviations).toEqual(['numeric_message_id']);
      expect(await world.metric('busbar_gateway_deviations_total{kind="numeric_message_id"}')).toBe(1);
    },
  );
});

describe('malformed frames', () => {
  it('30. drops and counts what is no JSON, and takes it for no sign of life', async () => {
    charger.send('{broken');
    charger.send('[2,"cut","Heartbeat",{}');
    await allReceived();
    expect(fromService()).toHaveLength(1);
    const logged = world.reports.filter(({ kind }) => kind === 'log_only');
    expect(logged).toMatchObject([
      { raw: '', deviations: ['unreadable_frame'] },
      { raw: '', deviations: ['unreadable_frame'] },
    ]);
    expect(await world.metric('busbar_gateway_frames_total{type="unreadable"}')).toBe(2);
  });

  it('30. tolerates them with valid ones between them', async () => {
    for (let round = 0; round < 15; round += 1) {
      for (let time = 0; time < 9; time += 1) charger.send('rubbish');
      await allReceived();
    }
    expect(charger.closed()).toBeUndefined();
  });

  it('30. closes the connection with 1008 at 128 in a row, and processes nothing behind them', async () => {
    for (let time = 0; time < 128; time += 1) charger.send('rubbish');
    charger.send('[2,"behind","Authorize",{"idTag":"T"}]');
    expect(await charger.waitForClose()).toMatchObject({ code: 1008 });
    await world.waitFor(({ kind }) => kind === 'disconnected');
    expect(reportsOf('Authorize')).toEqual([]);
  });

  it('31. ignores one whose type is a text', async () => {
    charger.send('["2","a"]');
    await allReceived();
    expect(fromService()).toHaveLength(1);
  });

  it('32. accepts and counts a payload of null', async () => {
    expect(await charger.call('Heartbeat', null, 'n')).toMatchObject({ kind: 'result' });
    expect((await world.waitFor(({ messageId }) => messageId === 'n')).deviations).toEqual(['null_payload']);
  });

  it.each([
    '[5,"x","Heartbeat",{}]',
    '[6,"x","NotifyPeriodicEventStream",{}]',
    '[9]',
    '[-1,"x"]',
    '[2.5,"x","Heartbeat",{}]',
  ])('33. ignores and counts an unknown message type: %s', async (frame) => {
    charger.send(frame);
    await allReceived();
    expect(fromService()).toHaveLength(1);
    expect((await world.waitFor(({ raw }) => raw === frame)).deviations).toEqual(['unknown_message_type']);
  });
});

describe("a charger's answers", () => {
  it.each(['[3,"nobody",{}]', '[4,"nobody","GenericError","",{}]', '[3,"nobody"]'])(
    '34. counts and does not answer an unknown id: %s',
    async (frame) => {
      charger.send(frame);
      await allReceived();
      expect(fromService()).toHaveLength(1);
      expect((await world.waitFor(({ raw }) => raw === frame)).deviations).toEqual(['unmatched_answer']);
    },
  );

  it.each([{ configurationKey: 'none' }, { configurationKey: [{ readonly: true }] }])(
    '35. ends the command as an invalid answer where the schema is violated: %j',
    async (payload) => {
      charger.answer('GetConfiguration', () => payload);
      expect(await world.command(idOf(world), 'GetConfiguration')).toMatchObject({ outcome: 'invalid_answer' });
      expect(await charger.heartbeat()).toHaveProperty('currentTime');
    },
  );
});

describe('error codes', () => {
  const status = { connectorId: 1, status: 'Available', errorCode: 'NoError' };

  it.each([
    ['39. refuses an action that is ours to send', 'RemoteStartTransaction', { idTag: 'T' }, 'NotSupported'],
    ['31. refuses a payload that is a number', 'StatusNotification', 7, 'FormationViolation'],
    ['45. refuses a missing field', 'StatusNotification', {}, 'OccurenceConstraintViolation'],
    [
      '45. refuses too few entries',
      'MeterValues',
      { connectorId: 1, meterValue: [{}] },
      'OccurenceConstraintViolation',
    ],
    ['45. refuses another JSON type', 'StatusNotification', { ...status, connectorId: 'A' }, 'TypeConstraintViolation'],
    ['45. refuses null for a field', 'StatusNotification', { ...status, connectorId: null }, 'TypeConstraintViolation'],
    ['47. refuses an idTag of 21 characters', 'Authorize', { idTag: 'T'.repeat(21) }, 'PropertyConstraintViolation'],
    [
      '42. refuses a text that names no timestamp',
      'StatusNotification',
      { ...status, timestamp: 'noon' },
      'PropertyConstraintViolation',
    ],
  ])('%s (%s) with its code, and answers the next CALL', async (_what, action, payload, code) => {
    const outcome = await charger.call(action, payload, 'e');
    expect(outcome).toMatchObject({ kind: 'error', code, details: {} });
    if (outcome.kind === 'error') expect(outcome.description?.length).toBeLessThanOrEqual(255);
    expect(await charger.heartbeat()).toHaveProperty('currentTime');
    const logged = await world.waitFor(({ kind, messageId }) => kind === 'log_only' && messageId === 'e');
    expect(logged.answer).toContain(code);
  });

  it('40. answers nesting, long texts, NUL and lone surrogates, and keeps the connection open', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    charger.send(`[2,"deep","DataTransfer",{"vendorId":"V","data":${deep}}]`);
    charger.send(`[2,"objects","Heartbeat",${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}]`);
    charger.send(`[2,"nul\\u0000\\ud800","Heartbeat",{}]`);
    charger.send(`[2,"long","DataTransfer",{"vendorId":"V","data":"${'x'.repeat(200_000)}"}]`);
    await allReceived();
    const sent = fromService();
    expect(sent.find((text) => text.startsWith('[4,"deep"'))).toContain('FormationViolation');
    expect(sent.find((text) => text.startsWith('[4,"objects"'))).toContain('FormationViolation');
    expect(sent.find((text) => text.startsWith('[3,"nul\\u0000\\ud800"'))).toBeDefined();
    expect(sent.find((text) => text.startsWith('[3,"long"'))).toBeDefined();
  });

  it('41. hides an internal failure behind InternalError with a generic text', async () => {
    world.decide('Authorize', () => 'failed');
    const outcome = await charger.call('Authorize', { idTag: 'T' });
    expect(outcome).toEqual({
      kind: 'error',
      code: 'InternalError',
      description: 'The message could not be processed.',
      details: {},
    });
  });
});
