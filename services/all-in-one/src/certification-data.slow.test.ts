// The certification cases of the blocks J to P; certification.slow.test.ts has the others, and says what they are.
import { eventually } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';
import { openStation, type Json, type Station } from './testing/open-station';

let world: AllInOneWorld;
beforeAll(async () => {
  world = await openAllInOne();
});
afterAll(() => world.close());

const station = (): Promise<Station> => openStation(world);

describe('J. Meter values', () => {
  const signedMeterValue = { signedMeterData: 'ZA==', signingMethod: '', encodingMethod: 'OCMF', publicKey: '' };

  it.each([
    ['TC_J_01. by the clock, without a transaction', 1, { context: 'Sample.Clock' }],
    ['of the whole station', 0, { context: 'Sample.Clock' }],
    ['of an EVSE that is not known', 9, {}],
  ])('takes values %s', async (_title, evseId, fields) => {
    const { charger } = await station();
    const sampledValue = [{ value: 1_234.5, ...fields }];
    const meterValue = [{ timestamp: new Date().toISOString(), sampledValue }];
    expect(await charger.ask('MeterValues', { evseId, meterValue })).toEqual({});
  });

  it.each([
    ['TC_J_02. by the clock', 'Updated', 'MeterValueClock', { context: 'Sample.Clock' }],
    ['TC_J_03. by the clock, at the end', 'Ended', 'StopAuthorized', { context: 'Sample.Clock' }],
    ['TC_J_04. by the clock, signed', 'Updated', 'MeterValueClock', { context: 'Sample.Clock', signedMeterValue }],
    ['TC_J_07. at the start', 'Started', 'Authorized', { context: 'Transaction.Begin' }],
    ['TC_J_08. before the EVSE is known', 'Started', 'Authorized', { context: 'Transaction.Begin' }],
    ['TC_J_09. in between', 'Updated', 'MeterValuePeriodic', { context: 'Sample.Periodic' }],
    ['TC_J_10. at the end', 'Ended', 'StopAuthorized', { context: 'Transaction.End' }],
    ['TC_J_11. signed', 'Ended', 'StopAuthorized', { context: 'Transaction.End', signedMeterValue }],
  ])('keeps values of a transaction %s', async (title, eventType, triggerReason, fields) => {
    const one = await station();
    const timestamp = new Date().toISOString();
    const answer = await one.charger.ask('TransactionEvent', {
      eventType,
      timestamp,
      triggerReason,
      seqNo: 0,
      transactionInfo: { transactionId: `J-${one.id}` },
      ...(title.startsWith('TC_J_08') ? {} : { evse: { id: 1, connectorId: 1 } }),
      meterValue: [{ timestamp, sampledValue: [{ value: 4_321, ...fields }] }],
    });
    expect(answer).toEqual({});
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

  const signed = { signingCertificate: 'PEM', signature: 'c2ln' };

  it.each([
    ['signed', signed, 'Accepted'],
    ['without a signature', {}, 'Accepted'],
    ['that the charger refuses', signed, 'Rejected'],
    ['TC_L_04. with a revoked certificate', signed, 'RevokedCertificate'],
    ['TC_L_05. with an invalid certificate', signed, 'InvalidCertificate'],
    ['TC_L_10. that takes the place of another', signed, 'AcceptedCanceled'],
    ['TC_L_11. while another cannot be cancelled', signed, 'Rejected'],
  ])('requests an update %s', async (_title, by, status) => {
    const { charger, post, sent } = await station();
    charger.answer('UpdateFirmware', () => ({ status }));
    const body = { location, retrieveAt, ...('signature' in by && { signed: by }) };
    expect(await post('firmware', body)).toMatchObject({
      status: 200,
      body: { status },
    });
    expect(sent('UpdateFirmware')).toMatchObject({ firmware: { location, ...by } });
  });

  const installed = ['Downloading', 'Downloaded', 'SignatureVerified', 'Installing', 'InstallRebooting', 'Installed'];

  it.each<[string, ...string[]]>([
    ['TC_L_01. a signed update', ...installed],
    ['TC_L_02. an installation at a later time', 'Downloading', 'Downloaded', 'SignatureVerified', 'InstallScheduled'],
    ['TC_L_03. a download at a later time', 'DownloadScheduled', 'Downloading'],
    ['TC_L_06. an invalid signature', 'Downloading', 'Downloaded', 'InvalidSignature'],
    ['TC_L_07. a failed download', 'Downloading', 'DownloadFailed'],
    ['TC_L_08. a failed verification', 'Downloading', 'Downloaded', 'SignatureVerified', 'InstallVerificationFailed'],
    [
      'TC_L_09. a failed installation',
      'Downloading',
      'Downloaded',
      'SignatureVerified',
      'Installing',
      'InstallationFailed',
    ],
    ['TC_L_13. an installation that waits for a transaction', 'DownloadPaused', 'Downloading', 'InstallScheduled'],
  ])('shows the progress of %s', async (_title, ...statuses) => {
    const { id, charger, post } = await station();
    charger.answer('UpdateFirmware', () => ({ status: 'Accepted' }));
    expect(await post('firmware', { location, retrieveAt, signed })).toMatchObject({ body: { status: 'Accepted' } });
    const asked = charger.received.findLast(({ action }) => action === 'UpdateFirmware');
    const requestId = (asked?.payload as Json)['requestId'];
    for (const status of statuses) {
      expect(await charger.ask('FirmwareStatusNotification', { status, requestId })).toEqual({});
    }
    await eventually(async () => {
      const shown = (await world.v2('GET', `/chargers/${id}/firmware`)).json();
      return JSON.stringify(shown).includes(String(statuses.at(-1)));
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
    ['TC_N_27. which it has', false, 'Jane'],
    ['TC_N_28. of which it has nothing', false, ''],
    ['TC_N_30. and deletes it', true, 'Jane'],
    ['TC_N_31. and deletes it, and has nothing', true, ''],
  ])('reports what the charger knows of a customer, %s', async (_title, clear, data) => {
    const { id, charger, post, sent } = await station();
    charger.answer('CustomerInformation', () => ({ status: 'Accepted' }));
    const asked = await post('customer-information', { report: true, clear, rfidTag: 'TAG' });
    expect(asked).toMatchObject({ status: 200, body: { status: 'Accepted' } });
    const { requestId } = asked.body;
    const idToken = { idToken: 'TAG', type: 'Central' };
    expect(sent('CustomerInformation')).toEqual({ requestId, report: true, clear, idToken });
    const part = { requestId, seqNo: 0, data, generatedAt: new Date().toISOString() };
    expect(await charger.ask('NotifyCustomerInformation', part)).toEqual({});
    await eventually(async () => {
      const report = (await world.v2('GET', `/chargers/${id}/reports/${String(requestId)}`)).json();
      return report['state'] === 'complete' && JSON.stringify(report['items']).includes(data);
    });
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
