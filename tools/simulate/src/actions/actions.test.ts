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
  it.each<Row>([
    [
      'makes a session of a remote start',
      [],
      START,
      { status: 'Accepted' },
      ['1 Preparing', 'Authorize', 'StartTransaction', '1 Charging'],
    ],
    [
      'asks nothing for a remote start without AuthorizeRemoteTxRequests',
      [['ChangeConfiguration', { key: 'AuthorizeRemoteTxRequests', value: 'false' }]],
      START,
      { status: 'Accepted' },
      ['1 Preparing', 'StartTransaction', '1 Charging'],
    ],
    [
      'takes the first free connector for a remote start without one',
      [START],
      ['RemoteStartTransaction', { idTag: 'TAG-1' }],
      { status: 'Accepted' },
      ['2 Preparing', 'Authorize', 'StartTransaction', '2 Charging'],
    ],
    ['rejects a remote start at a busy connector', [START], START, { status: 'Rejected' }, []],
    [
      'rejects a remote start at an unknown connector',
      [],
      ['RemoteStartTransaction', { connectorId: 3, idTag: 'T' }],
      { status: 'Rejected' },
      [],
    ],
    [
      'rejects a remote start with a profile that is no TxProfile',
      [],
      ['RemoteStartTransaction', { connectorId: 1, idTag: 'T', chargingProfile: DEFAULT_PROFILE }],
      { status: 'Rejected' },
      [],
    ],
    [
      'ends the session at a remote stop',
      [START],
      ['RemoteStopTransaction', { transactionId: 7 }],
      { status: 'Accepted' },
      ['1 Finishing', 'StopTransaction'],
    ],
    [
      'rejects a remote stop of another session',
      [START],
      ['RemoteStopTransaction', { transactionId: 8 }],
      { status: 'Rejected' },
      [],
    ],
    [
      'ends the session at a connector that is unlocked',
      [START],
      ['UnlockConnector', { connectorId: 1 }],
      { status: 'Unlocked' },
      ['1 Finishing', 'StopTransaction'],
    ],
    ['unlocks a free connector', [], ['UnlockConnector', { connectorId: 1 }], { status: 'Unlocked' }, []],
    [
      'does not unlock an unknown connector',
      [],
      ['UnlockConnector', { connectorId: 3 }],
      { status: 'NotSupported' },
      [],
    ],
  ])('%s', check);

  it.each<[Command, string]>([
    [['RemoteStopTransaction', { transactionId: 7 }], 'Remote'],
    [['UnlockConnector', { connectorId: 1 }], 'UnlockCommand'],
    [['Reset', { type: 'Soft' }], 'SoftReset'],
    [['Reset', { type: 'Hard' }], 'HardReset'],
  ])('stops on %j with the reason %s', async (command, reason) => {
    const opened = await given(START);
    opened.clock.advance(3_600_000);
    opened.take();
    await send(opened, command);
    const stop = opened.take().find(([action]) => action === 'StopTransaction');
    expect(stop?.[1]).toMatchObject({ transactionId: 7, meterStop: 11_000, reason });
  });

  it('makes no session of a tag that the service refuses', async () => {
    const opened = await given();
    opened.answers['Authorize'] = { idTagInfo: { status: 'Blocked' } };
    await send(opened, START);
    expect(opened.summary()).toEqual(['1 Preparing', 'Authorize', '1 Available']);
  });

  it('stops a session that the service does not accept', async () => {
    const opened = await given();
    opened.answers['StartTransaction'] = { idTagInfo: { status: 'Invalid' }, transactionId: 9 };
    await send(opened, START);
    const sent = opened.take();
    expect(sent.at(-1)).toMatchObject(['StopTransaction', { transactionId: 9, reason: 'DeAuthorized' }]);
  });

  it('unplugs the vehicle after the session', async () => {
    const opened = await given(START, ['RemoteStopTransaction', { transactionId: 7 }]);
    opened.clock.advance(3_000);
    expect(opened.summary()).toContain('1 Available');
  });

  it('sends readings at MeterValueSampleInterval, with a new one at once', async () => {
    const opened = await given(START);
    opened.clock.advance(10_000);
    await quiet();
    expect(opened.summary()).toEqual(['MeterValues']);
    await send(opened, ['ChangeConfiguration', { key: 'MeterValueSampleInterval', value: '2' }]);
    opened.clock.advance(2_000);
    await quiet();
    expect(opened.summary()).toEqual(['MeterValues']);
  });

  it('sends heartbeats at HeartbeatInterval', async () => {
    const opened = await given(['ChangeConfiguration', { key: 'HeartbeatInterval', value: '5' }]);
    opened.clock.advance(10_000);
    expect(opened.summary()).toEqual(['Heartbeat', 'Heartbeat']);
  });
});

describe('control', () => {
  it.each<Row>([
    [
      'makes a connector inoperative',
      [],
      ['ChangeAvailability', { connectorId: 1, type: 'Inoperative' }],
      { status: 'Accepted' },
      ['1 Unavailable'],
    ],
    [
      'makes a charger inoperative with its connectors',
      [],
      ['ChangeAvailability', { connectorId: 0, type: 'Inoperative' }],
      { status: 'Accepted' },
      ['0 Unavailable', '1 Unavailable', '2 Unavailable'],
    ],
    [
      'makes a connector operative again',
      [['ChangeAvailability', { connectorId: 2, type: 'Inoperative' }]],
      ['ChangeAvailability', { connectorId: 2, type: 'Operative' }],
      { status: 'Accepted' },
      ['2 Available'],
    ],
    [
      'schedules a change of availability during a session',
      [START],
      ['ChangeAvailability', { connectorId: 1, type: 'Inoperative' }],
      { status: 'Scheduled' },
      [],
    ],
    [
      'rejects the availability of an unknown connector',
      [],
      ['ChangeAvailability', { connectorId: 3, type: 'Operative' }],
      { status: 'Rejected' },
      [],
    ],
    ['clears the cache', [], ['ClearCache', {}], { status: 'Accepted' }, []],
    ['knows no vendor', [], ['DataTransfer', { vendorId: 'Any' }], { status: 'UnknownVendorId' }, []],
    [
      'answers NotSupported to an action that it does not support',
      [],
      ['GetInstalledCertificateIds', { certificateType: 'CentralSystemRootCertificate' }],
      'NotSupported',
      [],
    ],
  ])('%s', check);

  it('makes a scheduled change of availability at the end of the session', async () => {
    const opened = await given(START, ['ChangeAvailability', { connectorId: 1, type: 'Inoperative' }]);
    await send(opened, ['RemoteStopTransaction', { transactionId: 7 }]);
    opened.clock.advance(3_000);
    expect(opened.summary()).toContain('1 Unavailable');
  });

  it('boots again at a reset and keeps its configuration', async () => {
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

  it.each<[string, string[]]>([
    ['BootNotification', ['BootNotification', '0 Available', '1 Available', '2 Available']],
    ['DiagnosticsStatusNotification', ['DiagnosticsStatusNotification']],
    ['FirmwareStatusNotification', ['FirmwareStatusNotification']],
    ['Heartbeat', ['Heartbeat']],
    ['MeterValues', ['MeterValues', 'MeterValues']],
    ['StatusNotification', ['0 Available', '1 Available', '2 Available']],
  ])('sends a triggered %s', async (requestedMessage, sent) => {
    await check('', [], ['TriggerMessage', { requestedMessage }], { status: 'Accepted' }, sent);
  });

  it('sends a triggered message of one connector', async () => {
    const command: Command = ['TriggerMessage', { requestedMessage: 'StatusNotification', connectorId: 2 }];
    await check('', [], command, { status: 'Accepted' }, ['2 Available']);
    const unknown: Command = ['TriggerMessage', { requestedMessage: 'StatusNotification', connectorId: 3 }];
    await check('', [], unknown, { status: 'Rejected' }, []);
  });
});

describe('configuration', () => {
  it('uses a new AuthorizationKey for the next connection', async () => {
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
  it.each<Row>([
    ['reserves a connector', [], RESERVE, { status: 'Accepted' }, ['1 Reserved']],
    [
      'rejects the start of another tag there',
      [RESERVE],
      ['RemoteStartTransaction', { connectorId: 1, idTag: 'TAG-2' }],
      { status: 'Rejected' },
      [],
    ],
    [
      'cancels a reservation',
      [RESERVE],
      ['CancelReservation', { reservationId: 3 }],
      { status: 'Accepted' },
      ['1 Available'],
    ],
    [
      'does not cancel an unknown reservation',
      [RESERVE],
      ['CancelReservation', { reservationId: 4 }],
      { status: 'Rejected' },
      [],
    ],
  ])('%s', check);

  it('starts the reserved tag under its reservation, which is used up', async () => {
    const opened = await given(RESERVE);
    await send(opened, START);
    const start = opened.take().find(([action]) => action === 'StartTransaction');
    expect(start?.[1]).toMatchObject({ idTag: 'TAG-1', reservationId: 3 });
    expect(opened.charger.state.reservations).toEqual([]);
  });

  it('ends a reservation at its expiry', async () => {
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
  it.each<Row>([
    ['an empty list has version 0', [], ['GetLocalListVersion', {}], { listVersion: 0 }, []],
    ['accepts a list', [], LIST, { status: 'Accepted' }, []],
    ['keeps its version', [LIST], ['GetLocalListVersion', {}], { listVersion: 4 }, []],
    ['a disabled list has version -1', [LIST, DISABLED], ['GetLocalListVersion', {}], { listVersion: -1 }, []],
    ['refuses a list where lists are disabled', [DISABLED], LIST, { status: 'NotSupported' }, []],
  ])('%s', check);
});

describe('charging profiles', () => {
  const set = (connectorId: number, csChargingProfiles: ReturnType<typeof profile>): Command => [
    'SetChargingProfile',
    { connectorId, csChargingProfiles },
  ];
  it.each<Row>([
    ['rejects a TxProfile without a session', [], set(1, profile()), { status: 'Rejected' }, []],
    ['accepts a TxProfile during a session', [START], set(1, profile()), { status: 'Accepted' }, []],
    [
      'rejects a TxProfile of another transaction',
      [START],
      set(1, profile({ transactionId: 8 })),
      { status: 'Rejected' },
      [],
    ],
    ['accepts a default', [], set(0, DEFAULT_PROFILE), { status: 'Accepted' }, []],
    ['rejects a default of an unknown connector', [], set(3, DEFAULT_PROFILE), { status: 'Rejected' }, []],
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
    ['clears a profile', [set(0, DEFAULT_PROFILE)], ['ClearChargingProfile', { id: 2 }], { status: 'Accepted' }, []],
    [
      'does not clear an unknown profile',
      [set(0, DEFAULT_PROFILE)],
      ['ClearChargingProfile', { id: 9 }],
      { status: 'Unknown' },
      [],
    ],
    [
      'shows the limits in a composite schedule',
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
      'shows the limit of the charger without a profile, also in A',
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
      'rejects a composite schedule of an unknown connector',
      [],
      ['GetCompositeSchedule', { connectorId: 3, duration: 60 }],
      { status: 'Rejected' },
      [],
    ],
  ])('%s', check);

  it('limits the session of a remote start by its profile, which ends with it', async () => {
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

  it('begins a firmware update at its date, waits for sessions, and boots with the new version', async () => {
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

  it.each<[string, Command, string[]]>([
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
  ])('reports the progress of %s', async (_title, command, statuses) => {
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
