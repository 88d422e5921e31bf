import type { CertificateFinding } from '@busbar/contracts';
import { handle, RECEIVED_AT } from '../../testing/handler-situation';
import { get15118EVCertificate, getCertificateChainStatus, getCertificateStatus } from './iso15118';

const HASH = { hashAlgorithm: 'SHA256', issuerNameHash: 'aa', issuerKeyHash: 'bb', serialNumber: '01' } as const;
const NONE: CertificateFinding = { kind: 'none' };
const V21 = 'ocpp2.1';
const V201 = 'ocpp2.0.1';

const reportOf = (action: string, certificates: CertificateFinding | undefined, ocppVersion: string) => ({
  report: { action, ocppVersion, ...(certificates && { certificates }) },
});
const text = (length: number): string => 'x'.repeat(length);

describe('Get15118EVCertificate', () => {
  const answerTo = (certificates: CertificateFinding | undefined, version = V201) => {
    const payload = { iso15118SchemaVersion: 's', action: 'Install', exiRequest: 'e' } as const;
    const handled = handle(get15118EVCertificate, payload, reportOf('Get15118EVCertificate', certificates, version));
    expect(handled.rows.events).toHaveLength(1);
    return handled.answer;
  };
  const contract = (length: number): CertificateFinding => ({ kind: 'contract', exiResponse: text(length) });

  it.each<[string, CertificateFinding, string]>([
    ['7,500 characters in 2.0.1', contract(7_500), V201],
    ['17,000 characters in 2.1', contract(17_000), V21],
  ])('164. is Accepted with a response of %s', (_title, certificates, version) => {
    expect(answerTo(certificates, version)).toEqual({ status: 'Accepted', exiResponse: expect.any(String) as string });
  });

  it.each<[string, CertificateFinding | undefined, string]>([
    ['a longer response in 2.0.1', contract(7_501), V201],
    ['a longer response in 2.1', contract(17_001), V21],
    ['no contract', NONE, V21],
    ['a gateway that does not ask', undefined, V201],
  ])('164. is Failed with an empty response for %s', (_title, certificates, version) => {
    expect(answerTo(certificates, version)).toEqual({ status: 'Failed', exiResponse: '' });
  });

  it('164. has the number of further contracts in 2.1 only', () => {
    const found: CertificateFinding = { kind: 'contract', exiResponse: 'r', remainingContracts: 1 };
    expect(answerTo(found, V21)).toEqual({ status: 'Accepted', exiResponse: 'r', remainingContracts: 1 });
    expect(answerTo(found, V201)).toEqual({ status: 'Accepted', exiResponse: 'r' });
  });
});

describe('GetCertificateStatus', () => {
  it.each<[string, CertificateFinding | undefined, string, string]>([
    ['Accepted', { kind: 'response', response: text(5_500) }, V201, 'a response of 5,500 characters in 2.0.1'],
    ['Accepted', { kind: 'response', response: text(18_000) }, V21, 'a response of 18,000 characters in 2.1'],
    ['Failed', { kind: 'response', response: text(5_501) }, V201, 'a longer response in 2.0.1'],
    ['Failed', NONE, V21, 'no response'],
    ['Failed', undefined, V201, 'a gateway that does not ask'],
  ])('164. is %s for %4$s', (status, certificates, version) => {
    const payload = { ocspRequestData: { ...HASH, responderURL: 'http://ocsp.example.com/' } };
    const { answer } = handle(getCertificateStatus, payload, reportOf('GetCertificateStatus', certificates, version));
    expect(answer).toMatchObject({ status });
    expect(answer?.ocspResult !== undefined).toBe(status === 'Accepted');
  });
});

describe('GetCertificateChainStatus', () => {
  const request = { source: 'OCSP', urls: ['http://ocsp.example.com/'], certificateHashData: HASH } as const;
  const statusesFor = (certificates: CertificateFinding | undefined) => {
    const payload = { certificateStatusRequests: [request, { ...request, source: 'CRL' as const }, request, request] };
    const situation = reportOf('GetCertificateChainStatus', certificates, V21);
    return handle(getCertificateChainStatus, payload, situation).answer?.certificateStatus;
  };
  const inAnHour = new Date(Date.parse(RECEIVED_AT) + 3_600_000).toISOString();

  it('164. has the status and the next update of each certificate', () => {
    const nextUpdate = '2030-01-01T00:00:00.000Z';
    const statuses = [
      { status: 'good', nextUpdate },
      { status: 'failed' },
      { status: 'revoked' },
      { status: 'unknown', nextUpdate },
    ] as const;
    expect(statusesFor({ kind: 'statuses', statuses })).toEqual([
      { certificateHashData: HASH, source: 'OCSP', status: 'Good', nextUpdate },
      { certificateHashData: HASH, source: 'CRL', status: 'Failed', nextUpdate: inAnHour },
      { certificateHashData: HASH, source: 'OCSP', status: 'Revoked', nextUpdate: inAnHour },
      { certificateHashData: HASH, source: 'OCSP', status: 'Unknown', nextUpdate },
    ]);
  });

  it.each([NONE, undefined])('164. is Failed for each certificate with %j', (certificates) => {
    expect(statusesFor(certificates)?.map(({ status }) => status)).toEqual(['Failed', 'Failed', 'Failed', 'Failed']);
  });

  it('164. names no hash algorithm and no serial number that the standard does not have', () => {
    const certificateHashData = { ...HASH, hashAlgorithm: 'MD5' as 'SHA256', serialNumber: text(41) };
    const payload = { certificateStatusRequests: [{ ...request, certificateHashData }] };
    const { answer } = handle(getCertificateChainStatus, payload, reportOf('GetCertificateChainStatus', NONE, V21));
    expect(answer?.certificateStatus[0]?.certificateHashData).toEqual({ ...HASH, serialNumber: text(40) });
  });
});
