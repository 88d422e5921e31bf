// The schemas of OCPP 2.x as compiled: what they keep of the standard's, and what they share.
import { execFileSync } from 'node:child_process';
import { STRICT, TOLERANT, type Tolerance } from '../deviation';
import type { PayloadSchema } from '../compiled';
import type { Protocol } from '../protocol';
import { ocpp201 } from '../v201/protocol';
import { ocpp21 } from '../v21/protocol';
import { validateRequest, validateResponse } from '../validator';

const AT = '2026-01-01T00:00:00.000Z';
const status = { timestamp: AT, connectorStatus: 'Available', evseId: 1, connectorId: 1 };
const judge = (protocol: Protocol, action: string, payload: unknown, tolerance: Tolerance = STRICT) =>
  validateRequest(protocol, action, payload, tolerance);

it.each([
  ['2.0.1', ocpp201, 7_500],
  ['2.1', ocpp21, 17_000],
])('101. takes an EXI answer of OCPP %s up to its limit with errata', (_version, protocol, limit) => {
  const answer = (length: number) => ({ status: 'Accepted', exiResponse: 'x'.repeat(length) });
  expect(validateResponse(protocol, 'Get15118EVCertificate', answer(limit), STRICT).ok).toBe(true);
  expect(validateResponse(protocol, 'Get15118EVCertificate', answer(limit + 1), STRICT).ok).toBe(false);
});

describe.each([
  ['2.0.1', ocpp201],
  ['2.1', ocpp21],
])('a payload of OCPP %s', (_version, protocol) => {
  it('102. may have any field in customData, and is no deviation for it', () => {
    const customData = { vendorId: 'V', own: [{ deep: null }] };
    const nested = { chargingStation: { vendorName: 'V', model: 'M', customData }, reason: 'PowerUp', customData };
    for (const tolerance of [STRICT, TOLERANT]) {
      expect(judge(protocol, 'BootNotification', nested, tolerance)).toEqual({
        ok: true,
        payload: nested,
        deviations: [],
      });
    }
  });

  it('67. keeps customData beside a tolerated deviation without counting it', () => {
    const payload = { ...status, connectorStatus: 'Dreaming', customData: { vendorId: 'V', own: 1 } };
    expect(judge(protocol, 'StatusNotification', payload, TOLERANT)).toMatchObject({
      payload,
      deviations: ['unknown_enum_value'],
    });
  });

  it('102. needs the vendorId of customData', () => {
    const judged = judge(protocol, 'Heartbeat', { customData: { own: 1 } }, TOLERANT);
    expect(judged).toMatchObject({ ok: false, situation: 'occurrence' });
  });

  it('45. is refused as malformed for an unstorable name, in customData or in any JSON', () => {
    const refused = { ok: false, situation: 'malformed_payload' };
    for (const tolerance of [STRICT, TOLERANT]) {
      const custom = { customData: { vendorId: 'V', '\u0000': 1 } };
      expect(judge(protocol, 'Heartbeat', custom, tolerance)).toMatchObject(refused);
      const data = { vendorId: 'V', data: [{ _bsontype: 1 }] };
      expect(judge(protocol, 'DataTransfer', data, tolerance)).toMatchObject(refused);
    }
  });

  it.each([['text'], [1.5], [null], [true], [{ a: [1] }], [['b']]])(
    '102. may have %j as data of a DataTransfer',
    (data) => {
      const payload = { vendorId: 'V', data };
      expect(judge(protocol, 'DataTransfer', payload)).toEqual({ ok: true, payload, deviations: [] });
    },
  );

  it('102. keeps the limits of lists', () => {
    const sampledValue = Array.from({ length: 2 }, () => ({ value: 1 }));
    const payload = (of: unknown) => ({ evseId: 1, meterValue: of });
    expect(judge(protocol, 'MeterValues', payload([{ timestamp: AT, sampledValue }])).ok).toBe(true);
    expect(judge(protocol, 'MeterValues', payload([]))).toMatchObject({ ok: false, situation: 'occurrence' });
    const event = { eventType: 'Started', timestamp: AT, triggerReason: 'Authorized', seqNo: 0 };
    const info = { transactionInfo: { transactionId: 'T' } };
    const additionalInfo = Array.from({ length: 5 }, () => ({ additionalIdToken: 'x', type: 'y' }));
    const idToken = { idToken: 'A', type: 'Central', additionalInfo };
    expect(judge(protocol, 'TransactionEvent', { ...event, ...info, idToken }).ok).toBe(true);
    const iso15118CertificateHashData = Array.from({ length: 5 }, () => ({
      hashAlgorithm: 'SHA256',
      issuerNameHash: 'a',
      issuerKeyHash: 'b',
      serialNumber: '1',
      responderURL: 'u',
    }));
    const authorize = { idToken: { idToken: 'A', type: 'Central' }, iso15118CertificateHashData };
    expect(judge(protocol, 'Authorize', authorize)).toMatchObject({ ok: false, situation: 'occurrence' });
  });

  it('49. has an optional null or empty list taken out; 113. and counted', () => {
    const payload = { ...status, customData: null };
    const taken = { ok: true, payload: status, deviations: ['null_field'], repaired: true };
    expect(judge(protocol, 'StatusNotification', payload, TOLERANT)).toEqual(taken);
    const token = { idToken: 'A', type: 'Central' };
    const authorize = { idToken: { ...token, additionalInfo: [] } };
    expect(judge(protocol, 'Authorize', authorize, TOLERANT)).toEqual({
      ok: true,
      payload: { idToken: token },
      deviations: ['empty_list'],
      repaired: true,
    });
  });

  it('113. is refused for them by a strict listener', () => {
    expect(judge(protocol, 'StatusNotification', { ...status, customData: null })).toMatchObject({ situation: 'type' });
    const authorize = { idToken: { idToken: 'A', type: 'Central', additionalInfo: [] } };
    expect(judge(protocol, 'Authorize', authorize)).toMatchObject({ situation: 'occurrence' });
  });

  it('113. is refused for a required null or an empty required list', () => {
    const judged = judge(protocol, 'StatusNotification', { ...status, evseId: null }, TOLERANT);
    expect(judged).toMatchObject({ ok: false, situation: 'type' });
    const values = { evseId: 1, meterValue: [] };
    expect(judge(protocol, 'MeterValues', values, TOLERANT)).toMatchObject({ ok: false, situation: 'occurrence' });
  });

  it('112. may be null where that is tolerated, and is then empty', () => {
    expect(judge(protocol, 'Heartbeat', null, TOLERANT)).toEqual({
      ok: true,
      payload: {},
      deviations: ['null_payload'],
    });
    expect(judge(protocol, 'Heartbeat', null)).toMatchObject({ ok: false, situation: 'malformed_payload' });
  });

  it('114. may have timestamps with many decimals or an offset; one without a zone is counted', () => {
    const at = (timestamp: string) => judge(protocol, 'StatusNotification', { ...status, timestamp }, TOLERANT);
    expect(at('2026-01-01T00:00:00.1234567Z')).toMatchObject({ ok: true, deviations: [] });
    expect(at('2026-01-01T00:00:00+02:00')).toMatchObject({ ok: true, deviations: [] });
    expect(at('2026-01-01T00:00:00')).toMatchObject({ ok: true, deviations: ['zoneless_timestamp'] });
  });

  it('114. keeps every decimal of a number', () => {
    const sampledValue = [{ value: 1234.123456789 }];
    const payload = { evseId: 1, meterValue: [{ timestamp: AT, sampledValue }] };
    expect(judge(protocol, 'MeterValues', payload)).toMatchObject({ ok: true, payload });
  });

  it('103. shares each definition between the messages that have it', () => {
    const tokenOf = (action: string): PayloadSchema | undefined =>
      protocol.schemas.get(action)?.request.schema.properties?.['idToken'];
    expect(tokenOf('Authorize')).toBe(tokenOf('TransactionEvent'));
    expect(tokenOf('Authorize')?.properties).toBeDefined();
  });
});

it('102. keeps the limits of numbers', () => {
  expect(judge(ocpp21, 'StatusNotification', { ...status, evseId: -1 })).toMatchObject({ situation: 'value' });
});

it('103. loads no version of 2.x before it is asked for', () => {
  const script = `
    const { protocolOf, supportedVersions } = require('./libs/ocpp/dist');
    const loaded = () => Object.keys(require.cache).filter((path) => /v2(01|1)?.(generated|actions|requests)/.test(path));
    supportedVersions();
    protocolOf('ocpp1.6');
    const before = loaded().length;
    protocolOf('ocpp2.0.1');
    console.log(before, loaded().some((path) => path.includes('v201')), loaded().some((path) => path.includes('v21')));
  `;
  const root = `${__dirname}/../../../..`;
  const output = execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' });
  expect(output.trim()).toBe('0 true false');
});
