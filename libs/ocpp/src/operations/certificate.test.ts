// The operations on certificates in each version.
import { encodeOperation } from './encode';

const HASH = { hashAlgorithm: 'SHA256', issuerNameHash: 'aa', issuerKeyHash: 'bb', serialNumber: '1' };
const CHILD = { ...HASH, serialNumber: '2' };
const PEM = 'PEM';
const VERSIONS = ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'];
const ROOT = { type: 'ManufacturerRootCertificate', certificate: PEM } as const;

describe.each(VERSIONS)('an operation on certificates in %s', (version) => {
  it('163. installs one, and returns the status of the charger', () => {
    const call = encodeOperation('installCertificate', ROOT)(version);
    expect(call).toMatchObject({
      action: 'InstallCertificate',
      payload: { certificateType: 'ManufacturerRootCertificate', certificate: PEM },
    });
    expect(call?.read({ status: 'Failed' })).toEqual({ status: 'Failed' });
  });

  it('163. deletes one by its stored hash data', () => {
    const encode = encodeOperation('deleteCertificate', { certificateId: 'id' });
    const call = encode(version, { certificateHashData: HASH });
    expect(call).toMatchObject({ action: 'DeleteCertificate', payload: { certificateHashData: HASH } });
    expect(call?.read({ status: 'NotFound' })).toEqual({ status: 'NotFound' });
    expect(encode(version)).toBeUndefined();
  });

  it('163. refuses hash data that the version cannot carry at /certificateId', () => {
    const encode = encodeOperation('deleteCertificate', { certificateId: 'id' });
    const certificateHashData = { ...HASH, serialNumber: '1'.repeat(41) };
    expect(() => encode(version, { certificateHashData })).toThrow('/certificateId must have at most');
  });

  it('163. refuses a certificate beyond the length of the version at /certificate', () => {
    const install = (length: number) =>
      encodeOperation('installCertificate', { ...ROOT, certificate: 'x'.repeat(length) })(version);
    const most = version === 'ocpp2.1' ? 10_000 : 5_500;
    expect(install(most)).toBeDefined();
    expect(() => install(most + 1)).toThrow('/certificate must have at most');
  });

  it('163. lists none where the charger finds none', () => {
    const call = encodeOperation('listCertificates', { type: ['ManufacturerRootCertificate'] })(version);
    expect(call?.read({ status: 'NotFound' })).toEqual({ status: 'NotFound', certificates: [] });
  });
});

it.each([
  ['ocpp1.6', 'CentralSystemRootCertificate', true],
  ['ocpp1.6', 'CSMSRootCertificate', false],
  ['ocpp2.0.1', 'CSMSRootCertificate', true],
  ['ocpp2.0.1', 'V2GRootCertificate', true],
  ['ocpp2.0.1', 'MORootCertificate', true],
  ['ocpp2.0.1', 'CentralSystemRootCertificate', false],
  ['ocpp2.0.1', 'OEMRootCertificate', false],
  ['ocpp2.1', 'OEMRootCertificate', true],
] as const)('163. has the types of its version: %s %s: %s', (version, type, isOfVersion) => {
  const install = () => encodeOperation('installCertificate', { type, certificate: PEM })(version);
  const list = () => encodeOperation('listCertificates', { type: [type] })(version);
  if (isOfVersion) {
    expect([install(), list()]).not.toContain(undefined);
  } else {
    expect(install).toThrow('/type must be one of');
    expect(list).toThrow('/type');
  }
});

it('163. lists one type in OCPP 1.6, each certificate with it', () => {
  const call = encodeOperation('listCertificates', { type: ['CentralSystemRootCertificate'] })('ocpp1.6');
  expect(call).toMatchObject({
    action: 'GetInstalledCertificateIds',
    payload: { certificateType: 'CentralSystemRootCertificate' },
  });
  expect(call?.read({ status: 'Accepted', certificateHashData: [{ ...HASH, vendor: 1 }] })).toEqual({
    status: 'Accepted',
    certificates: [{ type: 'CentralSystemRootCertificate', hashData: HASH, children: [] }],
  });
  const two = encodeOperation('listCertificates', {
    type: ['CentralSystemRootCertificate', 'ManufacturerRootCertificate'],
  });
  expect(() => two('ocpp1.6')).toThrow('/type must be one type in OCPP 1.6');
});

it.each(['ocpp2.0.1', 'ocpp2.1'])('163. lists all types, or those of the input, with chains in %s', (version) => {
  expect(encodeOperation('listCertificates', {})(version)).toMatchObject({ payload: {} });
  const type = ['V2GCertificateChain', 'V2GRootCertificate'] as const;
  const call = encodeOperation('listCertificates', { type })(version);
  expect(call).toMatchObject({ action: 'GetInstalledCertificateIds', payload: { certificateType: type } });
  const chain = {
    certificateType: 'V2GCertificateChain',
    certificateHashData: HASH,
    childCertificateHashData: [CHILD],
  };
  const root = { certificateType: 'V2GRootCertificate', certificateHashData: CHILD };
  expect(call?.read({ status: 'Accepted', certificateHashDataChain: [chain, root] })).toEqual({
    status: 'Accepted',
    certificates: [
      { type: 'V2GCertificateChain', hashData: HASH, children: [CHILD] },
      { type: 'V2GRootCertificate', hashData: CHILD, children: [] },
    ],
  });
});
