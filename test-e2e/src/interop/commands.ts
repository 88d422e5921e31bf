import type { Json } from './foreign-charger';

export interface Command {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Behind `/v2/chargers/{chargerId}`. */
  readonly path: string;
  readonly body?: Json;
  /** The CALL that the charger sees, and what of its payload. */
  readonly action: string;
  readonly payload: Json;
  /** The expected part of the reply. */
  readonly reply: Json;
}

const post = (path: string, body: Json, call: Pick<Command, 'action' | 'payload' | 'reply'>): Command => ({
  method: 'POST',
  path,
  body,
  ...call,
});

const profile = {
  chargingProfileId: 5,
  stackLevel: 1,
  chargingProfilePurpose: 'TxDefaultProfile',
  chargingProfileKind: 'Recurring',
  recurrencyKind: 'Daily',
  validFrom: '2026-01-02T03:04:05.000Z',
  validTo: '2036-01-02T03:04:05.000Z',
  chargingSchedule: {
    duration: 86_400,
    startSchedule: '2026-01-02T00:00:00.000Z',
    chargingRateUnit: 'A',
    chargingSchedulePeriod: [
      { startPeriod: 0, limit: 16 },
      { startPeriod: 28_800, limit: 8, numberPhases: 3 },
    ],
    minChargingRate: 6,
  },
};

/** One whose numbers no float holds exactly. */
export const TENTHS = {
  chargingProfileId: 6,
  stackLevel: 0,
  chargingProfilePurpose: 'TxDefaultProfile',
  chargingProfileKind: 'Relative',
  chargingSchedule: {
    chargingRateUnit: 'A',
    chargingSchedulePeriod: [{ startPeriod: 0, limit: 8.1 }],
    minChargingRate: 6.1,
  },
};

/** Every operation of OCPP 1.6 that the API offers, with all its optional fields. */
export const COMMANDS: readonly Command[] = [
  post(
    '/availability',
    { type: 'Inoperative', socketId: 1 },
    {
      action: 'ChangeAvailability',
      payload: { connectorId: 1, type: 'Inoperative' },
      reply: { status: 'Scheduled' },
    },
  ),
  post(
    '/availability',
    { type: 'Operative' },
    {
      action: 'ChangeAvailability',
      payload: { connectorId: 0, type: 'Operative' },
      reply: { status: 'Scheduled' },
    },
  ),
  {
    method: 'PATCH',
    path: '/configuration',
    body: { configName: 'HeartbeatInterval', configValue: '60' },
    action: 'ChangeConfiguration',
    payload: { key: 'HeartbeatInterval', value: '60' },
    reply: { status: 'RebootRequired' },
  },
  {
    method: 'GET',
    path: '/configuration?refresh=true',
    action: 'GetConfiguration',
    payload: {},
    reply: { chargerConfigurations: [{ configName: 'HeartbeatInterval' }, { configName: 'NumberOfConnectors' }] },
  },
  post('/clear-cache', {}, { action: 'ClearCache', payload: {}, reply: { status: 'Accepted' } }),
  post(
    '/data-transfer',
    { vendorId: 'com.example', messageId: 'ping', data: '{"a":"ü"}' },
    {
      action: 'DataTransfer',
      payload: { vendorId: 'com.example', messageId: 'ping', data: '{"a":"ü"}' },
      reply: { status: 'Accepted', data: 'pong' },
    },
  ),
  post(
    '/unlock',
    { socketId: 2 },
    { action: 'UnlockConnector', payload: { connectorId: 2 }, reply: { status: 'UnlockFailed' } },
  ),
  post(
    '/trigger-message',
    { message: 'MeterValues', socketId: 2 },
    {
      action: 'TriggerMessage',
      payload: { requestedMessage: 'MeterValues', connectorId: 2 },
      reply: { status: 'Accepted' },
    },
  ),
  post(
    '/diagnostics',
    {
      location: 'ftp://files.example/uploads',
      startTime: '2026-01-02T03:04:05.000Z',
      stopTime: '2026-01-03T03:04:05.000Z',
      retries: 3,
      retryIntervalS: 60,
    },
    {
      action: 'GetDiagnostics',
      payload: { location: 'ftp://files.example/uploads', retries: 3, retryInterval: 60 },
      reply: { fileName: 'diagnostics.zip' },
    },
  ),
  post(
    '/firmware',
    { location: 'https://files.example/firmware-2.1.bin', retries: 3, retryIntervalS: 60 },
    {
      action: 'UpdateFirmware',
      payload: { location: 'https://files.example/firmware-2.1.bin', retries: 3, retryInterval: 60 },
      reply: {},
    },
  ),
  post(
    '/reservations',
    { reservationId: 9, socketId: 1, rfidTag: 'TAG', parentRfidTag: 'PARENT', expiresAt: '2036-01-02T03:04:05.000Z' },
    {
      action: 'ReserveNow',
      payload: { reservationId: 9, connectorId: 1, idTag: 'TAG', parentIdTag: 'PARENT' },
      reply: { reservationId: 9, status: 'Occupied' },
    },
  ),
  {
    method: 'DELETE',
    path: '/reservations/9',
    action: 'CancelReservation',
    payload: { reservationId: 9 },
    reply: { status: 'Accepted' },
  },
  post(
    '/local-list',
    {
      listVersion: 8,
      updateType: 'Full',
      tags: [{ rfidTag: 'TAG', status: 'Accepted', expiringDate: '2036-01-02T03:04:05.000Z', parentRfidTag: 'PARENT' }],
    },
    {
      action: 'SendLocalList',
      payload: { listVersion: 8, updateType: 'Full', localAuthorizationList: [{ idTag: 'TAG' }] },
      reply: { status: 'Accepted' },
    },
  ),
  {
    method: 'GET',
    path: '/local-list/version',
    action: 'GetLocalListVersion',
    payload: {},
    reply: { listVersion: 7 },
  },
  post(
    '/charging-profile',
    { socketId: 1, chargingProfile: profile },
    {
      action: 'SetChargingProfile',
      payload: { connectorId: 1, csChargingProfiles: { chargingProfileId: 5, stackLevel: 1 } },
      reply: { status: 'Accepted' },
    },
  ),
  {
    method: 'DELETE',
    path: '/charging-profile?chargingProfileId=5',
    action: 'ClearChargingProfile',
    payload: { id: 5 },
    reply: { status: 'Accepted' },
  },
  post(
    '/composite-schedule',
    { socketId: 1, durationS: 3600, chargingRateUnit: 'A' },
    {
      action: 'GetCompositeSchedule',
      payload: { connectorId: 1, duration: 3600, chargingRateUnit: 'A' },
      reply: {
        status: 'Accepted',
        socketId: 1,
        chargingSchedule: { chargingSchedulePeriod: [{ startPeriod: 0, limit: 8.1, numberPhases: 3 }] },
      },
    },
  ),
  post(
    '/start-charging',
    { socketId: 2, rfidTag: 'TAG' },
    {
      action: 'RemoteStartTransaction',
      payload: { connectorId: 2, idTag: 'TAG' },
      reply: { socketId: 2, status: 'Accepted' },
    },
  ),
  post(
    '/calls',
    {
      action: 'RemoteStartTransaction',
      payload: { idTag: 'TAG', chargingProfile: { ...profile, chargingProfilePurpose: 'TxProfile' } },
    },
    {
      action: 'RemoteStartTransaction',
      payload: { idTag: 'TAG', chargingProfile: { chargingProfilePurpose: 'TxProfile' } },
      reply: { status: 'Accepted' },
    },
  ),
  post('/reset', { type: 'Hard' }, { action: 'Reset', payload: { type: 'Hard' }, reply: { status: 'Accepted' } }),
];

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const hashData = { hashAlgorithm: 'SHA256', issuerNameHash: 'a1', issuerKeyHash: 'b2', serialNumber: 'c3' };

/** The calls of the security extension, sent raw. */
export const SECURITY_CALLS: readonly { readonly action: string; readonly payload: Json }[] = [
  { action: 'CertificateSigned', payload: { certificateChain: PEM } },
  { action: 'DeleteCertificate', payload: { certificateHashData: hashData } },
  { action: 'ExtendedTriggerMessage', payload: { requestedMessage: 'StatusNotification', connectorId: 1 } },
  { action: 'GetInstalledCertificateIds', payload: { certificateType: 'CentralSystemRootCertificate' } },
  {
    action: 'GetLog',
    payload: {
      logType: 'SecurityLog',
      requestId: 3,
      retries: 2,
      retryInterval: 60,
      log: {
        remoteLocation: 'https://files.example/logs',
        oldestTimestamp: '2026-01-02T03:04:05.000Z',
        latestTimestamp: '2026-01-03T03:04:05.000Z',
      },
    },
  },
  { action: 'InstallCertificate', payload: { certificateType: 'ManufacturerRootCertificate', certificate: PEM } },
  {
    action: 'SignedUpdateFirmware',
    payload: {
      requestId: 4,
      retries: 2,
      retryInterval: 60,
      firmware: {
        location: 'https://files.example/firmware-2.1.bin',
        retrieveDateTime: '2036-01-02T03:04:05.000Z',
        installDateTime: '2036-01-03T03:04:05.000Z',
        signingCertificate: PEM,
        signature: 'c2lnbmF0dXJl',
      },
    },
  },
];

/** The reports of a charger about it. */
export const SECURITY_REPORTS: readonly { readonly action: string; readonly payload: Json }[] = [
  {
    action: 'SecurityEventNotification',
    payload: { type: 'StartupOfTheDevice', timestamp: '2026-01-02T03:04:05.000Z', techInfo: 'x' },
  },
  { action: 'LogStatusNotification', payload: { status: 'Uploading', requestId: 3 } },
  { action: 'SignedFirmwareStatusNotification', payload: { status: 'Downloading', requestId: 4 } },
];
