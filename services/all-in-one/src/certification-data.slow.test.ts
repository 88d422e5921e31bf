// The certification cases of the blocks J to P; certification.slow.test.ts has the others, and says what they are.
import { eventually } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';
import { newTag, openStation, type Json, type Station } from './testing/open-station';

let world: AllInOneWorld;
beforeAll(async () => {
  world = await openAllInOne();
});
afterAll(() => world.close());

const station = (): Promise<Station> => openStation(world);
const tag = (fields: object = {}): Promise<string> => newTag(world, fields);

describe('J. Meter values', () => {
  it.each([
    ['TC_J_01. aligned with the clock, of an EVSE', 1, { context: 'Sample.Clock' }],
    ['TC_J_02. aligned with the clock, of the station', 0, { context: 'Sample.Clock' }],
    ['TC_J_03. sampled', 1, { context: 'Sample.Periodic', measurand: 'Power.Active.Import' }],
    [
      'TC_J_04. signed',
      1,
      { signedMeterValue: { signedMeterData: 'ZA==', signingMethod: '', encodingMethod: 'OCMF', publicKey: '' } },
    ],
    ['TC_J_07. of an EVSE that is not known', 9, {}],
  ])('takes values %s', async (_title, evseId, fields) => {
    const { charger } = await station();
    const sampledValue = [{ value: 1_234.5, ...fields }];
    const meterValue = [{ timestamp: new Date().toISOString(), sampledValue }];
    expect(await charger.ask('MeterValues', { evseId, meterValue })).toEqual({});
  });

  it.each([
    ['TC_J_08. at the start', 'Started'],
    ['TC_J_09. in between', 'Updated'],
    ['TC_J_10. at the end', 'Ended'],
  ] as const)('keeps values of a transaction %s', async (_title, eventType) => {
    const one = await station();
    const event = { transactionId: `J-${one.id}`, evse: { id: 1, connectorId: 1 } };
    await one.charger.v2.transaction({ ...event, eventType, seqNo: 0, idToken: await tag(), energyWh: 4_321 });
    const { transactionId } = await one.session(() => true);
    const values = await eventually(async () => {
      const { items } = (await world.v2('GET', `/sessions/${String(transactionId)}/meter-values`)).json() as {
        readonly items: readonly Json[];
      };
      return items.length > 0 && items;
    });
    expect(JSON.stringify(values)).toContain('4321');
  });
});

describe('L. Firmware', () => {
  const location = 'https://files.example/2.1.bin';
  const retrieveAt = '2026-01-01T00:00:00.000Z';

  it.each([
    ['TC_L_01. signed', { signingCertificate: 'PEM', signature: 'c2ln' }, 'Accepted'],
    ['TC_L_02. with an invalid certificate', { signingCertificate: 'PEM', signature: 'c2ln' }, 'InvalidCertificate'],
    ['TC_L_03. with a revoked certificate', { signingCertificate: 'PEM', signature: 'c2ln' }, 'RevokedCertificate'],
    ['TC_L_04. without a signature', {}, 'Accepted'],
    ['TC_L_05. refused', {}, 'Rejected'],
  ])('requests an update %s', async (_title, signed, status) => {
    const { charger, post, sent } = await station();
    charger.answer('UpdateFirmware', () => ({ status }));
    const body = { location, retrieveAt, ...('signature' in signed && { signed }) };
    expect(await post('firmware', body)).toMatchObject({
      status: 200,
      body: { status },
    });
    expect(sent('UpdateFirmware')).toMatchObject({ firmware: { location, ...signed } });
  });

  it.each([
    ['TC_L_06', 'InstallRebooting'],
    ['TC_L_07', 'DownloadFailed'],
    ['TC_L_08', 'InvalidSignature'],
    ['TC_L_10', 'InstallVerificationFailed'],
    ['TC_L_11', 'InstallationFailed'],
    ['TC_L_13', 'Installed'],
  ])('%s. shows the progress %s', async (_id, status) => {
    const { id, charger } = await station();
    expect(await charger.ask('FirmwareStatusNotification', { status, requestId: 4 })).toEqual({});
    await eventually(async () => {
      const shown = (await world.v2('GET', `/chargers/${id}/firmware`)).json();
      return JSON.stringify(shown).includes(status);
    });
  });
});

describe('M. Certificates', () => {
  const certificateHashData = { hashAlgorithm: 'SHA256', issuerNameHash: 'aa', issuerKeyHash: 'bb', serialNumber: '1' };
  const entry = (certificateType: string) => ({ certificateType, certificateHashData });
  const path = ({ id }: Station) => `/chargers/${id}/certificates`;

  it.each([
    ['TC_M_01. of this service', 'CSMSRootCertificate', 'Accepted'],
    ['TC_M_02. of the manufacturer', 'ManufacturerRootCertificate', 'Accepted'],
    ['TC_M_03. of V2G', 'V2GRootCertificate', 'Accepted'],
    ['TC_M_04. of a mobility operator', 'MORootCertificate', 'Accepted'],
    ['TC_M_05. in vain', 'CSMSRootCertificate', 'Failed'],
  ])('installs a root certificate %s', async (_title, type, status) => {
    const { charger, post, sent } = await station();
    charger.answer('InstallCertificate', () => ({ status }));
    expect(await post('certificates', { type, certificate: 'PEM' })).toMatchObject({ status: 200, body: { status } });
    expect(sent('InstallCertificate')).toEqual({ certificateType: type, certificate: 'PEM' });
  });

  it.each([
    ['TC_M_12. of this service', ['CSMSRootCertificate']],
    ['TC_M_13. of the manufacturer', ['ManufacturerRootCertificate']],
    ['TC_M_14. of V2G', ['V2GRootCertificate']],
    ['TC_M_15. of a V2G chain', ['V2GCertificateChain']],
    ['TC_M_16. of a mobility operator', ['MORootCertificate']],
    ['TC_M_17. of two types', ['CSMSRootCertificate', 'ManufacturerRootCertificate']],
    ['TC_M_18. of all types', []],
  ])('lists the certificates %s', async (_title, types) => {
    const one = await station();
    const installed = types.length === 0 ? ['CSMSRootCertificate', 'MORootCertificate'] : types;
    one.charger.answer('GetInstalledCertificateIds', () => ({
      status: 'Accepted',
      certificateHashDataChain: installed.map(entry),
    }));
    const asked = types.map((type) => `&type=${type}`).join('');
    const listed = (await world.v2('GET', `${path(one)}?refresh=true${asked}`)).json();
    const items = installed.map((type) => ({ type, hashData: certificateHashData }));
    expect(listed).toMatchObject({ status: 'Accepted', items });
    expect(one.sent('GetInstalledCertificateIds')).toEqual(types.length === 0 ? {} : { certificateType: types });
  });

  it('TC_M_19. lists none where the charger finds none', async () => {
    const one = await station();
    one.charger.answer('GetInstalledCertificateIds', () => ({ status: 'NotFound' }));
    const listed = await world.v2('GET', `${path(one)}?refresh=true&type=ManufacturerRootCertificate`);
    expect([listed.status, listed.json()]).toMatchObject([200, { status: 'NotFound', items: [] }]);
  });

  it.each([
    ['TC_M_20. and it is gone', 'Accepted', 0],
    ['TC_M_21. which the charger does not', 'Failed', 1],
  ])('deletes a certificate %s', async (_title, status, left) => {
    const one = await station();
    one.charger.answer('GetInstalledCertificateIds', () => ({
      status: 'Accepted',
      certificateHashDataChain: [entry('CSMSRootCertificate')],
    }));
    one.charger.answer('DeleteCertificate', () => ({ status }));
    const list = async (query = '') =>
      (await world.v2('GET', path(one) + query)).json()['items'] as readonly { certificateId: string }[];
    const [found] = await list('?refresh=true');
    const deleted = await world.v2('DELETE', `${path(one)}/${String(found?.certificateId)}`);
    expect([deleted.status, deleted.json()]).toMatchObject([200, { status }]);
    expect(one.sent('DeleteCertificate')).toEqual({ certificateHashData });
    await eventually(async () => (await list()).length === left);
  });
});

describe('N. Diagnostics', () => {
  it.each([
    ['TC_N_25. of the diagnostics', {}, 'DiagnosticsLog', 'Accepted'],
    ['TC_N_35. of the security events', { logType: 'SecurityLog' }, 'SecurityLog', 'Accepted'],
    ['TC_N_36. in place of another', {}, 'DiagnosticsLog', 'AcceptedCanceled'],
  ])('requests a log %s', async (_title, fields, logType, status) => {
    const { charger, post, sent } = await station();
    charger.answer('GetLog', () => ({ status, filename: 'log.txt' }));
    const asked = await post('diagnostics', { location: 'https://files.example/logs', ...fields });
    expect(asked).toMatchObject({ status: 200, body: { status, fileName: 'log.txt' } });
    expect(sent('GetLog')).toMatchObject({ logType });
    for (const progress of ['Uploading', 'Uploaded']) {
      const notified = await charger.ask('LogStatusNotification', {
        status: progress,
        requestId: asked.body['requestId'],
      });
      expect(notified).toEqual({});
    }
  });

  it.each([
    ['TC_N_27. of a token', { idToken: { idToken: 'TAG', type: 'ISO14443' } }, true, false],
    ['TC_N_28. of an identifier', { customerIdentifier: 'C-1' }, true, false],
    ['TC_N_30. and its deletion', { customerIdentifier: 'C-1' }, true, true],
    ['TC_N_31. only its deletion', { customerIdentifier: 'C-1' }, false, true],
  ])('requests what is known of a customer: %s', async (_title, customer, report, clear) => {
    const { charger, post } = await station();
    charger.answer('CustomerInformation', () => ({ status: 'Accepted' }));
    const payload = { requestId: 3, report, clear, ...customer };
    expect(await post('calls', { action: 'CustomerInformation', payload })).toMatchObject({
      body: { status: 'Accepted' },
    });
    const part = { requestId: 3, seqNo: 0, data: 'nothing', generatedAt: new Date().toISOString() };
    expect(await charger.ask('NotifyCustomerInformation', part)).toEqual({});
  });
});

describe('P. Data transfer', () => {
  it('TC_P_02. answers an unknown vendor', async () => {
    const { charger } = await station();
    expect(await charger.ask('DataTransfer', { vendorId: 'com.example' })).toMatchObject({ status: 'UnknownVendorId' });
  });

  it('TC_P_03. takes custom data', async () => {
    const { charger } = await station();
    const customData = { vendorId: 'com.example', more: { of: ['it'] } };
    expect(await charger.ask('Heartbeat', { customData })).toHaveProperty('currentTime');
  });
});
