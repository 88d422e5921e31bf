import { encodeOperation } from '../operations/encode';
import type { OperationName, Operations } from '../operations/operation';

const VERSIONS = ['ocpp2.0.1', 'ocpp2.1'];
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

  it('is not supported where it is not built', () => {
    expect(encode(version, 'getLocalListVersion', {})).toBeUndefined();
  });
});
