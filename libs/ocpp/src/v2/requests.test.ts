import { ALL_SOCKETS } from '../protocol';
import { newKeysOf, refreshCall, remoteStartOf, statusSocketsOf, tagQuestionOf, transactionChangeOf } from './requests';
import { solicitedBy } from './boot';

const AT = '2026-01-01T00:00:00Z';
const idToken = { idToken: 'T', type: 'Central' };
const event = (evse: object | undefined, variable = 'AvailabilityState', name = 'Connector') => ({
  component: { name, ...(evse === undefined ? {} : { evse }) },
  variable: { name: variable },
});

describe('the status of a socket', () => {
  it.each([
    [{ evseId: 2, connectorId: 1 }, 2],
    [{ evseId: 1, connectorId: 2 }, 102],
    [{ evseId: 0, connectorId: 0 }, 0],
    [{ evseId: 1, connectorId: 0 }, 0],
    [{ evseId: 100, connectorId: 1 }, ALL_SOCKETS],
  ])('124. is reported by StatusNotification of %j for socket %s', (payload, socket) => {
    expect(statusSocketsOf({ action: 'StatusNotification', payload })).toEqual([socket]);
  });

  it.each([
    [[event({ id: 1, connectorId: 2 })], [102]],
    [[1, 2, 1].map((id) => event({ id, connectorId: 1 })), [1, 2]],
    [[event({ id: 1, connectorId: 1 }, 'Power')], []],
    [[event({ id: 1 }, 'AvailabilityState', 'EVSE')], []],
    [[event(undefined)], [ALL_SOCKETS]],
  ])('124. is reported by NotifyEvent of %j for the sockets %j', (eventData, sockets) => {
    expect(statusSocketsOf({ action: 'NotifyEvent', payload: { eventData } })).toEqual(sockets);
  });

  it('124. is asked for again with its EVSE and connector', () => {
    const payload = { requestedMessage: 'StatusNotification', evse: { id: 1, connectorId: 2 } };
    expect(refreshCall(102)).toEqual({ action: 'TriggerMessage', payload });
  });

  it.each([0, ALL_SOCKETS])('124. is never asked for without a connector, as of socket %s', (socket) => {
    expect(refreshCall(socket)).toBeUndefined();
  });
});

it.each([
  ['Started', { kind: 'began', transactionId: 'X' }],
  ['Updated', undefined],
  ['Ended', { kind: 'ended', transactionId: 'X' }],
])('124. follows a transaction by its event %s', (eventType, change) => {
  const payload = { eventType, transactionInfo: { transactionId: 'X' } };
  expect(transactionChangeOf({ action: 'TransactionEvent', payload }, {})).toEqual(change);
});

describe('a remote start', () => {
  it.each([
    [{ idToken }, { rfidTag: 'T' }],
    [
      { idToken, evseId: 2, remoteStartId: 7 },
      { rfidTag: 'T', socketId: 2, remoteStartId: 7 },
    ],
    [{ idToken, evseId: 200 }, undefined],
    [{}, undefined],
  ])('is found in %j', (payload, start) => {
    expect(remoteStartOf({ action: 'RequestStartTransaction', payload })).toEqual(start);
    expect(remoteStartOf({ action: 'Reset', payload })).toBeUndefined();
  });
});

describe('the new password of a SetVariables', () => {
  const set = (component: string, variable: string, attributeValue: unknown = 'secret') => ({
    setVariableData: [{ component: { name: component }, variable: { name: variable }, attributeValue }],
  });

  it('152. is found whatever the case of its names', () => {
    const payload = set('securityctrlr', 'BASICAUTHPASSWORD');
    expect(newKeysOf({ action: 'SetVariables', payload })).toEqual([
      { value: 'secret', path: '/setVariableData/0/attributeValue' },
    ]);
  });

  it.each([
    ['SetVariables', set('SecurityCtrlr', 'OrganizationName')],
    ['SetVariables', {}],
    ['GetVariables', set('SecurityCtrlr', 'BasicAuthPassword')],
  ])('is none in %s %j', (action, payload) => {
    expect(newKeysOf({ action, payload })).toEqual([]);
  });
});

describe('the tag that a message asks about', () => {
  const asked = (action: string, payload: object) => tagQuestionOf({ action, payload });
  const started = { eventType: 'Started', timestamp: AT, triggerReason: 'Authorized', idToken };

  it('is that of an Authorize', () => {
    expect(asked('Authorize', { idToken })).toMatchObject({ action: 'authorize', rfidTag: 'T', socketId: null });
  });

  it('is that of a transaction that it authorizes, with its socket', () => {
    const start = { action: 'start', rfidTag: 'T', timestamp: AT };
    expect(asked('TransactionEvent', started)).toEqual({ ...start, socketId: null });
    const evse = { id: 1, connectorId: 2 };
    expect(asked('TransactionEvent', { ...started, evse })).toEqual({ ...start, socketId: 102 });
  });

  it.each([
    ['TransactionEvent', { ...started, eventType: 'Ended' }],
    ['TransactionEvent', { ...started, triggerReason: 'StopAuthorized' }],
    ['TransactionEvent', { ...started, idToken: undefined }],
    ['Authorize', { idToken: { idToken: '', type: 'NoAuthorization' } }],
    ['Authorize', { idToken: { idToken: 'button', type: 'Local' } }],
    ['DataTransfer', { idToken }],
  ])('is none in %s %j', (action, payload) => {
    expect(asked(action, payload)).toBeUndefined();
  });
});

// The source is TC_B_02 of OCPP 2.0.1 Part 6, not a requirement of Part 2.
it.each([
  ['GetBaseReport', {}, 'NotifyReport'],
  ['TriggerMessage', { requestedMessage: 'StatusNotification' }, 'StatusNotification'],
  ['TriggerMessage', { requestedMessage: 'SignV2GCertificate' }, 'SignCertificate'],
  ['PublishFirmware', {}, 'PublishFirmwareStatusNotification'],
  ['GetDERControl', {}, 'ReportDERControl'],
  ['Reset', {}, undefined],
])('121. knows what follows %s %j', (action, payload, follows) => {
  expect(solicitedBy({ action, payload })).toBe(follows);
});
