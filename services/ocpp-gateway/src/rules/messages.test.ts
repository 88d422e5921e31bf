// Every message of OCPP 1.6 and its security extension, over a real socket, to the letter of its schema: the listener is strict.
import { ocpp16Actions } from '../testing/actions';
import { openWorld, type GatewayWorld } from '../testing/open-world';

type Payload = Readonly<Record<string, unknown>>;

const AT = '2026-01-01T00:00:00.000Z';
const HASH = { hashAlgorithm: 'SHA256', issuerNameHash: 'aa', issuerKeyHash: 'bb', serialNumber: '01' };
const PROFILE = {
  chargingProfileId: 1,
  stackLevel: 0,
  chargingProfilePurpose: 'TxDefaultProfile',
  chargingProfileKind: 'Absolute',
  chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16.1 }] },
};

const FROM_CHARGERS: [string, Payload, Payload][] = [
  ['Authorize', { idTag: 'TAG' }, { idTagInfo: { status: 'Accepted' } }],
  ['BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' }, { status: 'Accepted', interval: 300 }],
  ['DataTransfer', { vendorId: 'V', messageId: 'M', data: 'D' }, { status: 'UnknownVendorId' }],
  ['DiagnosticsStatusNotification', { status: 'Uploaded' }, {}],
  ['FirmwareStatusNotification', { status: 'Installed' }, {}],
  ['Heartbeat', {}, { currentTime: expect.stringMatching(/Z$/) }],
  ['LogStatusNotification', { status: 'Uploaded', requestId: 1 }, {}],
  ['MeterValues', { connectorId: 1, meterValue: [{ timestamp: AT, sampledValue: [{ value: '1' }] }] }, {}],
  ['SecurityEventNotification', { type: 'StartupOfTheDevice', timestamp: AT }, {}],
  ['SignCertificate', { csr: '-----BEGIN CERTIFICATE REQUEST-----' }, { status: 'Rejected' }],
  ['SignedFirmwareStatusNotification', { status: 'Installed', requestId: 1 }, {}],
  ['StartTransaction', { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp: AT }, { transactionId: 1 }],
  ['StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError', timestamp: AT }, {}],
  ['StopTransaction', { transactionId: 1, meterStop: 1, timestamp: AT, reason: 'Local' }, {}],
];

const FROM_US: [string, Payload, Payload][] = [
  ['CancelReservation', { reservationId: 1 }, { status: 'Accepted' }],
  ['CertificateSigned', { certificateChain: '-----BEGIN CERTIFICATE-----' }, { status: 'Accepted' }],
  ['ChangeAvailability', { connectorId: 0, type: 'Inoperative' }, { status: 'Scheduled' }],
  ['ChangeConfiguration', { key: 'HeartbeatInterval', value: '60' }, { status: 'RebootRequired' }],
  ['ClearCache', {}, { status: 'Accepted' }],
  ['ClearChargingProfile', { id: 1 }, { status: 'Unknown' }],
  ['DataTransfer', { vendorId: 'V' }, { status: 'Accepted', data: 'D' }],
  ['DeleteCertificate', { certificateHashData: HASH }, { status: 'NotFound' }],
  ['ExtendedTriggerMessage', { requestedMessage: 'SignChargePointCertificate' }, { status: 'Accepted' }],
  ['GetCompositeSchedule', { connectorId: 1, duration: 60 }, { status: 'Rejected' }],
  ['GetConfiguration', { key: ['HeartbeatInterval'] }, { configurationKey: [], unknownKey: ['HeartbeatInterval'] }],
  ['GetDiagnostics', { location: 'https://logs.example/' }, { fileName: 'diagnostics.zip' }],
  ['GetInstalledCertificateIds', { certificateType: 'CentralSystemRootCertificate' }, { status: 'NotFound' }],
  ['GetLocalListVersion', {}, { listVersion: -1 }],
  [
    'GetLog',
    { log: { remoteLocation: 'https://l.example/' }, logType: 'SecurityLog', requestId: 1 },
    { status: 'Accepted' },
  ],
  ['InstallCertificate', { certificateType: 'ManufacturerRootCertificate', certificate: 'PEM' }, { status: 'Failed' }],
  ['RemoteStartTransaction', { idTag: 'TAG', connectorId: 1 }, { status: 'Rejected' }],
  ['RemoteStopTransaction', { transactionId: 1 }, { status: 'Accepted' }],
  ['ReserveNow', { connectorId: 1, expiryDate: AT, idTag: 'TAG', reservationId: 1 }, { status: 'Occupied' }],
  ['Reset', { type: 'Soft' }, { status: 'Accepted' }],
  ['SendLocalList', { listVersion: 1, updateType: 'Full' }, { status: 'VersionMismatch' }],
  ['SetChargingProfile', { connectorId: 1, csChargingProfiles: PROFILE }, { status: 'NotSupported' }],
  [
    'SignedUpdateFirmware',
    {
      requestId: 1,
      firmware: { location: 'https://f.example/', retrieveDateTime: AT, signingCertificate: 'PEM', signature: 's' },
    },
    { status: 'InvalidCertificate' },
  ],
  ['TriggerMessage', { requestedMessage: 'Heartbeat' }, { status: 'NotImplemented' }],
  ['UnlockConnector', { connectorId: 1 }, { status: 'UnlockFailed' }],
  ['UpdateFirmware', { location: 'https://f.example/', retrieveDate: AT }, {}],
];

let world: GatewayWorld;
beforeAll(async () => {
  world = await openWorld({ settings: { strict: true } });
});
afterAll(() => world.close());

it.each(FROM_CHARGERS)(
  'answers %s of a charger as the standard requires, and reports it',
  async (action, payload, answer) => {
    const charger = await world.connect();
    const messageId = `from-charger-${action}`;
    expect(await charger.call(action, payload, messageId)).toMatchObject({ kind: 'result', payload: answer });
    expect(await world.waitFor((report) => report.messageId === messageId)).toMatchObject({ action, payload });
  },
);

it.each(FROM_US)('sends %s to a charger and returns its answer', async (action, payload, answer) => {
  const chargerId = `TO_${action}`;
  const charger = await world.connect({
    url: `${world.origin}/ocpp/${chargerId}`,
    answers: { [action]: () => answer },
  });
  await world.waitFor((report) => report.chargerId === chargerId);
  expect(await world.command(chargerId, action, payload)).toEqual({ outcome: 'answered', payload: answer });
  expect(charger.received).toMatchObject([{ action, payload }]);
  expect(await world.waitFor((report) => report.kind === 'outcome' && report.chargerId === chargerId)).toMatchObject({
    action,
    payload: { outcome: 'answered', payload: answer },
  });
});

it('covers every message in each of its directions', () => {
  const { fromChargers, fromUs } = ocpp16Actions();
  expect(FROM_CHARGERS.map(([action]) => action)).toEqual(fromChargers);
  expect(FROM_US.map(([action]) => action)).toEqual(fromUs);
});
