import { STRICT, TOLERANT, type DeviationKind, type Tolerance } from './deviation';
import type { Situation } from './error-codes';
import { ocpp16 } from './v16/protocol';
import { validateRequest, validateResponse } from './validator';

const AT = '2026-01-01T00:00:00Z';
const status = { connectorId: 1, errorCode: 'NoError', status: 'Available' };
const stop = { transactionId: 1, meterStop: 5, timestamp: AT };
const meter = (sample: object): object => ({
  connectorId: 1,
  meterValue: [{ timestamp: AT, sampledValue: [{ value: '1', ...sample }] }],
});

describe('valid payloads', () => {
  it.each([
    ['44. accepts StopTransaction without reason', 'StopTransaction', stop],
    ['44. accepts the unit Celsius', 'MeterValues', meter({ unit: 'Celsius' })],
    ['44. accepts the unit Celcius', 'MeterValues', meter({ unit: 'Celcius' })],
    ['42. accepts seven decimals', 'StatusNotification', { ...status, timestamp: '2026-01-01T00:00:00.1234567Z' }],
    ['42. accepts an offset', 'StatusNotification', { ...status, timestamp: '2026-01-01T00:00:00+02:00' }],
    ['42. accepts an offset of hours', 'StatusNotification', { ...status, timestamp: '2026-01-01T00:00:00+02' }],
    ['48. accepts an empty string without enum or format', 'BootNotification', boot({ iccid: '', imsi: '' })],
    ['47. accepts an idTag of 20 characters', 'Authorize', { idTag: 'x'.repeat(20) }],
    ['47. accepts an idTag of 20 code points', 'Authorize', { idTag: '\u{1f50c}'.repeat(20) }],
    ['57. accepts a transaction id of -1', 'MeterValues', { ...meter({}), transactionId: -1 }],
    ['57. accepts a transaction id beyond 2^53', 'MeterValues', { ...meter({}), transactionId: 2 ** 60 }],
  ])('%s, strict or not, and counts nothing', (_name, action, payload) => {
    for (const tolerance of [STRICT, TOLERANT]) {
      expect(validateRequest(ocpp16, action, payload, tolerance)).toEqual({ ok: true, payload, deviations: [] });
    }
  });

  it('46. pass with any limit of one decimal', () => {
    for (let tenths = 0; tenths < 1_000; tenths += 1) {
      const payload = schedule(Number((tenths / 10).toFixed(1)));
      expect(validateResponse(ocpp16, 'GetCompositeSchedule', payload, STRICT).ok).toBe(true);
    }
    expect(validateResponse(ocpp16, 'GetCompositeSchedule', schedule(8.15), TOLERANT)).toMatchObject({
      ok: false,
      situation: 'value',
    });
  });

  it('32. may be null, which is counted', () => {
    expect(validateRequest(ocpp16, 'Heartbeat', null, TOLERANT)).toEqual({
      ok: true,
      payload: {},
      deviations: ['null_payload'],
    });
    expect(validateRequest(ocpp16, 'Authorize', null, TOLERANT)).toMatchObject({ situation: 'occurrence' });
  });
});

describe('invalid payloads', () => {
  const rows: readonly (readonly [string, unknown, Situation])[] = [
    ['StatusNotification', [], 'malformed_payload'],
    ['StatusNotification', 'text', 'malformed_payload'],
    ['StatusNotification', 5, 'malformed_payload'],
    ['StatusNotification', undefined, 'malformed_payload'],
    ['StatusNotification', {}, 'occurrence'],
    ['StatusNotification', { ...status, connectorId: 'one' }, 'type'],
    ['StatusNotification', { ...status, connectorId: 1.5 }, 'type'],
    ['StatusNotification', { ...status, connectorId: null }, 'type'],
    ['StatusNotification', { ...status, status: 5 }, 'type'],
    ['StatusNotification', { ...status, timestamp: 'yesterday' }, 'value'],
    ['StopTransaction', { ...stop, timestamp: '' }, 'value'],
    ['Authorize', { idTag: 'x'.repeat(21) }, 'value'],
    ['MeterValues', { connectorId: 1, meterValue: {} }, 'type'],
    ['MeterValues', { connectorId: 1, meterValue: [{ timestamp: AT }] }, 'occurrence'],
    ['MeterValues', { connectorId: 1, meterValue: [{ timestamp: AT, sampledValue: [{ value: true }] }] }, 'type'],
    ['StatusNotification', { connectorId: 1, extra: 1 }, 'occurrence'],
  ];

  it.each(rows)('refuses %s with %j as %s', (action, payload, situation) => {
    for (const tolerance of [STRICT, TOLERANT]) {
      const refusal = validateRequest(ocpp16, action, payload, tolerance);
      expect(refusal).toMatchObject({ ok: false, situation });
    }
  });

  it("names the field in a refusal, and nothing of the charger's text", () => {
    const refusal = validateRequest(ocpp16, 'StatusNotification', { ...status, connectorId: 'leak' }, TOLERANT);
    expect(refusal).toMatchObject({ description: '/connectorId fails "type".' });
    const missing = validateRequest(ocpp16, 'Authorize', { leak: 'leak' }, TOLERANT);
    expect(missing).toMatchObject({ description: '/idTag fails "required".' });
    expect(validateRequest(ocpp16, 'Authorize', { idTag: 'a', leak: 'b' }, STRICT)).toMatchObject({
      description: 'A field is not in the schema.',
    });
  });

  it('refuses an action without a schema as unknown', () => {
    expect(validateRequest(ocpp16, 'constructor', {}, TOLERANT)).toMatchObject({ situation: 'unknown_action' });
  });
});

describe('tolerated deviations', () => {
  const rows: readonly (readonly [string, string, object, DeviationKind, keyof Tolerance, Situation])[] = [
    [
      '45. accepts a field',
      'StatusNotification',
      { ...status, vendor: 1 },
      'vendor_field',
      'vendorFields',
      'occurrence',
    ],
    ['45. accepts a nested field', 'MeterValues', meter({ extra: {} }), 'vendor_field', 'vendorFields', 'occurrence'],
    [
      '45. accepts __proto__',
      'Heartbeat',
      parsed('{"__proto__":{"a":1}}'),
      'vendor_field',
      'vendorFields',
      'occurrence',
    ],
    ['45. accepts a field constructor', 'Heartbeat', { constructor: 1 }, 'vendor_field', 'vendorFields', 'occurrence'],
    ['45. accepts an enum value', 'MeterValues', meter({ phase: 'L9' }), 'unknown_enum_value', 'vendorFields', 'value'],
    [
      '45. accepts a status',
      'StatusNotification',
      { ...status, status: '' },
      'unknown_enum_value',
      'vendorFields',
      'value',
    ],
    [
      '42. accepts no zone',
      'StopTransaction',
      { ...stop, timestamp: zoneless() },
      'zoneless_timestamp',
      'zonelessIsUtc',
      'value',
    ],
  ];

  it.each(rows)('%s (%s) and counts it, and refuses it where strict', (...row) => {
    const [, action, payload, kind, setting, situation] = row;
    const strict = { ...TOLERANT, [setting]: false };
    expect(validateRequest(ocpp16, action, payload, TOLERANT)).toEqual({ ok: true, payload, deviations: [kind] });
    expect(validateRequest(ocpp16, action, payload, strict)).toMatchObject({ ok: false, situation });
  });

  it.each([
    ['StopTransaction', { ...stop, reason: '' }],
    ['StatusNotification', { ...status, timestamp: '' }],
    ['MeterValues', meter({ phase: '' })],
  ])('48. accepts an empty optional text in %s, strict or not', (action, payload) => {
    for (const tolerance of [STRICT, TOLERANT]) {
      expect(validateRequest(ocpp16, action, payload, tolerance)).toEqual({
        ok: true,
        payload,
        deviations: ['empty_string'],
      });
    }
  });

  it('45. counts a deviation once for each kind', () => {
    const sampledValue = [
      { value: '1', a: 1, b: 2 },
      { value: '2', c: 3, phase: 'X' },
    ];
    const payload = { connectorId: 1, meterValue: [{ timestamp: zoneless(), sampledValue }], extra: 1 };
    const result = validateRequest(ocpp16, 'MeterValues', payload, TOLERANT);
    if (!result.ok) throw new Error(result.description);
    expect([...result.deviations].sort()).toEqual(['unknown_enum_value', 'vendor_field', 'zoneless_timestamp']);
  });
});

describe('payloads that the service sends', () => {
  it('limits a configuration value to the length of the standard', () => {
    const change = (length: number): object => ({ key: 'K', value: 'x'.repeat(length) });
    expect(validateRequest(ocpp16, 'ChangeConfiguration', change(500), STRICT).ok).toBe(true);
    expect(validateRequest(ocpp16, 'ChangeConfiguration', change(501), STRICT)).toMatchObject({ situation: 'value' });
  });

  it('may be longer from chargers', () => {
    const payload = { configurationKey: [{ key: 'K', readonly: false, value: 'x'.repeat(2_048) }] };
    expect(validateResponse(ocpp16, 'GetConfiguration', payload, STRICT).ok).toBe(true);
  });

  it('44. requires an integer as the interval of BootNotification', () => {
    const answer = (interval: number): object => ({ status: 'Accepted', currentTime: AT, interval });
    expect(validateResponse(ocpp16, 'BootNotification', answer(300), STRICT).ok).toBe(true);
    expect(validateResponse(ocpp16, 'BootNotification', answer(0.5), STRICT)).toMatchObject({ situation: 'type' });
  });
});

function boot(more: object): object {
  return { chargePointVendor: 'V', chargePointModel: 'M', ...more };
}

function schedule(limit: number): object {
  const chargingSchedule = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit }] };
  return { status: 'Accepted', connectorId: 1, chargingSchedule };
}

function zoneless(): string {
  return '2026-01-01T00:00:00';
}

function parsed(text: string): object {
  return JSON.parse(text) as object;
}
