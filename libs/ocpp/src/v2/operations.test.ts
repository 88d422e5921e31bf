import { encodeOperation } from '../operations/encode';
import type { OperationName, Operations } from '../operations/operation';

const VERSIONS = ['ocpp2.0.1', 'ocpp2.1'];
const AT = '2026-01-31T12:00:00.000Z';
const SCHEDULE = { chargingRateUnit: 'A' as const, chargingSchedulePeriod: [{ startPeriod: 0, limit: 8.1 }] };
const VARIABLE = { component: { name: 'A' }, variable: { name: 'B' } };
const PROFILE = {
  chargingProfileId: 1,
  stackLevel: 0,
  chargingProfilePurpose: 'TxProfile' as const,
  chargingProfileKind: 'Relative' as const,
  chargingSchedule: SCHEDULE,
};
const SEVERAL = { ...PROFILE, chargingSchedule: [SCHEDULE, { ...SCHEDULE, duration: 60 }] };
const encode = <Name extends OperationName>(version: string, name: Name, input: Operations[Name]['input']) =>
  encodeOperation(name, input)(version);

describe.each(VERSIONS)('an operation in %s', (version) => {
  it.each<[OperationName, object, string, object]>([
    ['reset', { type: 'Soft' }, 'Reset', { type: 'OnIdle' }],
    ['reset', { type: 'Hard' }, 'Reset', { type: 'Immediate' }],
    ['reset', { type: 'Soft', socketId: 102 }, 'Reset', { type: 'OnIdle', evseId: 1 }],
    ['unlock', { socketId: 102 }, 'UnlockConnector', { evseId: 1, connectorId: 2 }],
    ['changeAvailability', { type: 'Inoperative' }, 'ChangeAvailability', { operationalStatus: 'Inoperative' }],
    [
      'changeAvailability',
      { type: 'Inoperative', evseId: 2 },
      'ChangeAvailability',
      { operationalStatus: 'Inoperative', evse: { id: 2 } },
    ],
    ['triggerMessage', { message: 'TransactionEvent' }, 'TriggerMessage', { requestedMessage: 'TransactionEvent' }],
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
    [
      'setChargingProfile',
      { chargingProfile: SEVERAL },
      'SetChargingProfile',
      {
        evseId: 0,
        chargingProfile: {
          chargingSchedule: [
            { id: 1, ...SCHEDULE },
            { id: 2, ...SCHEDULE, duration: 60 },
          ],
        },
      },
    ],
    [
      'reserve',
      { reservationId: 9, socketId: 102, rfidTag: 'TAG', parentRfidTag: 'P', expiresAt: AT },
      'ReserveNow',
      {
        id: 9,
        evseId: 1,
        idToken: { idToken: 'TAG', type: 'Central' },
        groupIdToken: { idToken: 'P', type: 'Central' },
        expiryDateTime: AT,
      },
    ],
    [
      'reserve',
      { reservationId: 9, rfidTag: 'TAG', connectorType: 'cCCS2', expiresAt: AT },
      'ReserveNow',
      { id: 9, connectorType: 'cCCS2' },
    ],
    ['cancelReservation', { reservationId: 9 }, 'CancelReservation', { reservationId: 9 }],
    [
      'sendLocalList',
      {
        listVersion: 3,
        updateType: 'Differential',
        tags: [
          { rfidTag: 'A', status: 'Accepted', expiringDate: AT, parentRfidTag: 'P' },
          { rfidTag: 'B' },
          { rfidTag: 'C', status: 'Blocked', inheritedParentRfidTag: 'P'.repeat(256) },
        ],
      },
      'SendLocalList',
      {
        versionNumber: 3,
        updateType: 'Differential',
        localAuthorizationList: [
          {
            idToken: { idToken: 'A', type: 'ISO14443' },
            idTokenInfo: {
              status: 'Accepted',
              cacheExpiryDateTime: AT,
              groupIdToken: { idToken: 'P', type: 'Central' },
            },
          },
          { idToken: { idToken: 'B', type: 'ISO14443' } },
          { idToken: { idToken: 'C', type: 'ISO14443' }, idTokenInfo: { status: 'Blocked' } },
        ],
      },
    ],
    ['sendLocalList', { listVersion: 3, updateType: 'Full', tags: [] }, 'SendLocalList', { versionNumber: 3 }],
    ['getLocalListVersion', {}, 'GetLocalListVersion', {}],
    [
      'setChargingProfile',
      { chargingProfile: { ...PROFILE, chargingProfilePurpose: 'ChargePointMaxProfile' } },
      'SetChargingProfile',
      { evseId: 0, chargingProfile: { id: 1, chargingProfilePurpose: 'ChargingStationMaxProfile' } },
    ],
    [
      'clearChargingProfile',
      { chargingProfileId: 1, socketId: 2, stackLevel: 0 },
      'ClearChargingProfile',
      { chargingProfileId: 1, chargingProfileCriteria: { evseId: 2, stackLevel: 0 } },
    ],
    ['clearChargingProfile', {}, 'ClearChargingProfile', {}],
    [
      'getCompositeSchedule',
      { durationS: 60, chargingRateUnit: 'W' },
      'GetCompositeSchedule',
      { evseId: 0, duration: 60, chargingRateUnit: 'W' },
    ],
    [
      'getChargingProfiles',
      { requestId: 5, socketId: 2, chargingProfilePurpose: 'ChargePointMaxProfile', chargingLimitSource: ['EMS'] },
      'GetChargingProfiles',
      {
        requestId: 5,
        evseId: 2,
        chargingProfile: { chargingProfilePurpose: 'ChargingStationMaxProfile', chargingLimitSource: ['EMS'] },
      },
    ],
    ['getChargingProfiles', { requestId: 5, socketId: 0 }, 'GetChargingProfiles', { evseId: 0, chargingProfile: {} }],
    [
      'getDiagnostics',
      { location: 'ftp://files', startTime: AT, stopTime: AT, requestId: 5, retries: 2, retryIntervalS: 30 },
      'GetLog',
      {
        logType: 'DiagnosticsLog',
        requestId: 5,
        log: { remoteLocation: 'ftp://files', oldestTimestamp: AT, latestTimestamp: AT },
        retries: 2,
        retryInterval: 30,
      },
    ],
    [
      'updateFirmware',
      { location: 'ftp://f', retrieveAt: AT, installAt: AT, signingCertificate: 'C', signature: 'S', requestId: 5 },
      'UpdateFirmware',
      {
        requestId: 5,
        firmware: {
          location: 'ftp://f',
          retrieveDateTime: AT,
          installDateTime: AT,
          signingCertificate: 'C',
          signature: 'S',
        },
      },
    ],
    [
      'changeConfiguration',
      { configName: 'heartbeatinterval', configValue: '60' },
      'SetVariables',
      {
        setVariableData: [
          { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'HeartbeatInterval' }, attributeValue: '60' },
        ],
      },
    ],
    [
      'getConfiguration',
      { configNames: ['Connector@1.2.Enabled'] },
      'GetVariables',
      {
        getVariableData: [
          { component: { name: 'Connector', evse: { id: 1, connectorId: 2 } }, variable: { name: 'Enabled' } },
        ],
      },
    ],
    [
      'getVariables',
      {
        variables: [
          { name: 'HeartbeatInterval' },
          { component: 'EVSE', evseId: 1, variable: 'Power', variableInstance: 'x', attributeType: 'MaxSet' },
        ],
      },
      'GetVariables',
      {
        getVariableData: [
          { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'HeartbeatInterval' } },
          {
            component: { name: 'EVSE', evse: { id: 1 } },
            variable: { name: 'Power', instance: 'x' },
            attributeType: 'MaxSet',
          },
        ],
      },
    ],
    [
      'setVariables',
      { variables: [{ name: 'A.B', value: '1' }] },
      'SetVariables',
      { setVariableData: [{ component: { name: 'A' }, variable: { name: 'B' }, attributeValue: '1' }] },
    ],
    ['getTransactionStatus', {}, 'GetTransactionStatus', {}],
    ['clearCache', {}, 'ClearCache', {}],
    ['transferData', { vendorId: 'V', data: 'D' }, 'DataTransfer', { vendorId: 'V', data: 'D' }],
    ['transferData', { vendorId: 'V', data: { a: [1] } }, 'DataTransfer', { vendorId: 'V', data: { a: [1] } }],
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

  it('129. encodes the cost of a session by the id of the charger, and supports none of a session of OCPP 1.6', () => {
    const update = encodeOperation('updateCost', { transactionId: 7, totalCost: 12.5 });
    const encoded = update(version, { deviceTransactionId: 'T-1' });
    expect(encoded).toMatchObject({ action: 'CostUpdated', payload: { transactionId: 'T-1', totalCost: 12.5 } });
    expect(encoded?.read({})).toEqual({ status: 'Accepted' });
    expect(update(version)).toBeUndefined();
  });

  it('129. encodes a stop by the id of the charger, and supports none of a session of OCPP 1.6', () => {
    const stop = encodeOperation('stopTransaction', { transactionId: 7 });
    const payload = { transactionId: 'T-1' };
    expect(stop(version, { deviceTransactionId: 'T-1' })).toMatchObject({ action: 'RequestStopTransaction', payload });
    expect(stop(version)).toBeUndefined();
  });

  it('146. asks about a transaction by the id of the charger, and about none of a session of OCPP 1.6', () => {
    const ask = encodeOperation('getTransactionStatus', { transactionId: 7 });
    const payload = { transactionId: 'T-1' };
    expect(ask(version, { deviceTransactionId: 'T-1' })).toMatchObject({ action: 'GetTransactionStatus', payload });
    expect(ask(version)).toBeUndefined();
    expect(ask('ocpp1.6')).toBeUndefined();
  });

  it('129. mints the id of each remote start', () => {
    const start = encodeOperation('startCharging', { rfidTag: 'TAG' });
    const ids = [start(version), start(version)].map((call) => call?.payload['remoteStartId']);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('129. sets the profile of a transaction by the id of the charger', () => {
    const set = encodeOperation('setChargingProfile', { socketId: 1, chargingProfile: PROFILE });
    const call = set(version, { deviceTransactionId: 'T-1' });
    expect(call).toMatchObject({ payload: { evseId: 1, chargingProfile: { transactionId: 'T-1' } } });
  });

  it.each<[OperationName, object, string]>([
    ['updateFirmware', { location: 'ftp://f', retrieveAt: AT, signature: 'S', requestId: 5 }, '/signingCertificate'],
    ['getDiagnostics', { location: 'f'.repeat(3_000), requestId: 5 }, '/location'],
    ['changeConfiguration', { configName: 'Unknown', configValue: '1' }, '/configName'],
    ['changeConfiguration', { configName: 'A.B', configValue: 'v'.repeat(2_501) }, '/configValue'],
    ['getConfiguration', { configNames: ['A.B', 'Unknown'] }, '/configNames/1'],
    ['changeAvailability', { type: 'Operative', socketId: 1, evseId: 1 }, '/evseId'],
    ['getVariables', { variables: [{ name: 'A.B' }, { name: 'Unknown' }] }, '/variables/1/name'],
    ['getVariables', { variables: [{ component: 'A' }] }, '/variables/0'],
    ['setVariables', { variables: [{ name: 'A.B', value: 'v'.repeat(2_501) }] }, '/variables/0/value'],
    [
      'setVariables',
      { variables: [{ component: 'C'.repeat(51), variable: 'B', value: '' }] },
      '/variables/0/component',
    ],
    ['sendLocalList', { listVersion: 1, updateType: 'Full', tags: [{ rfidTag: 'A' }] }, '/tags/0/status'],
    [
      'sendLocalList',
      { listVersion: 1, updateType: 'Differential', tags: [{ rfidTag: 'A'.repeat(256) }] },
      '/tags/0/rfidTag',
    ],
    ['reserve', { reservationId: 1, socketId: 100, rfidTag: 'T', expiresAt: AT }, '/socketId'],
    ['reserve', { reservationId: 1, rfidTag: 'T', expiresAt: 'tomorrow' }, '/expiresAt'],
    [
      'setChargingProfile',
      {
        chargingProfile: {
          ...PROFILE,
          chargingSchedule: { ...SCHEDULE, chargingSchedulePeriod: [{ startPeriod: 0, limit: 1, numberPhases: 'x' }] },
        },
      },
      '/chargingProfile/chargingSchedule/chargingSchedulePeriod/0/numberPhases',
    ],
    [
      'setChargingProfile',
      { chargingProfile: { ...PROFILE, chargingSchedule: [SCHEDULE, { ...SCHEDULE, duration: 'x' }] } },
      '/chargingProfile/chargingSchedule/1/duration',
    ],
    [
      'setChargingProfile',
      { chargingProfile: { ...PROFILE, chargingSchedule: Array.from({ length: 4 }, () => SCHEDULE) } },
      '/chargingProfile/chargingSchedule',
    ],
  ])('129. refuses %s %j at %s', (name, input, path) => {
    expect(() => encode(version, name, input as never)).toThrow(`${path} `);
  });

  it.each<[OperationName, object, object, object]>([
    ['getLocalListVersion', {}, { versionNumber: 4 }, { listVersion: 4 }],
    ['getTransactionStatus', {}, { messagesInQueue: true }, { ongoing: null, messagesInQueue: true }],
    [
      'getVariables',
      { variables: [{ name: 'A.B' }] },
      {
        getVariableResult: [
          { attributeStatus: 'Accepted', attributeValue: '1', component: { name: 'A' }, variable: { name: 'B' } },
          { attributeStatus: 'UnknownVariable', component: { name: 'A' }, variable: { name: 'C' } },
        ],
      },
      {
        variables: [
          { name: 'A.B', attributeType: 'Actual', value: '1', status: 'Accepted' },
          { name: 'A.C', attributeType: 'Actual', value: null, status: 'UnknownVariable' },
        ],
      },
    ],
    [
      'setVariables',
      { variables: [{ name: 'A.B', value: '1' }] },
      {
        setVariableResult: [
          {
            attributeStatus: 'Rejected',
            attributeStatusInfo: { reasonCode: 'OutofRange' },
            component: { name: 'A' },
            variable: { name: 'B' },
          },
        ],
      },
      {
        variables: [
          {
            name: 'A.B',
            attributeType: 'Actual',
            status: 'Rejected',
            statusInfo: { reasonCode: 'OutofRange', additionalInfo: null },
          },
        ],
      },
    ],
    [
      'getCompositeSchedule',
      { durationS: 60 },
      {
        status: 'Accepted',
        schedule: { evseId: 1, duration: 60, scheduleStart: AT, chargingRateUnit: 'W', chargingSchedulePeriod: [] },
      },
      {
        status: 'Accepted',
        socketId: 1,
        scheduleStart: AT,
        chargingSchedule: { duration: 60, chargingRateUnit: 'W', chargingSchedulePeriod: [] },
      },
    ],
    [
      'getCompositeSchedule',
      { durationS: 60 },
      { status: 'Rejected' },
      { status: 'Rejected', socketId: null, scheduleStart: null, chargingSchedule: null },
    ],
    [
      'getDiagnostics',
      { location: 'ftp://f', requestId: 5 },
      { status: 'Accepted', filename: 'a.log' },
      { status: 'Accepted', fileName: 'a.log', requestId: 5 },
    ],
    [
      'updateFirmware',
      { location: 'ftp://f', retrieveAt: AT, requestId: 5 },
      { status: 'RevokedCertificate' },
      { status: 'RevokedCertificate', requestId: 5 },
    ],
    [
      'changeConfiguration',
      { configName: 'A.B', configValue: '1' },
      { setVariableResult: [{ attributeStatus: 'RebootRequired', ...VARIABLE }] },
      { status: 'RebootRequired' },
    ],
    [
      'getConfiguration',
      { configNames: ['a.b', 'C.D'] },
      {
        getVariableResult: [
          { attributeStatus: 'Accepted', attributeValue: '1', ...VARIABLE },
          { attributeStatus: 'UnknownVariable', component: { name: 'C' }, variable: { name: 'D' } },
        ],
      },
      {
        configuration: [{ configName: 'a.b', configValue: '1', canBeChanged: true }],
        unknownConfigNames: ['C.D'],
      },
    ],
  ])('129. reads the answer of %s %j', (name, input, answer, read) => {
    expect(encode(version, name, input as never)?.read({ ...answer })).toEqual(read);
  });

  it('has no configuration without names', () => {
    expect(encode(version, 'getConfiguration', {})).toBeUndefined();
  });
});

describe('what a version alone has', () => {
  it.each([{}, { socketId: 0 }])('129. triggers no StatusNotification of 2.x without a connector: %j', (where) => {
    const encoded = encodeOperation('triggerMessage', { message: 'StatusNotification', ...where });
    for (const version of ['ocpp2.0.1', 'ocpp2.1'] as const) expect(() => encoded(version)).toThrow('/socketId');
    expect(encoded('ocpp1.6')).toMatchObject({ action: 'TriggerMessage' });
  });

  it.each<[OperationName, object, string]>([
    ['reset', { type: 'Soft', socketId: 1 }, '/socketId is a field of OCPP 2.x'],
    ['reset', { type: 'ImmediateAndResume' }, '/type is a reset of OCPP 2.1'],
    ['changeAvailability', { type: 'Operative', evseId: 1 }, '/evseId is a field of OCPP 2.x'],
    ['triggerMessage', { message: 'TransactionEvent' }, '/message must be one of'],
    ['triggerMessage', { message: 'Heartbeat', customTrigger: 'x' }, '/customTrigger is a field of OCPP 2.x'],
    ['getDiagnostics', { location: 'ftp://f', logType: 'DataCollectorLog', requestId: 1 }, '/logType must be one of'],
    ['reserve', { reservationId: 1, rfidTag: 'T', connectorType: 'cCCS2', expiresAt: AT }, '/connectorType is a field'],
    ['setChargingProfile', { chargingProfile: SEVERAL }, '/chargingProfile/chargingSchedule is one schedule'],
    ['startCharging', { rfidTag: 'T', chargingProfile: SEVERAL }, '/chargingProfile/chargingSchedule is one schedule'],
  ])('129. is refused for OCPP 1.6: %s %j: %s', (name, input, message) => {
    expect(() => encodeOperation(name, input as never)('ocpp1.6')).toThrow(message);
  });

  it.each<[OperationName, object, object]>([
    ['reset', { type: 'ImmediateAndResume' }, { type: 'ImmediateAndResume' }],
    [
      'triggerMessage',
      { message: 'CustomTrigger', customTrigger: 'SelfTest' },
      { requestedMessage: 'CustomTrigger', customTrigger: 'SelfTest' },
    ],
    [
      'getDiagnostics',
      { location: 'ftp://f', logType: 'DataCollectorLog', requestId: 1 },
      { logType: 'DataCollectorLog' },
    ],
  ])('129. is encoded for 2.1, and refused for 2.0.1: %s %j', (name, input, payload) => {
    const encoded = encodeOperation(name, input as never);
    expect(encoded('ocpp2.1')).toMatchObject({ payload });
    expect(() => encoded('ocpp2.0.1')).toThrow('OCPP cannot carry this');
  });
});
