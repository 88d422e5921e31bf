// Names of vendor fields: every name that both stores can store is accepted.
import fc from 'fast-check';
import { STRICT, TOLERANT } from './deviation';
import { ocpp16 } from './v16/protocol';
import { validateRequest, validateResponse } from './validator';

const status = { connectorId: 1, errorCode: 'NoError', status: 'Available' };
const refused = { ok: false, situation: 'malformed_payload' };

const harmless = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 10 }).map((name) => `x${name.replaceAll('\u0000', '')}`),
  fc.constantFrom('$set', 'a.b', '', '.', '$', '__proto__', 'constructor', '_id', '$ref', '\u0001', '_bson'),
);
const unstorable = fc.oneof(
  fc.tuple(harmless, harmless).map(([before, after]) => `${before}\u0000${after}`),
  fc.constantFrom('\u0000', '_bsontype'),
);
const depth = fc.nat({ max: 10 });

/** The name at some depth within a field of a vendor's. */
function nested(name: string, levels: number): Readonly<Record<string, unknown>> {
  let value: unknown = Object.fromEntries([[name, 'a\u0000b']]);
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { inner: value };
  return Object.fromEntries([['vendorOwn', value]]);
}

it('45. refuses an unstorable name at any depth as a malformed payload, strict or not', () => {
  fc.assert(
    fc.property(unstorable, depth, fc.constantFrom(STRICT, TOLERANT), (name, levels, tolerance) => {
      const own = Object.fromEntries([[name, 1]]);
      for (const payload of [
        { ...status, ...own },
        { ...status, ...nested(name, levels) },
      ]) {
        expect(validateRequest(ocpp16, 'StatusNotification', payload, tolerance)).toMatchObject(refused);
      }
      const answer = { configurationKey: [{ key: 'A', readonly: true, ...own }] };
      expect(validateResponse(ocpp16, 'GetConfiguration', answer, tolerance)).toMatchObject(refused);
    }),
  );
});

it('45. accepts every other vendor name with its value unchanged', () => {
  fc.assert(
    fc.property(harmless, depth, (name, levels) => {
      const payload = { ...status, ...Object.fromEntries([[name, 'a\u0000b']]), ...nested(name, levels) };
      const passed = validateRequest(ocpp16, 'StatusNotification', payload, TOLERANT);
      expect(passed).toMatchObject({ ok: true, deviations: ['vendor_field'] });
      expect(passed.ok && JSON.stringify(passed.payload)).toBe(JSON.stringify(payload));
    }),
  );
});
