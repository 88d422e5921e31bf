import type { CallOutcome } from '@busbar/contracts';
import type { ChargerAuthentication } from '@busbar/domain/chargers';
import { createSigningRequest } from '@busbar/testing';
import { handle } from '../../testing/handler-situation';
import { newReport } from '../../testing/report';
import { certificateSigned as certificateSignedOf16 } from '../v16/sign-certificate';
import type { Authorities } from '../shared/certificates/authorities';
import type { Authority } from '../shared/certificates/authority';
import { certificateMessages, certificateSigned, signCertificateBy } from './certificates';
import type { Outcome } from './route';

const PASSWORD: ChargerAuthentication = { securityProfile: 1, passwordHash: 'hash' };
const NONE: ChargerAuthentication = { securityProfile: 2, passwordHash: null };

const AUTHORITY: Authority = { check: () => Promise.resolve(), sign: () => Promise.reject(new Error('not here')) };
const OWN: Authorities = { ChargingStationCertificate: AUTHORITY };

describe('161. SignCertificate', () => {
  let valid: string;
  let ofAnother: string;
  beforeAll(async () => {
    valid = (await createSigningRequest('CHARGER')).csr;
    ofAnother = (await createSigningRequest('ANOTHER')).csr;
  });

  it.each<[string, string, object, ChargerAuthentication]>([
    ['Accepted', 'a request without a type', {}, PASSWORD],
    [
      'Accepted',
      "a request of the charger's own certificate",
      { certificateType: 'ChargingStationCertificate' },
      PASSWORD,
    ],
    ['Rejected', 'a charger without credentials', {}, NONE],
  ])('answers %s for %s', (status, _title, fields, authentication) => {
    const situation = { authentication, report: { action: 'SignCertificate' } };
    const { answer, rows } = handle(signCertificateBy(OWN), { csr: valid, ...fields }, situation);
    expect(answer).toEqual({ status });
    expect(rows.events).toHaveLength(1);
  });

  // The source is TC_A_11 and TC_A_14 of OCPP 2.0.1 Part 6, not a requirement of Part 2.
  it('answers Rejected for a request of another name, and without an authority', () => {
    const situation = { authentication: PASSWORD, report: { action: 'SignCertificate' } };
    expect(handle(signCertificateBy(OWN), { csr: ofAnother }, situation).answer).toEqual({ status: 'Rejected' });
    expect(handle(signCertificateBy({}), { csr: valid }, situation).answer).toEqual({ status: 'Rejected' });
  });

  it.each([
    ['2.0.1', {}, {}],
    ['2.1, with the id of the request', { requestId: 7 }, { requestId: 7 }],
  ])('sends the certificate with its type in %s', (_version, fields, more) => {
    const report = newReport({ action: 'SignCertificate', payload: { csr: 'csr', ...fields } });
    const signed = certificateMessages.requestIn(report)?.signed('chain');
    expect(signed).toEqual({ certificateChain: 'chain', certificateType: 'ChargingStationCertificate', ...more });
    expect(certificateMessages.requestIn(newReport({ action: 'Heartbeat' }))).toBeUndefined();
  });
});

describe('162. SignCertificate for vehicles', () => {
  const requests: Record<string, string> = {};
  beforeAll(async () => {
    for (const curve of ['P-256', 'P-521'] as const) {
      requests[curve] = (await createSigningRequest('DE*ABC*E1', { curve })).csr;
    }
  });

  it.each<[string, string, 'P-256' | 'P-521', Authorities, ChargerAuthentication]>([
    ['Accepted', 'V2GCertificate', 'P-256', { V2GCertificate: AUTHORITY }, PASSWORD],
    ['Accepted', 'V2G20Certificate', 'P-521', { V2G20Certificate: AUTHORITY }, PASSWORD],
    ['Rejected', 'V2GCertificate', 'P-521', { V2GCertificate: AUTHORITY }, PASSWORD],
    ['Rejected', 'V2G20Certificate', 'P-256', { V2G20Certificate: AUTHORITY }, PASSWORD],
    ['Rejected', 'V2GCertificate', 'P-256', { V2GCertificate: AUTHORITY }, NONE],
    ['Rejected', 'V2GCertificate', 'P-256', { ...OWN, V2G20Certificate: AUTHORITY }, PASSWORD],
    ['Rejected', 'V2G20Certificate', 'P-521', { ...OWN, V2GCertificate: AUTHORITY }, PASSWORD],
    ['Rejected', 'AnotherCertificate', 'P-256', { ...OWN, V2GCertificate: AUTHORITY }, PASSWORD],
  ])('answers %s for a %s of a key on %s, with %j', (...row) => {
    const [status, certificateType, curve, authorities, authentication] = row;
    const payload = { csr: requests[curve] ?? '', certificateType };
    const situation = { authentication, report: { action: 'SignCertificate' } };
    expect(handle(signCertificateBy(authorities), payload, situation).answer).toEqual({ status });
  });

  it('sends the certificate with its type and the id of the request', () => {
    const payload = { csr: 'csr', certificateType: 'V2G20Certificate', requestId: 7 };
    const request = certificateMessages.requestIn(newReport({ action: 'SignCertificate', payload }));
    expect(request?.type).toBe('V2G20Certificate');
    expect(request?.signed('chain')).toEqual({
      certificateChain: 'chain',
      certificateType: 'V2G20Certificate',
      requestId: 7,
    });
  });
});

describe('161. the result of CertificateSigned', () => {
  const request = { certificateChain: 'chain', certificateType: 'ChargingStationCertificate' } as const;
  const situation = { report: { action: 'CertificateSigned' } };
  const resultOf = (status: 'Accepted' | 'Rejected'): Outcome<'CertificateSigned'> => ({
    result: { outcome: 'answered', payload: { status } },
    request,
    response: { status },
    status,
  });
  const without = (result: CallOutcome): Outcome<'CertificateSigned'> => ({
    result,
    request,
    response: undefined,
    status: '',
  });

  it.each([
    ['rejects', resultOf('Rejected'), 'Rejected'],
    ['refuses', without({ outcome: 'error', code: 'InternalError', description: '' }), 'charger_error'],
    ['does not answer', without({ outcome: 'timeout' }), 'charger_timeout'],
  ])('is an event where the charger %s it', (_title, result, outcome) => {
    const { rows, emitted } = handle(certificateSigned, result, situation);
    const data = { outcome, certificateType: 'ChargingStationCertificate' };
    expect(rows.events).toMatchObject([{ action: 'CertificateSigned', payload: data }]);
    expect(emitted).toEqual([{ type: 'charger.certificate_refused', data }]);
  });

  it('is no event where the charger accepts the certificate', () => {
    const { rows, emitted } = handle(certificateSigned, resultOf('Accepted'), situation);
    expect([rows.events, emitted]).toEqual([[], []]);
  });

  it('is an event without a type of certificate in OCPP 1.6', () => {
    const result = { ...without({ outcome: 'timeout' }), request: { certificateChain: 'chain' } };
    const { emitted } = handle(certificateSignedOf16, result, situation);
    expect(emitted).toMatchObject([{ data: { outcome: 'charger_timeout', certificateType: null } }]);
  });
});
