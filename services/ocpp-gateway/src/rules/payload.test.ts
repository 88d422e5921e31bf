// Rules 42 to 48 of what is promised to chargers, as far as the gateway keeps them: what is refused and what is forgiven, by
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

/** What became of a CALL: its CALLERROR's code, or the deviations that it was answered with. */
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
])('42. the timestamp %s is taken by every listener', async (timestamp) => {
  for (const world of [tolerant, strict]) {
    expect(await judged(world, 'StatusNotification', { ...status, timestamp })).toEqual([]);
  }
});

it('42. a timestamp without a zone is counted, and refused where nothing is forgiven', async () => {
  const payload = { ...status, timestamp: '2026-01-02T03:04:05' };
  expect(await judged(tolerant, 'StatusNotification', payload)).toEqual(['zoneless_timestamp']);
  expect(await judged(strict, 'StatusNotification', payload)).toBe('PropertyConstraintViolation');
  expect(await judgedWithout({ zonelessIsUtc: false }, 'StatusNotification', payload)).toBe(
    'PropertyConstraintViolation',
  );
});

it('43. a currentTime of ours ends in Z and has at most three decimals', async () => {
  const charger = await tolerant.connect();
  for (let time = 0; time < 20; time += 1) {
    const { currentTime } = await charger.heartbeat();
    expect(currentTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/);
  }
});

it.each(['Celsius', 'Celcius', 'Fahrenheit', 'K'])('44. the unit %s is accepted by every listener', async (unit) => {
  for (const world of [tolerant, strict]) {
    expect(await judged(world, 'MeterValues', meter({ measurand: 'Temperature', unit }))).toEqual([]);
  }
});

it('44. a StopTransaction without a reason is accepted by every listener', async () => {
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
])('45. %s of a vendor’s own is answered and counted, and refused by a strict listener', async (...row) => {
  const [, action, payload, kind, code] = row;
  expect(await judged(tolerant, action, payload)).toEqual([kind]);
  expect(await tolerant.metric(`busbar_gateway_deviations_total{kind="${kind}"}`)).toBeGreaterThan(0);
  expect(await judged(strict, action, payload)).toBe(code);
  expect(await judgedWithout({ vendorFields: false }, action, payload)).toBe(code);
});

it('45. what a vendor adds reaches charger-state as it was sent', async () => {
  const charger = await tolerant.connect();
  charger.send(
    '[2,"vendor","StatusNotification",{"connectorId":1,"status":"Dreaming","errorCode":"NoError","x":{"a":[1.50]}}]',
  );
  const { raw, payload } = await tolerant.waitFor(({ messageId }) => messageId === 'vendor');
  expect(raw).toContain('"x":{"a":[1.50]}');
  expect(payload).toMatchObject({ status: 'Dreaming', x: { a: [1.5] } });
});

it('46. numbers with one decimal pass, in what we send and in what comes back', async () => {
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

it('47. an idTag has at most twenty characters', async () => {
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
])('48. empty texts in optional fields of %s are accepted by every listener: %j', async (action, payload, kinds) => {
  for (const world of [tolerant, strict]) expect(await judged(world, action, payload)).toEqual(kinds);
});
