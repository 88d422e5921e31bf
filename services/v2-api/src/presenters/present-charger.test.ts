import type { Charger, ReportedStatus } from '@busbar/domain/chargers';
import { newCharger } from '@busbar/domain/testing';
import { presentCharger } from './present-charger';

const at = '2026-01-02T03:04:05.678Z';
const earlier = '2026-01-01T00:00:00.000Z';
const position = [1, 1] as const;

const status = (state: ReportedStatus['state'], errorCode = ''): ReportedStatus => {
  return { state, errorCode, info: `info of ${state}`, vendorErrorCode: `code of ${state}`, at, position };
};

function charger(connection: Partial<Charger['connection']>): Charger {
  return newCharger({
    chargerId: 'A',
    registered: { name: 'N', location: { city: 'Oslo' }, sockets: [{ id: 2, type: 'CCS2' }], siteId: 3 },
    connection: { ocppVersion: 'ocpp1.6', since: earlier, ...connection },
    reported: {
      ownState: 'Charging',
      lastSeen: at,
      lastMessage: '[2,"1","Heartbeat",{}]',
      boot: {
        manufacturer: 'M',
        model: 'X',
        serial: 'S',
        firmware: 'F',
        iccid: 'I',
        imsi: 'J',
        meterType: 'T',
        meterSerialNumber: 'U',
        at,
        position,
      },
      sockets: { '2': status('Charging'), '1': status('Error', 'GroundFailure') },
      ongoing: {
        '2': { socketId: 2, transactionId: 9, sessionId: 's', idTag: 't', startTime: at, position },
        '1': { socketId: 1, transactionId: 8, sessionId: 'r', idTag: 't', startTime: at, position },
      },
      configuration: [{ configName: 'HeartbeatInterval', configValue: '300', canBeChanged: true }],
      deviations: { zoneless_time: { count: 2, lastAt: at } },
    },
  });
}

describe('the charger record of the v2 API', () => {
  it('shows the reports of a connected charger beside its registration', () => {
    const record = presentCharger({ charger: charger({ active: true }), siteName: 'Yard' });
    expect(record).toMatchObject({
      state: 'Charging',
      activeConnection: true,
      lastSeen: at,
      lastMessage: '[2,"1","Heartbeat",{}]',
      connectedSince: earlier,
      ocppVersion: 'ocpp1.6',
      siteId: 3,
      siteName: 'Yard',
      manufacturer: 'M',
      model: 'X',
      serial: 'S',
      firmware: 'F',
      iccid: 'I',
      imsi: 'J',
      meterType: 'T',
      meterSerialNumber: 'U',
      location: { city: 'Oslo', country: null, latitude: null },
      chargerConfigurations: [{ configName: 'HeartbeatInterval', configValue: '300', canBeChanged: true }],
      ongoingTransactions: [
        { socketId: 1, transactionId: 8, evseTransactionId: null },
        { socketId: 2, transactionId: 9, evseTransactionId: null },
      ],
      deviations: [{ kind: 'zoneless_time', count: 2, lastAt: at }],
    });
    expect(record.sockets).toMatchObject([
      {
        id: 1,
        type: '',
        status: 'Error',
        errorCode: 'GroundFailure',
        vendorErrorCode: 'code of Error',
        info: 'info of Error',
        deviceConnectorId: 1,
        lastUpdated: at,
      },
      { id: 2, type: 'CCS2', status: 'Charging', errorCode: '', deviceEvseId: null, deviceConnectorId: 2 },
    ]);
  });

  it('shows a disconnected charger as Offline with its last reports', () => {
    const record = presentCharger({ charger: charger({ active: false }), siteName: 'Yard' });
    expect(record).toMatchObject({
      state: 'Offline',
      activeConnection: false,
      connectedSince: null,
      lastSeen: at,
      manufacturer: 'M',
    });
    expect(record.sockets.map((socket) => socket.status)).toEqual(['Offline', 'Offline']);
  });
});
