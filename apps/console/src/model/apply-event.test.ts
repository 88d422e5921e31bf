import { applyEvent } from './apply-event';

type Charger = Parameters<typeof applyEvent>[0];
type Event = Parameters<typeof applyEvent>[1];

const AT = '2026-01-31T12:00:00.000Z';

function socket(id: number, status: Charger['sockets'][number]['status'], errorCode = ''): Charger['sockets'][number] {
  return {
    id,
    status,
    errorCode,
    vendorErrorCode: '',
    info: '',
    name: '',
    type: '',
    maxPower: '',
    availability: null,
    scheduledAvailability: null,
    format: '',
    socketPowerType: '',
    maxWatts: null,
    maxVoltage: null,
    maxAmperage: null,
    phaseRotation: '',
    deviceEvseId: null,
    deviceConnectorId: id,
    lastUpdated: null,
  };
}

const FAULT = { errorCode: 'OtherError', vendorErrorCode: 'E-4711', info: 'leak' };

const CHARGER: Charger = {
  state: 'Available',
  activeConnection: true,
  connectedSince: '2026-01-31T10:00:00.000Z',
  lastSeen: '2026-01-31T11:00:00.000Z',
  ocppVersion: 'ocpp1.6',
  sockets: [socket(1, 'Available'), socket(2, 'Error', 'GroundFailure')],
  manufacturer: 'ACME',
  model: 'One',
  serial: '1',
  firmware: '1.0',
};

function event(type: string, data: object): Event {
  return {
    id: 'evt_1',
    type,
    timestamp: AT,
    sequence: 1,
    chargerId: 'A',
    siteId: 1,
    externalSiteId: null,
    data,
  } as Event;
}

describe('an event', () => {
  it.each<[string, Event, Partial<Charger>]>([
    [
      'a state',
      event('charger.state_changed', { state: 'Charging', previousState: 'Available' }),
      { state: 'Charging', lastSeen: AT },
    ],
    [
      'a state of a socket',
      event('socket.state_changed', { socketId: 1, state: 'Error', previousState: 'Available', ...FAULT }),
      { sockets: [{ ...socket(1, 'Error'), ...FAULT }, socket(2, 'Error', 'GroundFailure')], lastSeen: AT },
    ],
    [
      'a connection',
      event('charger.connected', {
        ocppVersion: 'ocpp2.0.1',
        connectedSince: AT,
        replaced: false,
        sockets: [{ socketId: 1, state: 'Booting' }],
      }),
      {
        activeConnection: true,
        connectedSince: AT,
        ocppVersion: 'ocpp2.0.1',
        lastSeen: AT,
        sockets: [socket(1, 'Booting'), socket(2, 'Error', 'GroundFailure')],
      },
    ],
    [
      'the end of a connection, which is no sign of the charger',
      event('charger.disconnected', { reason: 'closed', sockets: [{ socketId: 1, state: 'Offline' }] }),
      {
        activeConnection: false,
        connectedSince: null,
        sockets: [socket(1, 'Offline'), socket(2, 'Error', 'GroundFailure')],
      },
    ],
    [
      'a boot',
      event('charger.booted', {
        manufacturer: 'ACME',
        model: 'Two',
        serial: '1',
        firmware: '2.0',
        previousFirmware: '1.0',
      }),
      { model: 'Two', firmware: '2.0', lastSeen: AT },
    ],
    [
      'a state that this page does not know',
      event('charger.state_changed', { state: 'Levitating', previousState: 'Available' }),
      {},
    ],
    ['a session', event('session.started', { transactionId: 1 }), {}],
  ])('changes what it says and nothing else: %s', (_, made, changed) => {
    expect(applyEvent(CHARGER, made)).toEqual({ ...CHARGER, ...changed });
  });

  it('does not move the last message backwards', () => {
    const later = { ...CHARGER, lastSeen: '2026-01-31T13:00:00.000Z' };
    expect(applyEvent(later, event('charger.state_changed', { state: 'Charging' })).lastSeen).toBe(later.lastSeen);
  });
});
