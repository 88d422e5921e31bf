import { ALL_SOCKETS } from '../protocol';
import { ocpp16 } from './protocol';
import { newKeysOf, refreshCall, remoteStartOf, statusSocketsOf, tagQuestionOf, transactionChangeOf } from './requests';

it.each([
  [
    { idTag: 'T', connectorId: 2 },
    { rfidTag: 'T', socketId: 2 },
  ],
  [
    { idTag: 'T', connectorId: 2, chargingProfile: { chargingProfileId: 1 } },
    { rfidTag: 'T', socketId: 2 },
  ],
  [{ idTag: 'T' }, { rfidTag: 'T' }],
  [{ connectorId: 2 }, undefined],
  [{ idTag: 7 }, undefined],
  [{ idTag: 'T'.repeat(256) }, undefined],
  [{ idTag: 'T', connectorId: 1.5 }, undefined],
])('reads the tag and the socket of a remote start: %j', (payload, expected) => {
  expect(remoteStartOf({ action: 'RemoteStartTransaction', payload })).toEqual(expected);
});

it('reads no remote start from another CALL', () => {
  expect(remoteStartOf({ action: 'ReserveNow', payload: { idTag: 'T', connectorId: 2 } })).toBeUndefined();
});

it.each([
  ['Authorize', { idTag: 'T' }, { action: 'authorize', rfidTag: 'T', socketId: null, timestamp: undefined }],
  [
    'StartTransaction',
    { idTag: 'T', connectorId: 2, meterStart: 0, timestamp: '2026-01-01T00:00:00Z' },
    { action: 'start', rfidTag: 'T', socketId: 2, timestamp: '2026-01-01T00:00:00Z' },
  ],
  ['StopTransaction', { idTag: 'T', transactionId: 7 }, undefined],
  ['DataTransfer', { vendorId: 'V' }, undefined],
])('reads the tag that %s %j waits for a verdict on', (action, payload, expected) => {
  expect(tagQuestionOf({ action, payload })).toEqual(expected);
});

it.each([
  [{ connectorId: 2 }, 2],
  [{ connectorId: 0 }, 0],
  [{ connectorId: -3 }, ALL_SOCKETS],
  [{ connectorId: '1' }, ALL_SOCKETS],
  [{}, ALL_SOCKETS],
  [null, ALL_SOCKETS],
])('reads the socket of a status: %j', (payload, expected) => {
  expect(statusSocketsOf({ action: 'StatusNotification', payload })).toEqual([expected]);
});

it('reads no socket from another CALL', () => {
  expect(statusSocketsOf({ action: 'MeterValues', payload: { connectorId: 2 } })).toEqual([]);
});

it.each([
  ['StartTransaction', { connectorId: 1 }, { transactionId: 7 }, { kind: 'began', transactionId: '7' }],
  ['StopTransaction', { transactionId: 7 }, {}, { kind: 'ended', transactionId: '7' }],
  ['StopTransaction', null, {}, undefined],
  ['MeterValues', { transactionId: 7 }, {}, undefined],
])('reads the transaction that %s %j begins or ends', (...[action, payload, answer, expected]) => {
  expect(transactionChangeOf({ action, payload }, answer)).toEqual(expected);
});

it.each([2, 0, ALL_SOCKETS])('asks for the status of socket %s with a payload that fits the schema', (socket) => {
  const { action, payload } = refreshCall(socket);
  expect(ocpp16.sent.get(action)?.(payload)).toBe(true);
  expect(payload['connectorId']).toBe(socket > 0 ? socket : undefined);
});

it.each([
  ['ChangeConfiguration', { key: 'AuthorizationKey', value: 'secret' }, [{ value: 'secret', path: '/value' }]],
  ['ChangeConfiguration', { key: 'authorizationkey', value: 'secret' }, [{ value: 'secret', path: '/value' }]],
  ['ChangeConfiguration', { key: 'AuthorizationKey' }, [{ value: '', path: '/value' }]],
  ['ChangeConfiguration', { key: 'HeartbeatInterval', value: '60' }, []],
  ['ChangeConfiguration', { key: 7, value: 'secret' }, []],
  ['GetConfiguration', { key: 'AuthorizationKey', value: 'secret' }, []],
])('reads the new authorization key from %s %j', (action, payload, expected) => {
  expect(newKeysOf({ action, payload })).toEqual(expected);
});
