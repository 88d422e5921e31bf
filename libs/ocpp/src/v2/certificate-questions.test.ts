import { certificateQuestionOf } from './certificate-questions';

const HASH = { hashAlgorithm: 'SHA256', issuerNameHash: 'aa', issuerKeyHash: 'bb', serialNumber: '01' };
const URL = 'http://ocsp.example.com/';

describe('what a CALL asks about certificates', () => {
  it.each<[string, object, unknown]>([
    [
      'Get15118EVCertificate',
      { iso15118SchemaVersion: 's', action: 'Install', exiRequest: 'e' },
      { kind: 'contract', schemaVersion: 's', action: 'Install', exiRequest: 'e' },
    ],
    [
      'Get15118EVCertificate',
      {
        iso15118SchemaVersion: 's',
        action: 'Update',
        exiRequest: 'e',
        maximumContractCertificateChains: 2,
        prioritizedEMAIDs: ['E'],
      },
      { kind: 'contract', schemaVersion: 's', action: 'Update', exiRequest: 'e', maxContracts: 2, contractIds: ['E'] },
    ],
    [
      'GetCertificateStatus',
      { ocspRequestData: { ...HASH, responderURL: URL } },
      { kind: 'response', certificate: { ...HASH, urls: [URL] } },
    ],
    [
      'GetCertificateChainStatus',
      {
        certificateStatusRequests: [
          { source: 'OCSP', urls: [URL, 'b'], certificateHashData: HASH },
          { source: 'CRL', urls: [URL], certificateHashData: HASH },
        ],
      },
      {
        kind: 'statuses',
        certificates: [
          { ...HASH, urls: [URL, 'b'] },
          { ...HASH, urls: [] },
        ],
      },
    ],
    ['Heartbeat', {}, undefined],
    ['Authorize', { idToken: { idToken: 'T', type: 'eMAID' } }, undefined],
    [
      'Authorize',
      { idToken: { idToken: 'T', type: 'eMAID' }, iso15118CertificateHashData: [{ ...HASH, responderURL: URL }] },
      { kind: 'trust', certificates: [{ ...HASH, urls: [URL] }] },
    ],
    [
      'Authorize',
      { idToken: { idToken: 'T', type: 'eMAID' }, certificate: 'pem' },
      { kind: 'trust', certificates: [], chain: 'pem' },
    ],
  ])('164. is the question of %s %j', (action, payload, question) => {
    expect(certificateQuestionOf(action, payload)).toEqual(question);
  });
});
