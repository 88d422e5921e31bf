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
  const change = (value: string, by: FakeConnection) =>
    by.outcome('ChangeConfiguration', { key: 'A', value }, ACCEPTED);

  it('is not changed by a late report of an older connection', async () => {
    const newer = await world.connect(charger);
    await change('new', newer);
    await change('old', connection);
    const configurationKey = ['A', 'B'].map((key) => ({ key, readonly: false, value: 'old' }));
    await connection.outcome('GetConfiguration', {}, { configurationKey });
    expect((await world.read(charger)).reported.configuration).toMatchObject([
      { configName: 'A', configValue: 'new' },
      { configName: 'B', configValue: 'old' },
    ]);
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

  it('takes effect socket by socket when it is scheduled for the whole charger', async () => {
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

  it('keeps them active until they are cancelled, used or expired', async () => {
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
});

describe('the local list', () => {
  const send = (listVersion: number, updateType: string, tags: readonly Fields[], answer = 'Accepted') =>
    connection.outcome('SendLocalList', { listVersion, updateType, localAuthorizationList: tags }, { status: answer });
  const tag = (idTag: string, word = 'Accepted') => ({ idTag, idTagInfo: { status: word } });

  it('is the accepted list: full, or with differential updates', async () => {
    await send(1, 'Full', [tag('A'), tag('B')]);
    await send(2, 'Differential', [{ idTag: 'a' }, tag('C', 'Blocked')]);
    await send(3, 'Full', [], 'Failed');
    const none = { expiryDate: null, parentIdTag: null };
    expect((await deviceStates()).localList).toMatchObject({
      version: 2,
      entries: [
        { idTag: 'B', status: 'Accepted', ...none },
        { idTag: 'C', status: 'Blocked', ...none },
      ],
      isComplete: true,
    });
    await connection.outcome('GetLocalListVersion', {}, { listVersion: 7 });
    expect((await deviceStates()).localList).toMatchObject({ version: 7, entries: [], isComplete: false });
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

  it('stores them as they were sent', async () => {
    const sent = profile(1, { validTo: FUTURE, chargingSchedule: { ...profile(1).chargingSchedule, duration: 60 } });
    await set(1, sent);
    await set(1, profile(2), 'Rejected');
    expect((await deviceStates()).profiles.installed).toMatchObject([{ profileId: 1, socketId: 1, profile: sent }]);
  });

  it('has those of a transaction in force while it lasts, for the ongoing one or for one by its id', async () => {
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

  it('keeps those cleared or replaced that an older connection reports late', async () => {
    const newer = await world.connect(charger);
    await clear({ connectorId: 1 }, 'Accepted', newer);
    await set(2, profile(2), 'Accepted', newer);
    await set(1, profile(1));
    await set(2, profile(3));
    await set(2, profile(4, { stackLevel: 4 }));
    await clear({ id: 2 });
    expect(await ids()).toEqual([2, 4]);
  });

  it('keeps those cleared that moved to another socket and were cleared there, also after redeliveries', async () => {
    const sent = [await set(0, profile(1)), await set(1, profile(1)), await clear({ connectorId: 1 })];
    for (const report of sent) await connection.publish(report);
    expect(await ids()).toEqual([]);
    expect((await deviceStates()).profiles.clearings).toHaveLength(1);
  });
});

describe('transfers of files', () => {
  const events = (...actions: string[]) => world.platform.records.history.events(charger, actions, 10);

  it('stores them with their request, without the credentials of the address, and with their progress', async () => {
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

  it('stores them as if delivered once', async () => {
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
