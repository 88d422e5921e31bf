import { isAppError } from '@busbar/core';
import { STRICT } from '../deviation';
import { validateResponse } from '../validator';
import { ocpp16 } from '../v16/protocol';
import type { OperationName, Operations } from './operation';
import { encodeOperation, encodeRawCall } from './encode';

type Row = {
  [Name in OperationName]: [
    name: Name,
    input: Operations[Name]['input'],
    sent: readonly [action: string, payload: object],
    came: object,
    answer: Operations[Name]['answer'],
  ];
}[OperationName];

const ACCEPTED = { status: 'Accepted' };
const AT = '2026-01-31T12:00:00.000Z';
const SCHEDULE = { chargingRateUnit: 'A' as const, chargingSchedulePeriod: [{ startPeriod: 0, limit: 8.1 }] };
const PROFILE = {
  chargingProfileId: 1,
  stackLevel: 0,
  chargingProfilePurpose: 'TxProfile' as const,
  chargingProfileKind: 'Relative' as const,
  chargingSchedule: SCHEDULE,
};
const AGAIN = { retries: 2, retryIntervalS: 30 };
const AGAIN_16 = { retries: 2, retryInterval: 30 };

const ROWS: readonly Row[] = [
  [
    'startCharging',
    { socketId: 1, rfidTag: 'TAG', chargingProfile: PROFILE },
    ['RemoteStartTransaction', { connectorId: 1, idTag: 'TAG', chargingProfile: PROFILE }],
    { status: 'Rejected' },
    { status: 'Rejected' },
  ],
  ['stopTransaction', { transactionId: 7 }, ['RemoteStopTransaction', { transactionId: 7 }], ACCEPTED, ACCEPTED],
  ['reset', { type: 'Hard' }, ['Reset', { type: 'Hard' }], ACCEPTED, ACCEPTED],
  [
    'unlock',
    { socketId: 2 },
    ['UnlockConnector', { connectorId: 2 }],
    { status: 'UnlockFailed' },
    { status: 'UnlockFailed' },
  ],
  [
    'changeAvailability',
    { type: 'Inoperative' },
    ['ChangeAvailability', { connectorId: 0, type: 'Inoperative' }],
    { status: 'Scheduled' },
    { status: 'Scheduled' },
  ],
  [
    'triggerMessage',
    { message: 'MeterValues', socketId: 1 },
    ['TriggerMessage', { requestedMessage: 'MeterValues', connectorId: 1 }],
    { status: 'NotImplemented' },
    { status: 'NotImplemented' },
  ],
  [
    'triggerMessage',
    { message: 'SignChargePointCertificate' },
    ['ExtendedTriggerMessage', { requestedMessage: 'SignChargePointCertificate' }],
    ACCEPTED,
    ACCEPTED,
  ],
  ['clearCache', {}, ['ClearCache', {}], ACCEPTED, ACCEPTED],
  [
    'getDiagnostics',
    { location: 'ftp://files', startTime: AT, stopTime: AT, requestId: 5, ...AGAIN },
    ['GetDiagnostics', { location: 'ftp://files', startTime: AT, stopTime: AT, ...AGAIN_16 }],
    { fileName: 'a.log' },
    { status: null, fileName: 'a.log', requestId: null },
  ],
  [
    'getDiagnostics',
    { location: 'ftp://files', startTime: AT, logType: 'SecurityLog', requestId: 5 },
    ['GetLog', { log: { remoteLocation: 'ftp://files', oldestTimestamp: AT }, logType: 'SecurityLog', requestId: 5 }],
    { status: 'AcceptedCanceled', filename: 'b.log' },
    { status: 'AcceptedCanceled', fileName: 'b.log', requestId: 5 },
  ],
  [
    'updateFirmware',
    { location: 'ftp://files', retrieveAt: AT, requestId: 5, ...AGAIN },
    ['UpdateFirmware', { location: 'ftp://files', retrieveDate: AT, ...AGAIN_16 }],
    {},
    { status: null, requestId: null },
  ],
  [
    'updateFirmware',
    { location: 'ftp://f', retrieveAt: AT, installAt: AT, signingCertificate: 'C', signature: 'S', requestId: 5 },
    [
      'SignedUpdateFirmware',
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
    { status: 'InvalidCertificate' },
    { status: 'InvalidCertificate', requestId: 5 },
  ],
  [
    'transferData',
    { vendorId: 'V', messageId: 'M', data: 'D' },
    ['DataTransfer', { vendorId: 'V', messageId: 'M', data: 'D' }],
    { status: 'Accepted', data: 'back' },
    { status: 'Accepted', data: 'back' },
  ],
  [
    'reserve',
    { reservationId: 9, socketId: 1, rfidTag: 'TAG', parentRfidTag: 'P', expiresAt: AT },
    ['ReserveNow', { reservationId: 9, connectorId: 1, idTag: 'TAG', parentIdTag: 'P', expiryDate: AT }],
    { status: 'Occupied' },
    { status: 'Occupied' },
  ],
  ['cancelReservation', { reservationId: 9 }, ['CancelReservation', { reservationId: 9 }], ACCEPTED, ACCEPTED],
  [
    'sendLocalList',
    {
      listVersion: 3,
      updateType: 'Differential',
      tags: [{ rfidTag: 'A', status: 'Accepted', expiringDate: AT, parentRfidTag: 'P' }, { rfidTag: 'B' }],
    },
    [
      'SendLocalList',
      {
        listVersion: 3,
        updateType: 'Differential',
        localAuthorizationList: [
          { idTag: 'A', idTagInfo: { status: 'Accepted', expiryDate: AT, parentIdTag: 'P' } },
          { idTag: 'B' },
        ],
      },
    ],
    { status: 'VersionMismatch' },
    { status: 'VersionMismatch' },
  ],
  ['getLocalListVersion', {}, ['GetLocalListVersion', {}], { listVersion: -1 }, { listVersion: -1 }],
  [
    'setChargingProfile',
    { socketId: 1, chargingProfile: PROFILE },
    ['SetChargingProfile', { connectorId: 1, csChargingProfiles: PROFILE }],
    { status: 'NotSupported' },
    { status: 'NotSupported' },
  ],
  [
    'clearChargingProfile',
    { chargingProfileId: 1, socketId: 0, chargingProfilePurpose: 'TxProfile', stackLevel: 2 },
    ['ClearChargingProfile', { id: 1, connectorId: 0, chargingProfilePurpose: 'TxProfile', stackLevel: 2 }],
    { status: 'Unknown' },
    { status: 'Unknown' },
  ],
  [
    'getCompositeSchedule',
    { socketId: 1, durationS: 60, chargingRateUnit: 'W' },
    ['GetCompositeSchedule', { connectorId: 1, duration: 60, chargingRateUnit: 'W' }],
    { status: 'Accepted', connectorId: 1, scheduleStart: AT, chargingSchedule: SCHEDULE },
    { status: 'Accepted', socketId: 1, scheduleStart: AT, chargingSchedule: SCHEDULE },
  ],
  [
    'getConfiguration',
    { configNames: ['A'] },
    ['GetConfiguration', { key: ['A'] }],
    { configurationKey: [{ key: 'AuthorizationKey', readonly: false, value: 'secret' }], unknownKey: ['A'] },
    {
      configuration: [{ configName: 'AuthorizationKey', configValue: '***', canBeChanged: true }],
      unknownConfigNames: ['A'],
    },
  ],
  [
    'changeConfiguration',
    { configName: 'K', configValue: 'v' },
    ['ChangeConfiguration', { key: 'K', value: 'v' }],
    { status: 'RebootRequired' },
    { status: 'RebootRequired' },
  ],
];

/** A row's parts belong together, which TypeScript cannot follow over a union. */
const word = encodeOperation as (name: string, input: unknown) => ReturnType<typeof encodeOperation<'reset'>>;

function issuesOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (isAppError(error, 'invalid_request')) return { message: error.message, ...error.details };
    throw error;
  }
  return 'nothing was refused';
}

describe('an operation in OCPP 1.6', () => {
  it.each(ROWS)(
    'is sent as the standard has it, and its answer read: %s with %j',
    (name, input, sent, ...[came, answer]) => {
      const call = word(name, input)('ocpp1.6');
      expect([call?.action, call?.payload]).toEqual(sent);
      expect(validateResponse(ocpp16, sent[0], came, STRICT)).toMatchObject({ ok: true, deviations: [] });
      expect(call?.read(came as Readonly<Record<string, unknown>>)).toEqual(answer);
    },
  );

  it.each(ROWS.map(([name, input]) => ({ name, input })))(
    'has the fields of $name in the order of the schema',
    (row) => {
      const { name, input } = row;
      const call = word(name, input)('ocpp1.6');
      const { properties = {} } = ocpp16.schemas.get(call?.action ?? '')?.request.schema ?? {};
      const sent = Object.keys(call?.payload ?? {});
      expect(sent).toEqual(Object.keys(properties).filter((field) => sent.includes(field)));
    },
  );

  it('sends a local list in the order of the schema, down to each tag', () => {
    const tags = [{ parentRfidTag: 'P', status: 'Accepted' as const, rfidTag: 'A', expiringDate: AT }];
    const call = encodeOperation('sendLocalList', { updateType: 'Full', tags, listVersion: 3 })('ocpp1.6');
    expect(JSON.stringify(call?.payload)).toBe(
      `{"listVersion":3,"localAuthorizationList":[{"idTag":"A","idTagInfo":{"expiryDate":"${AT}","parentIdTag":"P","status":"Accepted"}}],"updateType":"Full"}`,
    );
  });

  it('leaves out an inherited parent of a local list that is too long for OCPP 1.6', () => {
    const tagWith = (parent: object) => ({ rfidTag: 'A', status: 'Accepted' as const, ...parent });
    const parentOf = (parent: object): unknown => {
      const input = { listVersion: 1, updateType: 'Full' as const, tags: [tagWith(parent)] };
      const list = encodeOperation('sendLocalList', input)('ocpp1.6')?.payload['localAuthorizationList'];
      return (list as { readonly idTagInfo: { readonly parentIdTag?: string } }[])[0]?.idTagInfo.parentIdTag;
    };
    expect(parentOf({ inheritedParentRfidTag: 'P'.repeat(20) })).toBe('P'.repeat(20));
    expect(parentOf({ inheritedParentRfidTag: 'P'.repeat(21) })).toBeUndefined();
    const issues = issuesOf(() => parentOf({ parentRfidTag: 'P'.repeat(21) }));
    expect(issues).toMatchObject({ issues: [{ path: '/tags/0/parentRfidTag' }] });
  });

  it('exists for every operation', () => {
    const words = new Set(ROWS.map(([name]) => name));
    expect(words.size).toBe(19);
  });

  const long = (length: number) => ({ message: `must have at most ${String(length)} characters` });
  it.each<readonly [name: OperationName, input: object, issues: readonly object[]]>([
    ['startCharging', { rfidTag: 'x'.repeat(21) }, [{ path: '/rfidTag', ...long(20) }]],
    ['reserve', { reservationId: 1, rfidTag: 'x', expiresAt: 'soon' }, [{ path: '/expiresAt' }]],
    [
      'sendLocalList',
      { listVersion: 1, updateType: 'Full', tags: [{ rfidTag: 'A', status: 'Accepted', expiringDate: 'soon' }] },
      [{ path: '/tags/0/expiringDate' }],
    ],
    [
      'sendLocalList',
      { listVersion: 1, updateType: 'Full', tags: [{ rfidTag: 'a', status: 'Accepted' }, { rfidTag: 'A' }] },
      [{ path: '/tags/1/rfidTag' }, { path: '/tags/1/status' }],
    ],
    ['changeConfiguration', { configName: 'x'.repeat(51), configValue: '' }, [{ path: '/configName', ...long(50) }]],
    ['transferData', { vendorId: 'V', data: { a: 1 } }, [{ path: '/data', message: 'is a text in OCPP 1.6' }]],
    ['getDiagnostics', { location: 'x'.repeat(513), logType: 'SecurityLog', requestId: 1 }, [{ path: '/location' }]],
    [
      'setChargingProfile',
      { chargingProfile: { ...PROFILE, chargingSchedule: { ...SCHEDULE, duration: 'long' } } },
      [{ path: '/chargingProfile/chargingSchedule/duration' }],
    ],
    [
      'reserve',
      { reservationId: 1, rfidTag: 'x'.repeat(21), parentRfidTag: 'x'.repeat(21), expiresAt: AT },
      [{ path: '/rfidTag' }, { path: '/parentRfidTag' }],
    ],
  ])('is refused at the path of the input where the version cannot carry it: %s with %j', (name, input, issues) => {
    // As no caller that is type-checked could ask for it: only lengths are the version's own.
    const refused = issuesOf(() => word(name, input)('ocpp1.6'));
    expect(refused).toMatchObject({ issues, message: expect.stringContaining('OCPP cannot carry this: /') as string });
  });

  it('is undefined for a version without it', () => {
    expect(encodeOperation('reset', { type: 'Hard' })('ocpp0.9')).toBeUndefined();
  });
});

describe('a raw call', () => {
  it('is sent unchanged, and its answer is masked and has its status', () => {
    const payload = { key: ['AuthorizationKey'] };
    const call = encodeRawCall('GetConfiguration', payload)('ocpp1.6');
    expect(call).toMatchObject({ action: 'GetConfiguration', payload });
    const came = { configurationKey: [{ key: 'AuthorizationKey', readonly: false, value: 'secret' }] };
    expect(JSON.stringify(call?.read(came))).not.toContain('secret');
    expect(encodeRawCall('Reset', { type: 'Soft' })('ocpp1.6')?.read({ status: 'Accepted' })).toEqual({
      status: 'Accepted',
      payload: { status: 'Accepted' },
    });
  });

  it.each([
    ['Reset', {}, [{ path: '/payload/type', message: 'is required' }]],
    ['Reset', { type: 'Warm' }, [{ path: '/payload/type', message: 'must be one of Hard, Soft' }]],
    ['Reset', { type: 'Hard', now: true }, [{ path: '/payload/now', message: 'is not a field of this message' }]],
    ['UnlockConnector', { connectorId: '1' }, [{ path: '/payload/connectorId', message: 'must be integer' }]],
    ['StatusNotification', {}, [{ path: '/action', message: 'StatusNotification is sent by chargers only' }]],
  ])('is refused at its invalid path: %s with %j', (action, payload, issues) => {
    expect(issuesOf(() => encodeRawCall(action, payload)('ocpp1.6'))).toMatchObject({ issues });
  });

  it.each(['GetVariables', 'constructor', 'reset', ''])(
    'is undefined for %j, which is no action of OCPP 1.6',
    (action) => {
      expect(encodeRawCall(action, {})('ocpp1.6')).toBeUndefined();
    },
  );

  it.each([
    'ExtendedTriggerMessage',
    'InstallCertificate',
    'DeleteCertificate',
    'GetInstalledCertificateIds',
    'CertificateSigned',
    'GetLog',
    'SignedUpdateFirmware',
    'DataTransfer',
  ])('is allowed from the service: %s', (action) => {
    expect(issuesOf(() => encodeRawCall(action, {})('ocpp1.6'))).toMatchObject({
      issues: expect.arrayContaining([expect.objectContaining({ message: 'is required' })]) as unknown,
    });
  });

  it('lists all of its issues', () => {
    const payload = { connectorId: '1', 'foo/bar': 1, csChargingProfiles: { stackLevel: 'x' } };
    const refused = issuesOf(() => encodeRawCall('SetChargingProfile', payload)('ocpp1.6'));
    const { issues } = refused as { issues: { path: string; message: string }[] };
    expect(issues.map(({ path, message }) => `${path} ${message}`).sort()).toEqual([
      '/payload/connectorId must be integer',
      '/payload/csChargingProfiles/chargingProfileId is required',
      '/payload/csChargingProfiles/chargingProfileKind is required',
      '/payload/csChargingProfiles/chargingProfilePurpose is required',
      '/payload/csChargingProfiles/chargingSchedule is required',
      '/payload/csChargingProfiles/stackLevel must be integer',
      '/payload/foo~1bar is not a field of this message',
    ]);
  });

  it('lists at most 50 issues', () => {
    const payload = { key: Array.from({ length: 10_000 }, () => 7) };
    const refused = issuesOf(() => encodeRawCall('GetConfiguration', payload)('ocpp1.6')) as { issues: object[] };
    expect(refused.issues).toHaveLength(50);
  });
});
