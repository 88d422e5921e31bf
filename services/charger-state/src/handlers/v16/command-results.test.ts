// The changes of commands at the charger are stored once and in order, also when results are delivered twice.
import { createId } from '@busbar/core';
import { type Charger } from '@busbar/domain/chargers';
import { transferStepOf } from '@busbar/domain/commands';
import { profilesInForce, reservationState, type DeviceState } from '@busbar/domain/device-state';
import fc from 'fast-check';
import { eachWithCharger } from '../../testing/one-charger';
import type { ChargerStateWorld, FakeConnection } from '../../testing/open-world';

let world: ChargerStateWorld;
let charger: Charger;
let connection: FakeConnection;

eachWithCharger((its) => ({ world, charger, connection } = its));

type Fields = Readonly<Record<string, unknown>>;
const ACCEPTED = { status: 'Accepted' };
const FUTURE = '2999-01-01T00:00:00.000Z';
const at = (secondsAgo: number): string => new Date(Date.now() - secondsAgo * 1000).toISOString();
const deviceStates = (): Promise<DeviceState> => world.platform.records.deviceStates.read(charger);
const status = (connectorId: number, word: string) =>
  connection.report('StatusNotification', { connectorId, status: word, errorCode: 'NoError' });
const start = (over: Fields = {}) =>
  connection.ask('StartTransaction', { connectorId: 1, idTag: 'Tag', meterStart: 1, timestamp: at(0), ...over });

const untimed = (reported: Charger['reported']) => ({
  ...reported,
  lastSeen: null,
  lastMessage: null,
  lastPosition: null,
});

describe('configuration', () => {
  const change = (key: string, value: string, answer = 'Accepted', by = connection) =>
    by.outcome('ChangeConfiguration', { key, value }, { status: answer });
  const reportKeys = (configurationKey: readonly Fields[], unknownKey: readonly string[] = [], by = connection) =>
    by.outcome('GetConfiguration', {}, { configurationKey, unknownKey });
  const shown = async () =>
    (await world.read(charger)).reported.configuration.map(({ configName, configValue }) => [configName, configValue]);

  it('follows an accepted ChangeConfiguration, also one that needs a restart, and no other', async () => {
    await reportKeys([{ key: 'HeartbeatInterval', readonly: false, value: '60' }]);
    await change('heartbeatinterval', '120');
    await change('New', 'a', 'RebootRequired');
    await change('HeartbeatInterval', '1', 'Rejected');
    await change('Never', '1', 'NotSupported');
    await connection.outcome(
      'ChangeConfiguration',
      { key: 'New', value: 'z' },
      {},
      { payload: { outcome: 'timeout' } },
    );
    expect(await shown()).toEqual([
      ['HeartbeatInterval', '120'],
      ['New', 'a'],
    ]);
  });

  it('drops keys that a complete response lacks, and none where one key was requested or the response was cut', async () => {
    const key = (name: string, value = '') => ({ key: name, readonly: false, value });
    await reportKeys([key('GetConfigurationMaxKeys', '3'), key('Gone')]);
    await connection.outcome('GetConfiguration', { key: ['Other'] }, { configurationKey: [key('Other')] });
    await reportKeys([key('getConfigurationMaxKeys', '3'), key('B'), key('C')]);
    const names = async () => (await shown()).map(([name]) => name);
    expect(await names()).toEqual(['getConfigurationMaxKeys', 'Gone', 'Other', 'B', 'C']);
    await reportKeys([key('GetConfigurationMaxKeys', '3'), key('c')]);
    expect(await names()).toEqual(['GetConfigurationMaxKeys', 'c']);
    await connection.outcome('GetConfiguration', {}, {});
    expect(await names()).toEqual(['GetConfigurationMaxKeys', 'c']);
  });

  it('never shows a secret', async () => {
    await change('AuthorizationKey', '00112233445566778899aabbccddeeff');
    expect(await shown()).toEqual([['AuthorizationKey', '***']]);
  });

  it('is as the charger reports it, without unknown keys', async () => {
    await change('A', '1');
    await change('B', '1');
    await reportKeys([{ key: 'A', readonly: true, value: '2' }], ['b']);
    expect((await world.read(charger)).reported.configuration).toEqual([
      { configName: 'A', configValue: '2', canBeChanged: false },
    ]);
  });

  it('is not changed by a late report of an older connection', async () => {
    const newer = await world.connect(charger);
    await change('A', 'new', 'Accepted', newer);
    await change('A', 'old');
    await reportKeys([
      { key: 'A', readonly: false, value: 'old' },
      { key: 'B', readonly: false, value: 'b' },
    ]);
    expect(await shown()).toEqual([
      ['A', 'new'],
      ['B', 'b'],
    ]);
  });

  it('is limited', async () => {
    await reportKeys(Array.from({ length: 1500 }, (_, i) => ({ key: `K${String(i)}`, readonly: false, value: '' })));
    await change('OneMore', '1');
    expect(await shown()).toHaveLength(1000);
  });
});

describe('availability', () => {
  const change = (connectorId: number, type: string, answer = 'Accepted') =>
    connection.outcome('ChangeAvailability', { connectorId, type }, { status: answer });
  const shown = async () =>
    Object.fromEntries(
      Object.entries((await world.read(charger)).reported.availability ?? {}).map(([id, each]) => [
        id,
        [each.inForce, each.scheduled],
      ]),
    );

  it('is stored for each socket; a change of the whole charger replaces all', async () => {
    await change(1, 'Inoperative');
    await change(2, 'Inoperative', 'Rejected');
    expect(await shown()).toEqual({ 1: ['Inoperative', null] });
    await change(0, 'Operative');
    expect(await shown()).toEqual({ 0: ['Operative', null] });
  });

  it('that is scheduled takes effect when the socket reports it', async () => {
    await change(1, 'Operative');
    await change(1, 'Inoperative', 'Scheduled');
    expect(await shown()).toEqual({ 1: ['Operative', 'Inoperative'] });
    await status(1, 'Charging');
    expect(await shown()).toEqual({ 1: ['Operative', 'Inoperative'] });
    await status(1, 'Unavailable');
    expect(await shown()).toEqual({ 1: ['Inoperative', null] });
  });

  it('scheduled for the whole charger takes effect socket by socket', async () => {
    await change(2, 'Operative');
    await change(0, 'Inoperative', 'Scheduled');
    await status(1, 'Unavailable');
    expect(await shown()).toEqual({
      0: [null, 'Inoperative'],
      1: ['Inoperative', null],
      2: ['Operative', 'Inoperative'],
    });
  });
});

describe('reservations', () => {
  const reserve = (reservationId: number, over: Fields = {}, answer = 'Accepted') =>
    connection.outcome(
      'ReserveNow',
      { reservationId, connectorId: 1, idTag: 'Tag', expiryDate: FUTURE, ...over },
      { status: answer },
    );
  const shown = async () =>
    (await deviceStates()).reservations.map((each) => [each.reservationId, reservationState(each, at(0))]);

  it('are active until they are cancelled, used or expired', async () => {
    await reserve(1);
    await reserve(2, { connectorId: 0, parentIdTag: 'Family' });
    await reserve(3, { expiryDate: '2020-01-01T00:00:00Z' });
    await reserve(4, {}, 'Occupied');
    await reserve(5);
    await connection.outcome('CancelReservation', { reservationId: 1 }, ACCEPTED);
    await connection.outcome('CancelReservation', { reservationId: 2 }, { status: 'Rejected' });
    const { transactionId } = await start({ reservationId: 5 });
    expect(await shown()).toEqual([
      [1, 'cancelled'],
      [2, 'active'],
      [3, 'expired'],
      [5, 'used'],
    ]);
    const [, two, , five] = (await deviceStates()).reservations;
    expect(two).toMatchObject({ socketId: null, parentIdTag: 'Family', expiryDate: FUTURE });
    expect(five).toMatchObject({ transactionId, socketId: 1 });
  });

  it('with the same id replace each other', async () => {
    await reserve(1, { connectorId: 1 });
    await connection.outcome('CancelReservation', { reservationId: 1 }, ACCEPTED);
    await reserve(1, { connectorId: 2 });
    expect((await deviceStates()).reservations).toMatchObject([{ reservationId: 1, socketId: 2, end: null }]);
  });

  it('are limited, and ended ones are evicted first', async () => {
    await reserve(1000);
    await reserve(1001, { expiryDate: '2020-01-01T00:00:00Z' });
    for (let i = 0; i < 99; i += 1) void reserve(i);
    await reserve(99);
    const ids = (await deviceStates()).reservations.map(({ reservationId }) => reservationId);
    expect(ids).toHaveLength(100);
    expect(ids).toContain(99);
    expect(ids).not.toContain(1001);
  });
});

describe('the local list', () => {
  const send = (listVersion: number, updateType: string, tags: readonly Fields[], answer = 'Accepted') =>
    connection.outcome('SendLocalList', { listVersion, updateType, localAuthorizationList: tags }, { status: answer });
  const tag = (idTag: string, word = 'Accepted') => ({ idTag, idTagInfo: { status: word } });
  const shown = async () => {
    const { localList } = await deviceStates();
    return localList && [localList.version, localList.entries.map(({ idTag }) => idTag), localList.isComplete];
  };

  it('is the accepted list: full, or with differential updates', async () => {
    await send(1, 'Full', [tag('A'), tag('B')]);
    await send(2, 'Differential', [{ idTag: 'a' }, tag('C', 'Blocked')]);
    await send(3, 'Full', [], 'Failed');
    await send(4, 'Differential', [], 'VersionMismatch');
    expect(await shown()).toEqual([2, ['B', 'C'], true]);
    expect((await deviceStates()).localList?.entries[1]).toEqual({
      idTag: 'C',
      status: 'Blocked',
      expiryDate: null,
      parentIdTag: null,
    });
    await connection.outcome('SendLocalList', { listVersion: 5, updateType: 'Full' }, ACCEPTED);
    expect(await shown()).toEqual([5, [], true]);
  });

  it('is incomplete after a differential update of an unknown list', async () => {
    await send(9, 'Differential', [tag('A')]);
    expect(await shown()).toEqual([9, ['A'], false]);
  });

  it('has the version that the charger reports; with another version its entries are unknown', async () => {
    const reportVersion = (listVersion: number) => connection.outcome('GetLocalListVersion', {}, { listVersion });
    await send(1, 'Full', [tag('A')]);
    await reportVersion(1);
    expect(await shown()).toEqual([1, ['A'], true]);
    await reportVersion(7);
    expect(await shown()).toEqual([7, [], false]);
    await reportVersion(0);
    expect(await shown()).toEqual([0, [], true]);
  });
});

describe('charging profiles', () => {
  const profile = (chargingProfileId: number, over: Fields = {}) => ({
    chargingProfileId,
    stackLevel: 0,
    chargingProfilePurpose: 'TxDefaultProfile',
    chargingProfileKind: 'Absolute',
    chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
    ...over,
  });
  const set = (connectorId: number, csChargingProfiles: Fields, answer = 'Accepted', by = connection) =>
    by.outcome('SetChargingProfile', { connectorId, csChargingProfiles }, { status: answer });
  const clear = (criteria: Fields, answer = 'Accepted', by = connection) =>
    by.outcome('ClearChargingProfile', criteria, { status: answer });
  const ids = async () => (await deviceStates()).profiles.installed.map(({ profileId }) => profileId);
  const inForce = async () =>
    profilesInForce((await deviceStates()).profiles, Object.values((await world.read(charger)).reported.ongoing));

  it('are stored as they were sent', async () => {
    const sent = profile(1, { validTo: FUTURE, chargingSchedule: { ...profile(1).chargingSchedule, duration: 60 } });
    await set(1, sent);
    await set(1, profile(2), 'Rejected');
    expect((await deviceStates()).profiles.installed).toMatchObject([{ profileId: 1, socketId: 1, profile: sent }]);
  });

  it('replaces a charging profile with the same id, or with the same purpose and level at the same socket', async () => {
    await set(1, profile(1));
    await set(2, profile(2));
    await set(1, profile(3));
    await set(2, profile(2, { stackLevel: 5 }));
    await set(2, profile(4));
    expect(await ids()).toEqual([3, 2, 4]);
  });

  it.each([
    [{}, []],
    [{ id: 1 }, [2, 3, 4]],
    [{ connectorId: 1 }, [3, 4]],
    [{ chargingProfilePurpose: 'ChargePointMaxProfile' }, [1, 2, 3]],
    [{ connectorId: 1, stackLevel: 3 }, [1, 3, 4]],
  ])('are cleared where they match %j', async (criteria, left) => {
    await set(1, profile(1));
    await set(1, profile(2, { stackLevel: 3 }));
    await set(2, profile(3));
    await set(0, profile(4, { chargingProfilePurpose: 'ChargePointMaxProfile' }));
    await clear(criteria, 'Unknown');
    expect(await ids()).toHaveLength(4);
    await clear(criteria);
    expect(await ids()).toEqual(left);
  });

  it('for a transaction are in force while it lasts, for the ongoing one or for one by its id', async () => {
    const { transactionId } = await start();
    await set(1, profile(1, { chargingProfilePurpose: 'TxProfile' }));
    await set(1, profile(2, { chargingProfilePurpose: 'TxProfile', stackLevel: 1, transactionId }));
    await set(1, profile(3));
    expect(await inForce()).toMatchObject([{ transactionId }, { transactionId }, { transactionId: null }]);
    await connection.ask('StopTransaction', { transactionId, meterStop: 2, timestamp: at(0) });
    expect((await inForce()).map(({ profileId }) => profileId)).toEqual([3]);
  });

  it('assigns the charging profile of a remote start to the transaction that it begins', async () => {
    const chargingProfile = profile(8, { chargingProfilePurpose: 'TxProfile' });
    await connection.outcome('RemoteStartTransaction', { idTag: 'Tag', connectorId: 1, chargingProfile }, ACCEPTED);
    expect(await inForce()).toEqual([]);
    const { transactionId } = await start();
    expect(await inForce()).toMatchObject([{ profileId: 8, transactionId }]);
  });

  it('that an older connection reports late stay cleared or replaced', async () => {
    const newer = await world.connect(charger);
    await clear({ connectorId: 1 }, 'Accepted', newer);
    await set(2, profile(2), 'Accepted', newer);
    await set(1, profile(1));
    await set(2, profile(3));
    await set(2, profile(4, { stackLevel: 4 }));
    await clear({ id: 2 });
    expect(await ids()).toEqual([2, 4]);
  });

  it('that moved to another socket and were cleared there stay cleared, also after redeliveries', async () => {
    const sent = [await set(0, profile(1)), await set(1, profile(1)), await clear({ connectorId: 1 })];
    for (const report of sent) await connection.publish(report);
    expect(await ids()).toEqual([]);
    expect((await deviceStates()).profiles.clearings).toHaveLength(1);
  });

  it('are limited in number and in size', async () => {
    for (let i = 0; i < 120; i += 1) void set(1, profile(i, { stackLevel: i }));
    await set(1, profile(120, { stackLevel: 120 }));
    expect(await ids()).toHaveLength(100);
    const long = Array.from({ length: 5_000 }, (_, i) => ({ startPeriod: i, limit: 16.5, numberPhases: 3 }));
    const chargingSchedule = { chargingRateUnit: 'A', chargingSchedulePeriod: long };
    for (let i = 200; i < 206; i += 1) await set(1, profile(i, { stackLevel: i, chargingSchedule }));
    expect((await ids()).length).toBeLessThan(6);
    expect((await ids()).at(-1)).toBe(205);
  });
});

describe('transfers of files', () => {
  const events = (...actions: string[]) => world.platform.records.history.events(charger, actions, 10);

  it('are stored with their request, without the credentials of the address, and with their progress', async () => {
    const request = { location: 'ftp://user:secret@files.example/a', retrieveDate: FUTURE, retries: 2 };
    const { commandId } = await connection.outcome('UpdateFirmware', request, {});
    await connection.report('FirmwareStatusNotification', { status: 'Downloading' });
    await connection.report('FirmwareStatusNotification', { status: 'Installed' });
    await connection.outcome('GetDiagnostics', { location: 'https://x/a?sig=secret&se=1' }, { fileName: 'd.log' });
    const kept = await events('firmware.requested', 'firmware.progressed');
    expect(kept.map(({ action, payload }) => [action, payload['status']])).toEqual([
      ['firmware.progressed', 'Installed'],
      ['firmware.progressed', 'Downloading'],
      ['firmware.requested', null],
    ]);
    expect(kept[2]?.payload).toMatchObject({ commandId, retries: 2, location: 'ftp://***@files.example/a' });
    expect(await events('diagnostics.requested')).toMatchObject([
      { payload: { fileName: 'd.log', location: 'https://x/a?sig=***&se=1' } },
    ]);
  });

  it('stores file transfers of the security extension with their request id', async () => {
    const firmware = { location: 'f', retrieveDateTime: FUTURE, signingCertificate: 'C', signature: 'S' };
    await connection.outcome('SignedUpdateFirmware', { requestId: 5, firmware }, ACCEPTED);
    await connection.report('SignedFirmwareStatusNotification', { status: 'Downloading', requestId: 5 });
    const log = { remoteLocation: 'l', oldestTimestamp: FUTURE };
    await connection.outcome(
      'GetLog',
      { requestId: 6, logType: 'SecurityLog', log },
      { ...ACCEPTED, filename: 's.log' },
    );
    const kept = await events('firmware.requested', 'firmware.progressed', 'log.requested');
    expect(kept.map(transferStepOf)).toMatchObject([
      { kind: 'log', request: { fileName: 's.log', startTime: FUTURE, logType: 'SecurityLog', requestId: 6 } },
      { kind: 'firmware', progress: { status: 'Downloading', requestId: 5 } },
      { kind: 'firmware', request: { isSigned: true, status: 'Accepted', requestId: 5 } },
    ]);
    expect(JSON.stringify(kept)).not.toContain('"C"');
  });
});

it('stores outcomes of Reset, ClearCache, TriggerMessage, UnlockConnector and DataTransfer in the log alone', async () => {
  const before = (await world.read(charger)).reported;
  await connection.outcome('Reset', { type: 'Soft' }, ACCEPTED);
  await connection.outcome('ClearCache', {}, ACCEPTED);
  await connection.outcome('TriggerMessage', { requestedMessage: 'Heartbeat' }, ACCEPTED);
  await connection.outcome('UnlockConnector', { connectorId: 1 }, { status: 'Unlocked' });
  await connection.outcome('DataTransfer', { vendorId: 'V' }, ACCEPTED);
  expect(untimed((await world.read(charger)).reported)).toEqual(untimed(before));
  expect(await deviceStates()).toMatchObject({ revision: 0, reservations: [], localList: null });
  expect((await world.log(charger)).map(({ source }) => source)).toEqual(Array(5).fill('service'));
});

it('never gives the device state of a deleted charger to the one recreated under its id', async () => {
  const sent = { listVersion: 1, updateType: 'Full', localAuthorizationList: [{ idTag: 'A', idTagInfo: ACCEPTED }] };
  await connection.outcome('SendLocalList', sent, ACCEPTED);
  const again = { ...charger, incarnationId: createId() };
  expect((await world.platform.records.deviceStates.read(again)).localList).toBeNull();
});

describe('messages that are delivered twice', () => {
  const connector = fc.integer({ min: 0, max: 2 });
  const level = fc.integer({ min: 0, max: 2 });
  const id = fc.integer({ min: 1, max: 3 });
  const idTag = fc.constantFrom('A', 'b', 'B', 'C');
  const step = fc.oneof(
    fc.tuple(id, connector).map(([reservationId, connectorId]) => ({
      action: 'ReserveNow',
      request: { reservationId, connectorId, idTag: 'T', expiryDate: FUTURE },
    })),
    id.map((reservationId) => ({ action: 'CancelReservation', request: { reservationId } })),
    fc.tuple(id, connector, level).map(([chargingProfileId, connectorId, stackLevel]) => ({
      action: 'SetChargingProfile',
      request: {
        connectorId,
        csChargingProfiles: {
          chargingProfileId,
          stackLevel,
          chargingProfilePurpose: 'TxDefaultProfile',
          chargingProfileKind: 'Absolute',
          chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 1 }] },
        },
      },
    })),
    connector.map((connectorId) => ({ action: 'ClearChargingProfile', request: { connectorId } })),
    fc.tuple(fc.boolean(), idTag, fc.boolean(), id).map(([full, tag, off, listVersion]) => ({
      action: 'SendLocalList',
      request: {
        listVersion,
        updateType: full ? 'Full' : 'Differential',
        localAuthorizationList: [{ idTag: tag, ...(off ? {} : { idTagInfo: ACCEPTED }) }],
      },
    })),
    fc.tuple(connector, fc.constantFrom('Operative', 'Inoperative')).map(([connectorId, type]) => ({
      action: 'ChangeAvailability',
      request: { connectorId, type },
    })),
    fc.tuple(idTag, idTag).map(([key, value]) => ({ action: 'ChangeConfiguration', request: { key, value } })),
  );
  const script = fc.array(fc.tuple(step, fc.option(fc.tuple(fc.nat(5), fc.nat(3)), { freq: 3 })), {
    minLength: 3,
    maxLength: 12,
  });

  /** All stored state, without what identifies the charger, the command or the time. */
  async function kept(): Promise<unknown> {
    const { reservations, profiles, localList } = await deviceStates();
    const { configuration, availability } = (await world.read(charger)).reported;
    const all = { reservations, profiles, localList, configuration, availability };
    return JSON.parse(
      JSON.stringify(all, (name, value: unknown) =>
        ['commandId', 'at', 'setAt', 'reservedAt', 'updatedAt', 'position'].includes(name) ? undefined : value,
      ),
    );
  }

  it('are stored as if delivered once', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        charger = await world.register();
        connection = await world.connect(charger);
        for (const [{ action, request }] of steps) await connection.outcome(action, request, ACCEPTED);
        const once = await kept();

        charger = await world.register();
        connection = await world.connect(charger);
        const sent: Awaited<ReturnType<FakeConnection['outcome']>>[] = [];
        for (const [{ action, request }, again] of steps) {
          sent.push(await connection.outcome(action, request, ACCEPTED));
          // A resumed replica, or one that takes over with an empty memory, gets some of the last messages again.
          if (again === null) continue;
          const [count, butLast] = again;
          if (count === 0) await world.restart();
          for (const report of sent.slice(-count - butLast - 1, sent.length - butLast))
            await connection.publish(report);
        }
        expect(await kept()).toEqual(once);
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});
