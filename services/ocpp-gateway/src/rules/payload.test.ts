// Rules 42 to 48 as far as the gateway implements them: what it refuses and what it tolerates, by
// the listener and by the charger's own switches. What is stored is in test-e2e.
import type { Compatibility } from '@busbar/contracts';
import { openWorld, type GatewayWorld } from '../testing/open-world';

type Payload = Readonly<Record<string, unknown>>;

const status = { connectorId: 1, status: 'Available', errorCode: 'NoError' };
const start = { connectorId: 1, idTag: 'T', meterStart: 0, timestamp: '2026-01-01T00:00:00Z' };
const meter = (sample: Payload): Payload => ({
  connectorId: 1,
  meterValue: [{ timestamp: '2026-01-01T00:00:00Z', sampledValue: [{ value: '1', ...sample }] }],
});

let tolerant: GatewayWorld;
let strict: GatewayWorld;
beforeAll(async () => {
  [tolerant, strict] = await Promise.all([openWorld(), openWorld({ settings: { strict: true } })]);
});
afterAll(() => Promise.all([tolerant.close(), strict.close()]));

/** The result of a CALL: its CALLERROR's code, or its deviations. */
async function judged(world: GatewayWorld, action: string, payload: unknown): Promise<string | readonly string[]> {
  const charger = await world.connect();
  const messageId = `p-${Math.random().toString(36).slice(2)}`;
  const outcome = await charger.call(action, payload, messageId);
  charger.terminate();
  if (outcome.kind === 'error') return outcome.code;
  return (await world.waitFor((report) => report.messageId === messageId)).deviations ?? [];
}

/** An answer of the default listener with these switches of the charger off. */
async function judgedWithout(off: Partial<Compatibility>, action: string, payload: unknown) {
  tolerant.admit(() => {
    const accepted = tolerant.acceptance();
    return { ...accepted, compatibility: { ...accepted.compatibility, ...off } };
  });
  try {
    return await judged(tolerant, action, payload);
  } finally {
    tolerant.admit(() => tolerant.acceptance());
  }
}

it.each([
  '2026-01-02T03:04:05Z',
  '2026-01-02T03:04:05.123Z',
  '2026-01-02T03:04:05.1234567Z',
  '2026-01-02T03:04:05+02:00',
  '2026-01-02T03:04:05+02',
])('42. accepts the timestamp %s, strict or not', async (timestamp) => {
  for (const world of [tolerant, strict]) {
    expect(await judged(world, 'StatusNotification', { ...status, timestamp })).toEqual([]);
  }
});

it('42. counts a timestamp without a zone, and refuses it where strict', async () => {
  const payload = { ...status, timestamp: '2026-01-02T03:04:05' };
  expect(await judged(tolerant, 'StatusNotification', payload)).toEqual(['zoneless_timestamp']);
  expect(await judged(strict, 'StatusNotification', payload)).toBe('PropertyConstraintViolation');
  expect(await judgedWithout({ zonelessIsUtc: false }, 'StatusNotification', payload)).toBe(
    'PropertyConstraintViolation',
  );
});

it('43. sends a currentTime that ends in Z and has at most three decimals', async () => {
  const charger = await tolerant.connect();
  for (let time = 0; time < 20; time += 1) {
    const { currentTime } = await charger.heartbeat();
    expect(currentTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/);
  }
});

it.each(['Celsius', 'Celcius', 'Fahrenheit', 'K'])('44. accepts the unit %s, strict or not', async (unit) => {
  for (const world of [tolerant, strict]) {
    expect(await judged(world, 'MeterValues', meter({ measurand: 'Temperature', unit }))).toEqual([]);
  }
});

it('44. accepts a StopTransaction without a reason, strict or not', async () => {
  const stop = { transactionId: 1, meterStop: 10, timestamp: '2026-01-01T00:00:00Z' };
  for (const world of [tolerant, strict]) expect(await judged(world, 'StopTransaction', stop)).toEqual([]);
});

it.each<[string, string, Payload, string, string]>([
  ['a field', 'StatusNotification', { ...status, vendorField: 1 }, 'vendor_field', 'OccurenceConstraintViolation'],
  ['a field deep inside', 'MeterValues', meter({ own: {} }), 'vendor_field', 'OccurenceConstraintViolation'],
  [
    'a status',
    'StatusNotification',
    { ...status, status: 'Dreaming' },
    'unknown_enum_value',
    'PropertyConstraintViolation',
  ],
  [
    'an error code',
    'StatusNotification',
    { ...status, errorCode: 'Odd' },
    'unknown_enum_value',
    'PropertyConstraintViolation',
  ],
  [
    'a measurand',
    'MeterValues',
    meter({ measurand: 'Vendor.Own' }),
    'unknown_enum_value',
    'PropertyConstraintViolation',
  ],
])("45. answers and counts a vendor's %s, and refuses it where strict", async (...row) => {
  const [, action, payload, kind, code] = row;
  expect(await judged(tolerant, action, payload)).toEqual([kind]);
  expect(await tolerant.metric(`busbar_gateway_deviations_total{kind="${kind}"}`)).toBeGreaterThan(0);
  expect(await judged(strict, action, payload)).toBe(code);
  expect(await judgedWithout({ vendorFields: false }, action, payload)).toBe(code);
});

it('45. forwards vendor fields unchanged', async () => {
  const charger = await tolerant.connect();
  charger.send(
    '[2,"vendor","StatusNotification",{"connectorId":1,"status":"Dreaming","errorCode":"NoError","x":{"a":[1.50]}}]',
  );
  const { raw, payload } = await tolerant.waitFor(({ messageId }) => messageId === 'vendor');
  expect(raw).toContain('"x":{"a":[1.50]}');
  expect(payload).toMatchObject({ status: 'Dreaming', x: { a: [1.5] } });
});

const stop = { transactionId: 1, meterStop: 10, timestamp: '2026-01-01T00:00:00Z' };
const boot = { chargePointVendor: 'V', chargePointModel: 'M' };

it.each<[string, keyof Compatibility, string, Payload, string]>([
  ['null_field', 'nullFields', 'BootNotification', { ...boot, iccid: null }, 'TypeConstraintViolation'],
  ['null_field', 'nullFields', 'StopTransaction', { ...stop, transactionData: null }, 'TypeConstraintViolation'],
  [
    'overlong_text',
    'overlongTexts',
    'BootNotification',
    { ...boot, chargePointVendor: 'V'.repeat(36) },
    'PropertyConstraintViolation',
  ],
  ['number_text', 'numberTexts', 'StopTransaction', { ...stop, transactionId: '1' }, 'TypeConstraintViolation'],
  ['number_text', 'numberTexts', 'MeterValues', meter({ value: 1.5 }), 'TypeConstraintViolation'],
  [
    'fractional_meter',
    'fractionalMeters',
    'StopTransaction',
    { ...stop, meterStop: 2500.5 },
    'TypeConstraintViolation',
  ],
])('45. answers and counts %s, and refuses it where %s is off and where strict (%s)', async (...row) => {
  const [kind, setting, action, payload, code] = row;
  expect(await judged(tolerant, action, payload)).toEqual([kind]);
  expect(await judged(strict, action, payload)).toBe(code);
  expect(await judgedWithout({ [setting]: false }, action, payload)).toBe(code);
});

it('45. forwards a repaired payload beside the original frame', async () => {
  const charger = await tolerant.connect();
  charger.send(
    '[2,"sloppy","StopTransaction",{"transactionId":"7","meterStop":2500.5,"timestamp":"2026-01-01T00:00:00Z","reason":null}]',
  );
  const { raw, payload, deviations } = await tolerant.waitFor(({ messageId }) => messageId === 'sloppy');
  expect(raw).toContain('"transactionId":"7","meterStop":2500.5');
  expect(payload).toEqual({ transactionId: 7, meterStop: 2500, timestamp: '2026-01-01T00:00:00Z' });
  expect(deviations).toEqual(expect.arrayContaining(['number_text', 'fractional_meter', 'null_field']));
});

it('151. forwards the data of a customer beside a frame without them', async () => {
  const charger = await tolerant.connect({ subprotocols: ['ocpp2.1'] });
  const payload = { data: 'Jane Doe', seqNo: 0, generatedAt: '2026-01-01T00:00:00Z', requestId: 7 };
  charger.send(JSON.stringify([2, 'customer', 'NotifyCustomerInformation', payload]));
  const report = await tolerant.waitFor(({ messageId }) => messageId === 'customer');
  // Only a payload that counts as repaired travels beside its frame.
  expect(report).toMatchObject({ payload, repaired: true });
  expect(report.raw).not.toContain('Jane');
});

it('45. repairs and counts null and long values in a CALLRESULT', async () => {
  const url = `${tolerant.origin}/ocpp/SLOPPY_ANSWER`;
  const configurationKey = [
    { key: 'K', readonly: true, value: null },
    { key: 'L'.repeat(60), readonly: false, value: 5 },
  ];
  await tolerant.connect({ url, answers: { GetConfiguration: () => ({ configurationKey, unknownKey: null }) } });
  expect(await tolerant.command('SLOPPY_ANSWER', 'GetConfiguration', {})).toEqual({
    outcome: 'answered',
    payload: {
      configurationKey: [
        { key: 'K', readonly: true },
        { key: 'L'.repeat(60), readonly: false, value: '5' },
      ],
    },
  });
  const { deviations } = await tolerant.waitFor(
    ({ kind, chargerId }) => kind === 'outcome' && chargerId === 'SLOPPY_ANSWER',
  );
  expect(deviations).toEqual(expect.arrayContaining(['null_field', 'overlong_text', 'number_text']));
});

it('29. answers a numeric message id with ProtocolError where strict, and echoes the number unchanged', async () => {
  const charger = await strict.connect();
  charger.send('[2,17.0,"Heartbeat",{}]');
  const { answer } = await strict.waitFor(({ messageId }) => messageId === '17.0');
  expect(answer).toMatch(/^\[4,17\.0,"ProtocolError","[^"]*must be a text/);
  expect(await charger.heartbeat()).toHaveProperty('currentTime');
});

it('46. accepts numbers with one decimal in CALLs and CALLRESULTs', async () => {
  const chargingSchedule = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 8.1 }] };
  const answer = { status: 'Accepted', connectorId: 1, chargingSchedule };
  for (const world of [tolerant, strict]) {
    const chargerId = `SCHEDULE_${String(world === strict)}`;
    await world.connect({ url: `${world.origin}/ocpp/${chargerId}`, answers: { GetCompositeSchedule: () => answer } });
    const asked = { connectorId: 1, duration: 60 };
    expect(await world.command(chargerId, 'GetCompositeSchedule', asked)).toEqual({
      outcome: 'answered',
      payload: answer,
    });
  }
});

it('47. refuses an idTag of more than twenty characters', async () => {
  for (const world of [tolerant, strict]) {
    expect(await judged(world, 'Authorize', { idTag: 'T'.repeat(20) })).toEqual([]);
    expect(await judged(world, 'StartTransaction', { ...start, idTag: 'T'.repeat(21) })).toBe(
      'PropertyConstraintViolation',
    );
  }
});

it.each<[string, Payload, readonly string[]]>([
  ['StatusNotification', { ...status, info: '', vendorId: '', vendorErrorCode: '' }, []],
  ['StatusNotification', { ...status, timestamp: '' }, ['empty_string']],
  ['MeterValues', meter({ measurand: '', unit: '' }), ['empty_string']],
  ['BootNotification', { chargePointVendor: 'V', chargePointModel: 'M', iccid: '', firmwareVersion: '' }, []],
])('48. accepts empty texts in optional fields of %s, strict or not: %j', async (action, payload, kinds) => {
  for (const world of [tolerant, strict]) expect(await judged(world, action, payload)).toEqual(kinds);
});

describe("names of vendors' fields", () => {
  it.each(['\u0000', 'a\u0000b', '_bsontype'])(
    '45. refuses a name of %j with FormationViolation, and answers the next CALL',
    async (name) => {
      for (const world of [tolerant, strict]) {
        const charger = await world.connect();
        for (const payload of [
          { ...status, [name]: 1 },
          { ...status, own: [{ [name]: 1 }] },
        ]) {
          expect(await charger.call('StatusNotification', payload)).toMatchObject({ code: 'FormationViolation' });
        }
        expect(await charger.heartbeat()).toHaveProperty('currentTime');
      }
    },
  );

  it.each(['$set', 'a.b', '', '__proto__'])('45. stores fields with a name of %j', async (name) => {
    const payload = { ...status, ...Object.fromEntries([[name, 'a\u0000b']]) };
    expect(await judged(tolerant, 'StatusNotification', payload)).toEqual(['vendor_field']);
  });
});
