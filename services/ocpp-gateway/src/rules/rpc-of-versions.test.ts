// Rules 1 to 70 that hold in every version, by one table, on real sockets.
import { createFakeClock, eventually, type ScriptedCharger } from '@busbar/testing';
import { idOf, openWorld, type GatewayWorld, type WorldOptions } from '../testing/open-world';

interface Spoken {
  readonly version: string;
  readonly status: object;
  readonly authorize: object;
  /** An action of the other major version. */
  readonly otherAction: string;
  /** The answer to GetLocalListVersion. */
  readonly listVersion: Readonly<Record<string, number>>;
  /** GetCompositeSchedule, and its answer with a number of one decimal. */
  readonly schedule: readonly [asked: object, answer: Readonly<Record<string, unknown>>];
  /** The code for a payload that is no object, one with a field too few, and a message that is none. */
  readonly codes: readonly [format: string, occurrence: string, frame: string];
}

const STATUS_2 = { timestamp: '2026-01-01T00:00:00Z', connectorStatus: 'Available', evseId: 1, connectorId: 1 };
const TOKEN = { idToken: { idToken: 'T', type: 'Central' } };
const CODES_2 = ['FormatViolation', 'OccurrenceConstraintViolation', 'RpcFrameworkError'] as const;
const LIST_2 = { versionNumber: 1 };
const LIMITS = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 8.1 }] };
const SCHEDULE_2 = { ...LIMITS, evseId: 1, duration: 60, scheduleStart: '2026-01-01T00:00:00Z' };
const COMPOSITE_2 = [
  { evseId: 1, duration: 60 },
  { status: 'Accepted', schedule: SCHEDULE_2 },
] as const;
const OF_2 = {
  status: STATUS_2,
  authorize: TOKEN,
  otherAction: 'StartTransaction',
  listVersion: LIST_2,
  schedule: COMPOSITE_2,
  codes: CODES_2,
};
const SPOKEN: readonly Spoken[] = [
  {
    version: 'ocpp1.6',
    status: { connectorId: 1, status: 'Available', errorCode: 'NoError' },
    authorize: { idTag: 'T' },
    otherAction: 'TransactionEvent',
    listVersion: { listVersion: 1 },
    schedule: [
      { connectorId: 1, duration: 60 },
      { status: 'Accepted', connectorId: 1, chargingSchedule: LIMITS },
    ],
    codes: ['FormationViolation', 'OccurenceConstraintViolation', 'ProtocolError'],
  },
  { version: 'ocpp2.0.1', ...OF_2 },
  { version: 'ocpp2.1', ...OF_2 },
];

/** Messages without a readable id. */
const UNREADABLE = ['{}', '"x"', 'null', '5', '[]', '[2]', '[2,null,"Heartbeat",{}]', '[2,{},"Heartbeat",{}]'];
const MALFORMED = [
  '[2,"id"]',
  '[2,"id","Heartbeat"]',
  '[2,"id","Heartbeat",{},1]',
  '[2,"id",7,{}]',
  '[2,"id",null,{}]',
];
/** `FORMAT`: the code of the version for it. */
const CALL_ERRORS = [
  ['[4,ID]', 'GenericError', ''],
  ['[4,ID,"NotSupported"]', 'NotSupported', ''],
  ['[4,ID,"NotSupported","no"]', 'NotSupported', 'no'],
  ['[4,ID,"NotSupported",null,null]', 'NotSupported', ''],
  ['[4,ID,"VendorsOwn","so",{"a":1}]', 'VendorsOwn', 'so'],
  ['[4,ID,"FormatViolation","","x"]', 'FORMAT', ''],
  ['[4,ID,null,7,[]]', 'GenericError', ''],
] as const;
/** Also words of JavaScript. */
const UNKNOWN = ['NoSuchAction', 'constructor', '__proto__', 'toString', 'heartbeat', 'statusNotification'].map(
  (action) => [action, 'NotImplemented'] as const,
);

let world: GatewayWorld;
let charger: ScriptedCharger;
afterEach(() => world.close());

const fromService = (): string[] => charger.frames.filter(({ from }) => from === 'service').map(({ text }) => text);
const codeOf = (answer: unknown) => (answer as { code?: string }).code;

async function open(version: string, options: WorldOptions = {}): Promise<void> {
  world = await openWorld(options);
  charger = await world.connect({ subprotocols: [version] });
  await world.waitFor(({ kind }) => kind === 'connected');
}

describe.each(SPOKEN)(
  'frames of $version',
  ({ version, status, authorize, otherAction, codes: [format, occurrence, malformed] }) => {
    beforeEach(() => open(version));

    it('4. is chosen, and is in every report', async () => {
      expect(charger.subprotocol).toBe(version);
      await charger.call('StatusNotification', status);
      const report = await world.waitFor(({ action }) => action === 'StatusNotification');
      expect(report).toMatchObject({ kind: 'report', ocppVersion: version, payload: status });
    });

    it('23. answers pipelined CALLs once each and in order', async () => {
      charger.send(JSON.stringify([2, 'p1', 'Authorize', authorize]));
      charger.send(JSON.stringify([2, 'p2', 'Heartbeat', {}]));
      charger.send(JSON.stringify([2, 'p3', 'NoSuchAction', {}]));
      await eventually(() => fromService().length === 3);
      expect(fromService().map((text) => (JSON.parse(text) as unknown[])[1])).toEqual(['p1', 'p2', 'p3']);
    });

    it('24. answers while a CALL of ours is in flight, of which there is only one', async () => {
      charger.answer('ClearCache', () => ({ kind: 'silence' }));
      const id = idOf(world);
      void world.command(id, 'ClearCache', {}, 60_000).catch(() => undefined);
      await charger.waitForCall('ClearCache');
      void world.command(id, 'Reset', { type: 'Hard' }, 60_000).catch(() => undefined);
      expect(await charger.ask('Heartbeat', {})).toHaveProperty('currentTime');
      expect(charger.received.map(({ action }) => action)).toEqual(['ClearCache']);
    });

    it('28. gives a repeated frame the identical answer, and other content of the id an error', async () => {
      const first = await charger.call('Heartbeat', {}, 'same');
      expect(await charger.call('Heartbeat', {}, 'same')).toEqual(first);
      expect(codeOf(await charger.call('Authorize', authorize, 'same'))).toBe('ProtocolError');
    });

    it('29. echoes a number as message id, and one of 255 characters', async () => {
      charger.send('[2,7.0,"Heartbeat",{}]');
      await eventually(() => fromService().some((text) => text.startsWith('[3,7.0,')));
      expect(await charger.call('Heartbeat', {}, 'i'.repeat(255))).toMatchObject({ kind: 'result' });
    });

    it.each(UNREADABLE)('31. ignores %s, or answers it with the code of the version', async (frame) => {
      charger.send(frame);
      await charger.ask('Heartbeat', {});
      // OCPP 1.6 names no id for such an answer.
      const expected = version === 'ocpp1.6' ? [] : [[4, '-1', malformed]];
      const answers = fromService().slice(0, -1);
      expect(answers.map((text) => (JSON.parse(text) as unknown[]).slice(0, 3))).toEqual(expected);
    });

    it('31. answers a message with a readable id and without its parts with the code of the version', async () => {
      for (const frame of MALFORMED) charger.send(frame);
      await eventually(() => fromService().length === MALFORMED.length);
      for (const text of fromService()) {
        expect(JSON.parse(text)).toEqual([4, 'id', malformed, expect.any(String), {}]);
      }
    });

    it('31. answers a payload that is no object with the code of the version', async () => {
      for (const payload of [[], 'x', 7]) expect(codeOf(await charger.call('Heartbeat', payload))).toBe(format);
    });

    it('34. ignores an answer that nobody waits for', async () => {
      charger.send('[3,"nobody",{}]');
      charger.send('[4,"nobody","InternalError","",{}]');
      await charger.ask('Heartbeat', {});
      expect(fromService()).toHaveLength(1);
    });

    it.each(CALL_ERRORS)('36. takes a CALLERROR as a failure: %s', async (frame, code, description) => {
      charger.answer('ClearCache', () => ({ kind: 'silence' }));
      const outcome = world.command(idOf(world), 'ClearCache', {});
      const { messageId } = await charger.waitForCall('ClearCache');
      charger.send(frame.replace('ID', JSON.stringify(messageId)));
      expect(await outcome).toEqual({ outcome: 'error', code: code === 'FORMAT' ? format : code, description });
    });

    it('37. answers an unknown action, 38. one in the wrong case or of another version, 39. and one that is ours, with its code', async () => {
      for (const [action, code] of [...UNKNOWN, [otherAction, 'NotImplemented'], ['Reset', 'NotSupported']] as const) {
        const outcome = await charger.call(action, {});
        expect([action, codeOf(outcome)]).toEqual([action, code]);
        expect((outcome as { description: string }).description.length).toBeLessThanOrEqual(255);
        expect(await charger.ask('Heartbeat', {})).toHaveProperty('currentTime');
      }
    });

    it('40. survives deep nesting, NUL and lone surrogates', async () => {
      charger.send(`[2,"deep","Heartbeat",${'['.repeat(5_000)}${']'.repeat(5_000)}]`);
      charger.send('[2,"odd","\\u0000","\\ud800"]');
      await eventually(() => fromService().length === 2);
      expect(await charger.ask('Heartbeat', {})).toHaveProperty('currentTime');
    });

    it('43. answers with a time in UTC of at most three decimals', async () => {
      const { currentTime } = await charger.ask('Heartbeat', {});
      expect(currentTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/);
    });

    it('120. answers defects of a payload with the codes of the version', async () => {
      expect(codeOf(await charger.call('Authorize', []))).toBe(format);
      expect(codeOf(await charger.call('Authorize', {}))).toBe(occurrence);
      const [name] = Object.keys(authorize);
      expect(codeOf(await charger.call('Authorize', { [String(name)]: true }))).toBe('TypeConstraintViolation');
    });

    it('41. answers InternalError with a generic text where charger-state fails', async () => {
      world.decide('Authorize', () => 'failed');
      expect(await charger.call('Authorize', authorize)).toMatchObject({
        code: 'InternalError',
        description: 'The message could not be processed.',
      });
    });
  },
);

describe.each(SPOKEN)('CALLs of ours to a charger of $version', ({ version, listVersion, schedule }) => {
  it('25. go out one at a time; the next wait, and those beyond the queue are refused as busy', async () => {
    await open(version);
    let inFlight = 0;
    let max = 0;
    charger.answer('GetLocalListVersion', async () => {
      inFlight += 1;
      max = Math.max(max, inFlight);
      await charger.ping();
      inFlight -= 1;
      return listVersion;
    });
    const chargerId = idOf(world);
    const ended = await Promise.all(Array.from({ length: 30 }, () => world.command(chargerId, 'GetLocalListVersion')));
    expect(max).toBe(1);
    expect(ended.filter(({ outcome }) => outcome === 'answered')).toHaveLength(21);
    expect(ended.filter(({ outcome }) => outcome === 'busy')).toHaveLength(9);
  });

  it('26. count a late answer, match it with nothing, and do not block the next command', async () => {
    const clock = createFakeClock();
    await open(version, { clock });
    charger.answer('GetLocalListVersion', () => ({ kind: 'silence' }));
    const silent = world.command(idOf(world), 'GetLocalListVersion', {}, 5_000);
    const { messageId } = await charger.waitForCall('GetLocalListVersion');
    clock.advance(5_000);
    expect(await silent).toEqual({ outcome: 'timeout' });
    const next = world.command(idOf(world), 'ClearCache', {}, 5_000);
    charger.send(JSON.stringify([3, messageId, listVersion]));
    expect(await next).toEqual({ outcome: 'answered', payload: { status: 'Accepted' } });
    const counted = await world.waitFor(({ deviations }) => deviations?.includes('unmatched_answer') === true);
    expect(counted).toMatchObject({ kind: 'log_only', messageId });
  });

  it('27. end immediately as disconnected with the connection, and are not sent again', async () => {
    await open(version);
    charger.answer('GetLocalListVersion', () => ({ kind: 'silence' }));
    const chargerId = idOf(world);
    const commands = [world.command(chargerId, 'GetLocalListVersion'), world.command(chargerId, 'ClearCache')];
    await charger.waitForCall('GetLocalListVersion');
    charger.terminate();
    expect(await Promise.all(commands)).toEqual([{ outcome: 'disconnected' }, { outcome: 'disconnected' }]);
    const again = await world.connect({ url: `${world.origin}/ocpp/${chargerId}`, subprotocols: [version] });
    await again.ask('Heartbeat', {});
    expect(again.received).toEqual([]);
  });

  it('46. are answered with numbers of one decimal', async () => {
    const [asked, answer] = schedule;
    await open(version);
    charger.answer('GetCompositeSchedule', () => answer);
    const outcome = await world.command(idOf(world), 'GetCompositeSchedule', { ...asked });
    expect(outcome).toEqual({ outcome: 'answered', payload: answer });
  });

  it('35. end as an invalid answer where the schema is violated', async () => {
    await open(version);
    charger.answer('GetLocalListVersion', () => ({ listVersion: 'none', versionNumber: 'none' }));
    expect(await world.command(idOf(world), 'GetLocalListVersion')).toMatchObject({ outcome: 'invalid_answer' });
    expect(await charger.ask('Heartbeat', {})).toHaveProperty('currentTime');
  });
});
