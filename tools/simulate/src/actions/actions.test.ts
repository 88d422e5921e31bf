import { eventually } from '@busbar/testing';
import type { V16Action, V16Requests } from '@busbar/ocpp';
import { openCharger, quiet, type OpenedCharger } from '../testing/open-charger';

type Command = { [A in V16Action]: readonly [A, V16Requests[A]] }[V16Action];

const START: Command = ['RemoteStartTransaction', { connectorId: 1, idTag: 'TAG-1' }];
const EXPIRY = '2026-01-01T01:00:00Z';
const RESERVE: Command = ['ReserveNow', { connectorId: 1, idTag: 'TAG-1', reservationId: 3, expiryDate: EXPIRY }];

function profile(over: object = {}): V16Requests['SetChargingProfile']['csChargingProfiles'] {
  return {
    chargingProfileId: 1,
    stackLevel: 0,
    chargingProfilePurpose: 'TxProfile',
    chargingProfileKind: 'Relative',
    chargingSchedule: { chargingRateUnit: 'W', chargingSchedulePeriod: [{ startPeriod: 0, limit: 4000 }] },
    ...over,
  };
}

const DEFAULT_PROFILE = profile({ chargingProfilePurpose: 'TxDefaultProfile', chargingProfileId: 2 });

async function send({ command }: OpenedCharger, [action, payload]: Command): Promise<unknown> {
  return command(action, payload as never);
}

async function given(...commands: Command[]): Promise<OpenedCharger> {
  const opened = await openCharger();
  for (const each of commands) await send(opened, each);
  opened.take();
  return opened;
}

/** The earlier commands, the command, its response, and the messages that the charger then sends. */
type Row = readonly [string, Command[], Command, unknown, string[]];

describe('sessions', () => {
  test.each<Row>([
    [
      'a remote start makes a session',
      [],
      START,
      { status: 'Accepted' },
      ['1 Preparing', 'Authorize', 'StartTransaction', '1 Charging'],
    ],
    [
      'a remote start asks nothing without AuthorizeRemoteTxRequests',
      [['ChangeConfiguration', { key: 'AuthorizeRemoteTxRequests', value: 'false' }]],
      START,
      { status: 'Accepted' },
      ['1 Preparing', 'StartTransaction', '1 Charging'],
    ],
    [
      'a remote start without a connector takes the first free one',
      [START],
      ['RemoteStartTransaction', { idTag: 'TAG-1' }],
      { status: 'Accepted' },
      ['2 Preparing', 'Authorize', 'StartTransaction', '2 Charging'],
    ],
    ['a remote start at a busy connector is rejected', [START], START, { status: 'Rejected' }, []],
    [
      'a remote start at an unknown connector is rejected',
      [],
      ['RemoteStartTransaction', { connectorId: 3, idTag: 'T' }],
      { status: 'Rejected' },
      [],
    ],
    [
      'a remote start with a profile that is no TxProfile is rejected',
      [],
      ['RemoteStartTransaction', { connectorId: 1, idTag: 'T', chargingProfile: DEFAULT_PROFILE }],
      { status: 'Rejected' },
      [],
    ],
    [
      'a remote stop ends the session',
      [START],
      ['RemoteStopTransaction', { transactionId: 7 }],
      { status: 'Accepted' },
      ['1 Finishing', 'StopTransaction'],
    ],
    [
      'a remote stop of another session is rejected',
      [START],
      ['RemoteStopTransaction', { transactionId: 8 }],
      { status: 'Rejected' },
      [],
    ],
    [
      'unlocking ends the session at the connector',
      [START],
      ['UnlockConnector', { connectorId: 1 }],
      { status: 'Unlocked' },
      ['1 Finishing', 'StopTransaction'],
    ],
    ['a free connector is unlocked', [], ['UnlockConnector', { connectorId: 1 }], { status: 'Unlocked' }, []],
    ['an unknown connector is not', [], ['UnlockConnector', { connectorId: 3 }], { status: 'NotSupported' }, []],
  ])('%s', check);

  test.each<[Command, string]>([
    [['RemoteStopTransaction', { transactionId: 7 }], 'Remote'],
    [['UnlockConnector', { connectorId: 1 }], 'UnlockCommand'],
    [['Reset', { type: 'Soft' }], 'SoftReset'],
    [['Reset', { type: 'Hard' }], 'HardReset'],
  ])('%j stops with the reason %s', async (command, reason) => {
    const opened = await given(START);
    opened.clock.advance(3_600_000);
    opened.take();
    await send(opened, command);
    const stop = opened.take().find(([action]) => action === 'StopTransaction');
    expect(stop?.[1]).toMatchObject({ transactionId: 7, meterStop: 11_000, reason });
  });

  test('a tag that the service refuses makes no session', async () => {
    const opened = await given();
    opened.answers['Authorize'] = { idTagInfo: { status: 'Blocked' } };
    await send(opened, START);
    expect(opened.summary()).toEqual(['1 Preparing', 'Authorize', '1 Available']);
  });

  test('a session that the service does not accept is stopped', async () => {
    const opened = await given();
    opened.answers['StartTransaction'] = { idTagInfo: { status: 'Invalid' }, transactionId: 9 };
    await send(opened, START);
    const sent = opened.take();
    expect(sent.at(-1)).toMatchObject(['StopTransaction', { transactionId: 9, reason: 'DeAuthorized' }]);
  });

  test('the vehicle is unplugged after the session', async () => {
    const opened = await given(START, ['RemoteStopTransaction', { transactionId: 7 }]);
    opened.clock.advance(3_000);
    expect(opened.summary()).toContain('1 Available');
  });

  test('readings come at MeterValueSampleInterval, with a new one at once', async () => {
    const opened = await given(START);
    opened.clock.advance(10_000);
    await quiet();
    expect(opened.summary()).toEqual(['MeterValues']);
    await send(opened, ['ChangeConfiguration', { key: 'MeterValueSampleInterval', value: '2' }]);
    opened.clock.advance(2_000);
    await quiet();
    expect(opened.summary()).toEqual(['MeterValues']);
  });

  test('heartbeats come at HeartbeatInterval', async () => {
    const opened = await given(['ChangeConfiguration', { key: 'HeartbeatInterval', value: '5' }]);
    opened.clock.advance(10_000);
    expect(opened.summary()).toEqual(['Heartbeat', 'Heartbeat']);
  });
});

describe('control', () => {
  test.each<Row>([
    [
      'a connector is made inoperative',
      [],
      ['ChangeAvailability', { connectorId: 1, type: 'Inoperative' }],
      { status: 'Accepted' },
      ['1 Unavailable'],
    ],
    [
      'a charger is made inoperative with its connectors',
      [],
      ['ChangeAvailability', { connectorId: 0, type: 'Inoperative' }],
      { status: 'Accepted' },
      ['0 Unavailable', '1 Unavailable', '2 Unavailable'],
    ],
    [
      'a connector is made operative again',
      [['ChangeAvailability', { connectorId: 2, type: 'Inoperative' }]],
      ['ChangeAvailability', { connectorId: 2, type: 'Operative' }],
      { status: 'Accepted' },
      ['2 Available'],
    ],
    [
      'a session puts a change of availability off',
      [START],
      ['ChangeAvailability', { connectorId: 1, type: 'Inoperative' }],
      { status: 'Scheduled' },
      [],
    ],
    [
      'an unknown connector has no availability',
      [],
      ['ChangeAvailability', { connectorId: 3, type: 'Operative' }],
      { status: 'Rejected' },
      [],
    ],
    ['a cache is cleared', [], ['ClearCache', {}], { status: 'Accepted' }, []],
    ['no vendor is known', [], ['DataTransfer', { vendorId: 'Any' }], { status: 'UnknownVendorId' }, []],
    [
      'what is not supported is answered so',
      [],
      ['GetInstalledCertificateIds', { certificateType: 'CentralSystemRootCertificate' }],
      'NotSupported',
      [],
    ],
  ])('%s', check);

  test('a scheduled change of availability is made when the session has ended', async () => {
    const opened = await given(START, ['ChangeAvailability', { connectorId: 1, type: 'Inoperative' }]);
    await send(opened, ['RemoteStopTransaction', { transactionId: 7 }]);
    opened.clock.advance(3_000);
    expect(opened.summary()).toContain('1 Unavailable');
  });

  test('a reset boots again and keeps what was configured', async () => {
    const opened = await given(
      ['ChangeConfiguration', { key: 'CpoName', value: 'Acme' }],
      ['ChangeAvailability', { connectorId: 2, type: 'Inoperative' }],
      ['Reset', { type: 'Soft' }],
    );
    await eventually(() => opened.charger.isOnline());
    expect(opened.summary()).toEqual(['BootNotification', '0 Available', '1 Available', '2 Unavailable']);
    expect(opened.charger.state.configuration.get('CpoName')).toBe('Acme');
    expect(opened.failures).toEqual([]);
    await opened.charger.disconnect();
  });

  test.each<[string, string[]]>([
    ['BootNotification', ['BootNotification', '0 Available', '1 Available', '2 Available']],
    ['DiagnosticsStatusNotification', ['DiagnosticsStatusNotification']],
    ['FirmwareStatusNotification', ['FirmwareStatusNotification']],
    ['Heartbeat', ['Heartbeat']],
    ['MeterValues', ['MeterValues', 'MeterValues']],
    ['StatusNotification', ['0 Available', '1 Available', '2 Available']],
  ])('%s can be triggered', async (requestedMessage, sent) => {
    await check('', [], ['TriggerMessage', { requestedMessage }], { status: 'Accepted' }, sent);
  });

  test('a message of one connector can be triggered', async () => {
    const command: Command = ['TriggerMessage', { requestedMessage: 'StatusNotification', connectorId: 2 }];
    await check('', [], command, { status: 'Accepted' }, ['2 Available']);
    const unknown: Command = ['TriggerMessage', { requestedMessage: 'StatusNotification', connectorId: 3 }];
    await check('', [], unknown, { status: 'Rejected' }, []);
  });
});

describe('configuration', () => {
  test('a new AuthorizationKey is used for the next connection', async () => {
    const opened = await given([
      'ChangeConfiguration',
      { key: 'AuthorizationKey', value: '00112233445566778899AABBCCDDEEFF' },
    ]);
    await eventually(() => opened.charger.isOnline());
    expect(opened.passwords).toEqual([undefined, Buffer.from('00112233445566778899AABBCCDDEEFF', 'hex')]);
    await opened.charger.disconnect();
  });
});

describe('reservations', () => {
  test.each<Row>([
    ['a connector is reserved', [], RESERVE, { status: 'Accepted' }, ['1 Reserved']],
    [
      'another tag may not start there',
      [RESERVE],
      ['RemoteStartTransaction', { connectorId: 1, idTag: 'TAG-2' }],
      { status: 'Rejected' },
      [],
    ],
    [
      'a reservation is cancelled',
      [RESERVE],
      ['CancelReservation', { reservationId: 3 }],
      { status: 'Accepted' },
      ['1 Available'],
    ],
    [
      'an unknown reservation is not',
      [RESERVE],
      ['CancelReservation', { reservationId: 4 }],
      { status: 'Rejected' },
      [],
    ],
  ])('%s', check);

  test('the reserved tag starts under its reservation, which is used up', async () => {
    const opened = await given(RESERVE);
    await send(opened, START);
    const start = opened.take().find(([action]) => action === 'StartTransaction');
    expect(start?.[1]).toMatchObject({ idTag: 'TAG-1', reservationId: 3 });
    expect(opened.charger.state.reservations).toEqual([]);
  });

  test('a reservation expires', async () => {
    const opened = await given(RESERVE);
    opened.clock.advance(3_600_000);
    expect(opened.summary()).toContain('1 Available');
  });
});

describe('local list', () => {
  const LIST: Command = [
    'SendLocalList',
    { listVersion: 4, updateType: 'Full', localAuthorizationList: [{ idTag: 'A', idTagInfo: { status: 'Accepted' } }] },
  ];
  const DISABLED: Command = ['ChangeConfiguration', { key: 'LocalAuthListEnabled', value: 'false' }];
  test.each<Row>([
    ['an empty list has version 0', [], ['GetLocalListVersion', {}], { listVersion: 0 }, []],
    ['a list is taken', [], LIST, { status: 'Accepted' }, []],
    ['its version is kept', [LIST], ['GetLocalListVersion', {}], { listVersion: 4 }, []],
    ['a disabled list has version -1', [LIST, DISABLED], ['GetLocalListVersion', {}], { listVersion: -1 }, []],
    ['a disabled list takes none', [DISABLED], LIST, { status: 'NotSupported' }, []],
  ])('%s', check);
});

describe('charging profiles', () => {
  const set = (connectorId: number, csChargingProfiles: ReturnType<typeof profile>): Command => [
    'SetChargingProfile',
    { connectorId, csChargingProfiles },
  ];
  test.each<Row>([
    ['a TxProfile needs a session', [], set(1, profile()), { status: 'Rejected' }, []],
    ['a TxProfile is taken during a session', [START], set(1, profile()), { status: 'Accepted' }, []],
    [
      'a TxProfile of another transaction is not',
      [START],
      set(1, profile({ transactionId: 8 })),
      { status: 'Rejected' },
      [],
    ],
    ['a default is taken', [], set(0, DEFAULT_PROFILE), { status: 'Accepted' }, []],
    ['a default of an unknown connector is not', [], set(3, DEFAULT_PROFILE), { status: 'Rejected' }, []],
    [
      'a limit of 0 suspends the session',
      [START],
      set(
        1,
        profile({
          chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 0 }] },
        }),
      ),
      { status: 'Accepted' },
      ['1 SuspendedEVSE'],
    ],
    [
      'a profile is cleared',
      [set(0, DEFAULT_PROFILE)],
      ['ClearChargingProfile', { id: 2 }],
      { status: 'Accepted' },
      [],
    ],
    [
      'an unknown profile is not',
      [set(0, DEFAULT_PROFILE)],
      ['ClearChargingProfile', { id: 9 }],
      { status: 'Unknown' },
      [],
    ],
    [
      'a composite schedule shows the limits',
      [set(0, DEFAULT_PROFILE)],
      ['GetCompositeSchedule', { connectorId: 1, duration: 60 }],
      {
        status: 'Accepted',
        connectorId: 1,
        scheduleStart: '2026-01-01T00:00:00.000Z',
        chargingSchedule: {
          duration: 60,
          chargingRateUnit: 'W',
          chargingSchedulePeriod: [{ startPeriod: 0, limit: 4000 }],
        },
      },
      [],
    ],
    [
      'without a profile it shows the limit of the charger, in A too',
      [],
      ['GetCompositeSchedule', { connectorId: 0, duration: 60, chargingRateUnit: 'A' }],
      {
        status: 'Accepted',
        connectorId: 0,
        scheduleStart: '2026-01-01T00:00:00.000Z',
        chargingSchedule: {
          duration: 60,
          chargingRateUnit: 'A',
          chargingSchedulePeriod: [{ startPeriod: 0, limit: 32 }],
        },
      },
      [],
    ],
    [
      'an unknown connector has no composite schedule',
      [],
      ['GetCompositeSchedule', { connectorId: 3, duration: 60 }],
      { status: 'Rejected' },
      [],
    ],
  ])('%s', check);

  test('a profile of a remote start limits its session, and ends with it', async () => {
    const opened = await given([
      'RemoteStartTransaction',
      { connectorId: 1, idTag: 'TAG-1', chargingProfile: profile() },
    ]);
    opened.clock.advance(3_600_000);
    await send(opened, ['RemoteStopTransaction', { transactionId: 7 }]);
    expect(opened.take().find(([action]) => action === 'StopTransaction')?.[1]).toMatchObject({ meterStop: 4000 });
    expect(opened.charger.state.profiles).toEqual([]);
  });
});

describe('files', () => {
  const UPDATE = { location: 'ftp://host/fw-2.3.4.bin', retrieveDate: '2026-01-01T00:00:10Z' };

  test('a firmware update begins at its date, waits for sessions, and boots with the new version', async () => {
    const opened = await given(START, ['UpdateFirmware', UPDATE]);
    const statuses = (): unknown[] => statusesOf(opened.take());
    opened.clock.advance(9_999);
    expect(statuses()).toEqual([]);
    opened.clock.advance(10_000);
    expect(statuses()).toEqual(['Downloading', 'Downloaded']);
    await send(opened, ['RemoteStopTransaction', { transactionId: 7 }]);
    opened.clock.advance(5_000);
    expect(statuses()).toEqual(['Installing']);
    opened.clock.advance(2_000);
    await quiet();
    await eventually(() => opened.charger.isOnline());
    const sent = opened.take();
    expect(sent[0]).toMatchObject(['BootNotification', { firmwareVersion: '2.3.4' }]);
    expect(sent.at(-1)).toEqual(['FirmwareStatusNotification', { status: 'Installed' }]);
    await opened.charger.disconnect();
  });

  test.each<[string, Command, string[]]>([
    [
      'an update that fails',
      ['UpdateFirmware', { ...UPDATE, location: 'ftp://host/fail.bin' }],
      ['Downloading', 'DownloadFailed'],
    ],
    ['diagnostics', ['GetDiagnostics', { location: 'ftp://host/' }], ['Uploading', 'Uploaded']],
    ['diagnostics that fail', ['GetDiagnostics', { location: 'ftp://host/fail' }], ['Uploading', 'UploadFailed']],
    [
      'a log',
      ['GetLog', { log: { remoteLocation: 'ftp://host/' }, logType: 'SecurityLog', requestId: 5 }],
      ['Uploading', 'Uploaded'],
    ],
  ])('%s reports its progress', async (_title, command, statuses) => {
    const opened = await given();
    await send(opened, command);
    opened.clock.advance(60_000);
    await quiet();
    expect(statusesOf(opened.take())).toEqual(statuses);
  });
});

/** Without those of connectors. */
function statusesOf(sent: readonly (readonly [string, Readonly<Record<string, unknown>>])[]): unknown[] {
  return sent.flatMap(([action, { status }]) => (/.StatusNotification$/.test(action) ? [status] : []));
}

async function check(...[, before, command, answer, sent]: Row): Promise<void> {
  const opened = await given(...before);
  expect(await send(opened, command)).toEqual(answer);
  expect(opened.summary()).toEqual(sent);
  expect(opened.failures).toEqual([]);
}
