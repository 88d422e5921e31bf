import { encodeOperation } from '../operations/encode';
import type { OperationName, Operations } from '../operations/operation';

const VERSIONS = ['ocpp2.0.1', 'ocpp2.1'];
const SCHEDULE = { chargingRateUnit: 'A' as const, chargingSchedulePeriod: [{ startPeriod: 0, limit: 8.1 }] };
const PROFILE = {
  chargingProfileId: 1,
  stackLevel: 0,
  chargingProfilePurpose: 'TxProfile' as const,
  chargingProfileKind: 'Relative' as const,
  chargingSchedule: SCHEDULE,
};
const encode = <Name extends OperationName>(version: string, name: Name, input: Operations[Name]['input']) =>
  encodeOperation(name, input)(version);

describe.each(VERSIONS)('an operation in %s', (version) => {
  it.each<[OperationName, object, string, object]>([
    ['reset', { type: 'Soft' }, 'Reset', { type: 'OnIdle' }],
    ['reset', { type: 'Hard' }, 'Reset', { type: 'Immediate' }],
    ['unlock', { socketId: 102 }, 'UnlockConnector', { evseId: 1, connectorId: 2 }],
    ['changeAvailability', { type: 'Inoperative' }, 'ChangeAvailability', { operationalStatus: 'Inoperative' }],
    [
      'changeAvailability',
      { type: 'Operative', socketId: 2 },
      'ChangeAvailability',
      { operationalStatus: 'Operative', evse: { id: 2, connectorId: 1 } },
    ],
    [
      'triggerMessage',
      { message: 'StatusNotification', socketId: 1 },
      'TriggerMessage',
      { requestedMessage: 'StatusNotification', evse: { id: 1, connectorId: 1 } },
    ],
    [
      'triggerMessage',
      { message: 'DiagnosticsStatusNotification' },
      'TriggerMessage',
      { requestedMessage: 'LogStatusNotification' },
    ],
    [
      'triggerMessage',
      { message: 'SignChargePointCertificate' },
      'TriggerMessage',
      { requestedMessage: 'SignChargingStationCertificate' },
    ],
    [
      'startCharging',
      { rfidTag: 'TAG', socketId: 102 },
      'RequestStartTransaction',
      { evseId: 1, idToken: { idToken: 'TAG', type: 'Central' }, remoteStartId: expect.any(Number) as number },
    ],
    ['startCharging', { rfidTag: 'TAG' }, 'RequestStartTransaction', { idToken: { idToken: 'TAG', type: 'Central' } }],
    [
      'startCharging',
      { rfidTag: 'TAG', chargingProfile: PROFILE },
      'RequestStartTransaction',
      { chargingProfile: { id: 1, stackLevel: 0, chargingSchedule: [{ id: 1, ...SCHEDULE }] } },
    ],
    ['clearCache', {}, 'ClearCache', {}],
    ['transferData', { vendorId: 'V', data: 'D' }, 'DataTransfer', { vendorId: 'V', data: 'D' }],
  ])('129. encodes %s %j as %s %j', (name, input, action, payload) => {
    expect(encode(version, name, input)).toMatchObject({ action, payload });
  });

  it.each([
    ['unlock', { socketId: 100 }],
    ['unlock', { socketId: 201 }],
    ['changeAvailability', { socketId: 101, type: 'Operative' }],
  ] as const)('129. refuses %s %j at /socketId', (name, input) => {
    const refused = () => encode(version, name, input);
    expect(refused).toThrow('/socketId is not the number of a socket');
  });

  it('129. reads the data of a DataTransfer as text', () => {
    const read = encode(version, 'transferData', { vendorId: 'V' })?.read;
    expect(read?.({ status: 'Accepted', data: { a: 1 } })).toEqual({ status: 'Accepted', data: '{"a":1}' });
    expect(read?.({ status: 'Accepted' })).toEqual({ status: 'Accepted', data: null });
  });

  it('129. encodes a stop by the id of the charger, and supports none of a session of OCPP 1.6', () => {
    const stop = encodeOperation('stopTransaction', { transactionId: 7 });
    const payload = { transactionId: 'T-1' };
    expect(stop(version, { deviceTransactionId: 'T-1' })).toMatchObject({ action: 'RequestStopTransaction', payload });
    expect(stop(version)).toBeUndefined();
  });

  it('129. refuses a tag beyond the length of the version at /rfidTag', () => {
    const rfidTag = 'T'.repeat(256);
    expect(() => encode(version, 'startCharging', { rfidTag })).toThrow('/rfidTag');
  });

  it('129. mints the id of each remote start', () => {
    const start = encodeOperation('startCharging', { rfidTag: 'TAG' });
    const ids = [start(version), start(version)].map((call) => call?.payload['remoteStartId']);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('is not supported where it is not built', () => {
    expect(encode(version, 'getLocalListVersion', {})).toBeUndefined();
  });
});
