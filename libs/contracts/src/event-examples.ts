// One example of each type's data, for documents and tests.
import type { EventData, EventName, FeedEvent } from './event';

const SOCKET = {
  socketId: 1,
  state: 'Charging',
  previousState: 'Preparing',
  errorCode: '',
  vendorErrorCode: '',
  info: '',
  deviceTime: '2026-01-31T11:42:10.000Z',
};

const STARTED = {
  transactionId: 4711,
  socketId: 1,
  rfidTag: '04A2B3',
  startTime: '2026-01-31T11:42:10.000Z',
  meterStart: 10_500,
  verdict: 'accepted',
  startedBy: 'local' as const,
  commandId: null,
  offline: false,
};

const EXAMPLES: { readonly [Name in EventName]: EventData<Name> } = {
  'charger.created': { name: 'Car park, row 2' },
  'charger.updated': { changed: ['name', 'sockets'] },
  'charger.deleted': {},
  'charger.connected': {
    ocppVersion: 'ocpp1.6',
    connectedSince: '2026-01-31T11:40:00.000Z',
    replaced: false,
    sockets: [{ socketId: 1, state: 'Available' }],
  },
  'charger.disconnected': { reason: 'lapsed', sockets: [{ socketId: 1, state: 'Offline' }] },
  'charger.booted': {
    manufacturer: 'ACME',
    model: 'Wall 22',
    serial: 'A-17',
    firmware: '2.4.1',
    iccid: '',
    imsi: '',
    meterType: '',
    meterSerialNumber: '',
    previousFirmware: '2.4.0',
  },
  'charger.state_changed': { state: 'Charging', previousState: 'Preparing' },
  'socket.state_changed': SOCKET,
  'socket.state_reported': { ...SOCKET, previousState: 'Charging' },
  'session.started': STARTED,
  'session.ended': {
    ...STARTED,
    endTime: '2026-01-31T12:30:00.000Z',
    meterStop: 18_200,
    consumptionWh: 7_700,
    stopReason: 'Local',
    superseded: false,
  },
  'meter.values': {
    transactionId: 4711,
    socketId: 1,
    measurements: [
      {
        deviceTime: '2026-01-31T12:00:00.000Z',
        value: '12650',
        measurand: 'Energy.Active.Import.Register',
        phase: null,
        unit: 'Wh',
        context: 'Sample.Periodic',
        location: null,
      },
    ],
  },
  'tag.checked': { rfidTag: '04A2B3', verdict: 'accepted', source: 'own', tookMs: null },
  'command.completed': { commandId: '01JZWQ4R6S8T0V2X4Z6A8B0C2D', operation: 'Reset', outcome: 'Accepted' },
  'charger.firmware_status': { status: 'Installed', requestId: null, deviceTime: null },
  'charger.diagnostics_status': { status: 'Uploaded', requestId: 12, deviceTime: null },
  'charger.security_event': {
    type: 'FirmwareUpdated',
    techInfo: null,
    deviceTime: '2026-01-31T11:42:10.000Z',
  },
  'charger.certificate_refused': { outcome: 'Rejected', certificateType: 'ChargingStationCertificate' },
  'charger.data_transfer': { vendorId: 'com.example', messageId: 'diag', data: '{"temperature":41}' },
  'webhook.disabled': { webhookId: 'wh_5tQ2', reason: 'no_success_72h' },
  'webhook.test': { webhookId: 'wh_5tQ2' },
};

/** An event of that type. */
export function exampleEvent<Name extends EventName>(name: Name): FeedEvent<Name> {
  const timestamp = '2026-01-31T11:42:10.417Z';
  const data = EXAMPLES[name];
  if (name.startsWith('webhook.')) {
    const ofNone = { sequence: null, chargerId: null, siteId: null, externalSiteId: null };
    return { id: 'evt_wh_5tQ2_1', type: name, timestamp, ...ofNone, data };
  }
  const ofCharger = { sequence: 830, chargerId: 'ACME-17', siteId: 12, externalSiteId: 'GARAGE-NORTH' };
  return { id: 'evt_01J9Z3N5V7C8R2K4M6P8Q0S2T4_830', type: name, timestamp, ...ofCharger, data };
}
