import fc from 'fast-check';
import type { PayloadSchema } from './compiled';
import { STRICT, TOLERANT, type DeviationKind, type Tolerance } from './deviation';
import { repairPayload } from './repair';
import { ocpp16 } from './v16/protocol';
import { validateRequest, validateResponse } from './validator';

const AT = '2026-01-01T00:00:00Z';
const boot = { chargePointVendor: 'V', chargePointModel: 'M' };
const status = { connectorId: 1, errorCode: 'NoError', status: 'Available' };
const start = { connectorId: 1, idTag: 'T', meterStart: 0, timestamp: AT };
const stop = { transactionId: 1, meterStop: 5, timestamp: AT };
const meter = (value: unknown): object => ({
  connectorId: 1,
  meterValue: [{ timestamp: AT, sampledValue: [{ value }] }],
});

const repaired: readonly (readonly [DeviationKind, string, object, object])[] = [
  ['null_field', 'BootNotification', { ...boot, iccid: null, imsi: null }, boot],
  ['null_field', 'StopTransaction', { ...stop, transactionData: null, idTag: null }, stop],
  ['null_field', 'MeterValues', { ...meter('1'), transactionId: null, vendor: null }, { ...meter('1'), vendor: null }],
  [
    'overlong_text',
    'BootNotification',
    { ...boot, chargePointVendor: 'V'.repeat(36) },
    { ...boot, chargePointVendor: 'V'.repeat(36) },
  ],
  [
    'overlong_text',
    'BootNotification',
    { ...boot, chargePointModel: 'M'.repeat(81) },
    { ...boot, chargePointModel: 'M'.repeat(80) },
  ],
  [
    'overlong_text',
    'BootNotification',
    { ...boot, iccid: '\u{1f50c}'.repeat(81) },
    { ...boot, iccid: '\u{1f50c}'.repeat(80) },
  ],
  ['number_text', 'MeterValues', meter(1.5), meter('1.5')],
  ['number_text', 'Authorize', { idTag: 12345678 }, { idTag: '12345678' }],
  ['number_text', 'StopTransaction', { ...stop, meterStop: '2500.0' }, { ...stop, meterStop: 2500 }],
  ['number_text', 'StatusNotification', { ...status, connectorId: '2' }, { ...status, connectorId: 2 }],
  ['fractional_meter', 'StopTransaction', { ...stop, meterStop: 2500.5 }, { ...stop, meterStop: 2500 }],
  ['fractional_meter', 'StartTransaction', { ...start, meterStart: 0.999 }, { ...start, meterStart: 0 }],
];

it.each(repaired)('45. counts %s of %s and repairs it: %j as %j', (kind, action, payload, clean) => {
  const before = JSON.stringify(payload);
  const judged = validateRequest(ocpp16, action, payload, TOLERANT);
  if (!judged.ok) throw new Error(judged.description);
  expect(judged.payload).toEqual(clean);
  expect(judged.deviations).toContain(kind);
  expect(JSON.stringify(payload)).toBe(before);
});

const refused: readonly (readonly [string, object])[] = [
  ['StatusNotification', { ...status, connectorId: null }],
  ['Authorize', { idTag: null }],
  ['Authorize', { idTag: 'T'.repeat(21) }],
  ['Authorize', { idTag: 1.5 }],
  ['Authorize', { idTag: 2 ** 53 }],
  ['SignCertificate', { csr: 'c'.repeat(5_501) }],
  ['StatusNotification', { ...status, status: 5 }],
  ['StatusNotification', { ...status, timestamp: 5 }],
  ['StatusNotification', { ...status, connectorId: '1.5' }],
  ['StatusNotification', { ...status, connectorId: '' }],
  ['StatusNotification', { ...status, connectorId: '0x1' }],
  ['StatusNotification', { ...status, connectorId: '9007199254740993' }],
  ['StopTransaction', { ...stop, transactionId: 1.5 }],
  ['StopTransaction', { ...stop, meterStop: '1.234567890123456789' }],
  ['StopTransaction', { ...stop, meterStop: '5.00000000000000000001' }],
  ['MeterValues', meter(1e-9)],
  ['MeterValues', meter(1e300)],
  ['MeterValues', meter(true)],
  ['MeterValues', { ...meter('1'), meterValue: [null] }],
];

it.each(refused)('45. refuses %s with %j, which has no unambiguous repair', (action, payload) => {
  const judged = validateRequest(ocpp16, action, payload, TOLERANT);
  expect(judged).toEqual(validateRequest(ocpp16, action, payload, STRICT));
  expect(judged.ok).toBe(false);
});

it('45. refuses a partly repairable payload for its original failure', () => {
  const payload = { ...status, connectorId: '1', info: 'x'.repeat(101), vendorId: {} };
  expect(validateRequest(ocpp16, 'StatusNotification', payload, TOLERANT)).toEqual(
    validateRequest(ocpp16, 'StatusNotification', payload, STRICT),
  );
});

it('45. counts repairs and other tolerated deviations together', () => {
  const payload = { ...status, connectorId: '1', vendor: 1, timestamp: '2026-01-01T00:00:00', info: null };
  const judged = validateRequest(ocpp16, 'StatusNotification', payload, TOLERANT);
  if (!judged.ok) throw new Error(judged.description);
  expect([...judged.deviations].sort()).toEqual(['null_field', 'number_text', 'vendor_field', 'zoneless_timestamp']);
});

it('45. keeps a field __proto__ beside a repaired one', () => {
  const payload = JSON.parse('{"__proto__":{"polluted":1},"idTag":5}') as object;
  const judged = validateRequest(ocpp16, 'Authorize', payload, TOLERANT);
  if (!judged.ok) throw new Error(judged.description);
  expect(JSON.stringify(judged.payload)).toBe('{"__proto__":{"polluted":1},"idTag":"5"}');
});

describe('any payload', () => {
  const schemas = [...ocpp16.schemas].flatMap(([action, { request, response }]) => [
    { action, side: 'request' as const, compiled: request },
    { action, side: 'response' as const, compiled: response },
  ]);
  const switches = fc.record({
    zonelessIsUtc: fc.boolean(),
    vendorFields: fc.boolean(),
    nullFields: fc.boolean(),
    overlongTexts: fc.boolean(),
    numberTexts: fc.boolean(),
    fractionalMeters: fc.boolean(),
  });
  const sloppy = fc.constantFrom(...schemas).chain((row) => fc.tuple(fc.constant(row), sloppyOf(row.compiled.schema)));

  it('45. fits its schema after a repair, and is refused with its original code without one', () => {
    let repairs = 0;
    fc.assert(
      fc.property(sloppy, switches, ([{ action, side, compiled }, payload], tolerance) => {
        const validate = side === 'request' ? validateRequest : validateResponse;
        const without: Tolerance = {
          ...STRICT,
          zonelessIsUtc: tolerance.zonelessIsUtc,
          vendorFields: tolerance.vendorFields,
        };
        const before = validate(ocpp16, action, payload, without);
        const now = validate(ocpp16, action, payload, tolerance);
        if (before.ok || !now.ok) {
          expect(now).toEqual(before);
          return;
        }
        repairs += 1;
        const repair = repairPayload(
          compiled.schema,
          payload as Readonly<Record<string, unknown>>,
          tolerance,
          ocpp16.repairs,
        );
        expect(compiled.lenient(repair?.fitting)).toBe(true);
        // Apart from texts that are kept whole, what is handed on needs no second repair.
        const again = validate(ocpp16, action, now.payload, { ...without, overlongTexts: true });
        expect(again).toMatchObject({ ok: true, payload: now.payload });
      }),
      { numRuns: 3_000 },
    );
    expect(repairs).toBeGreaterThan(100);
  });
});

/** Values of the schema, with common defects of serializers. */
function sloppyOf(schema: PayloadSchema): fc.Arbitrary<unknown> {
  if (schema.type === 'object') return sloppyObject(schema);
  if (schema.type === 'array') return fc.array(sloppyOf(schema.items ?? {}), { minLength: 1, maxLength: 2 });
  if (schema.enum !== undefined) return rarely(fc.constantFrom(...schema.enum), fc.integer());
  if (schema.format === 'date-time') return rarely(fc.constant(AT), fc.constantFrom('', '2026-01-01T00:00:00', 5));
  if (schema.format === 'uri') return fc.constant('http://example.com/');
  if (schema.type === 'string') return rarely(fc.string({ maxLength: 5 }), sloppyText(schema.maxLength ?? 20));
  if (schema.type === 'boolean') return fc.boolean();
  return rarely(
    fc.integer(),
    fc.oneof(fc.integer().map(String), fc.double(), fc.double().map(String), fc.constant(1.5)),
  );
}

function sloppyObject({ properties = {}, required = [] }: PayloadSchema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    rarely(sloppyOf(field), fc.constant(null), required.includes(name) ? 30 : 3),
  ]);
  const record = fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [...required],
  });
  return rarely(
    record,
    record.map((fields) => ({ ...fields, vendorsOwn: null })),
    5,
  );
}

function sloppyText(limit: number): fc.Arbitrary<unknown> {
  const long = fc.integer({ min: limit, max: 5 * limit }).map((length) => 'x'.repeat(length));
  return fc.oneof(long, fc.integer(), fc.double(), fc.constant('\u{1f50c}'.repeat(limit + 1)));
}

function rarely(usual: fc.Arbitrary<unknown>, odd: fc.Arbitrary<unknown>, weight = 8): fc.Arbitrary<unknown> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd });
}
