import { createId } from '@busbar/core';
import { noRows } from '@busbar/domain/reports';
import { type Charger } from '@busbar/domain/chargers';
import { transferAction, type TransferKind } from '@busbar/domain/commands';
import { deviceModelOf } from '@busbar/domain/device-model';
import { deviceStateOf, eventStreamsOf, type InstalledProfile, type Reservation } from '@busbar/domain/device-state';
import { type ChargerEvent } from '@busbar/domain/history';
import { createReportStore } from '@busbar/store';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

const PAST = '2020-01-01T00:00:00.000Z';
const AT = '2026-03-01T00:00:00.000Z';
const FUTURE = '2999-01-01T00:00:00.000Z';

describe('device state in the v2 API', () => {
  let world: TestApp;
  let charger: Charger;

  const get = async (what: string) => (await world.call('GET', `/chargers/ACME_1/${what}`)).json();
  const reservation = (reservationId: number, over: Partial<Reservation> = {}): Reservation => ({
    reservationId,
    socketId: 1,
    idTag: `Tag${String(reservationId)}`,
    parentIdTag: null,
    expiryDate: FUTURE,
    end: null,
    transactionId: null,
    commandId: 'c',
    reservedAt: AT,
    position: [1, reservationId],
    ...over,
  });
  const profile = (profileId: number, over: Partial<InstalledProfile> = {}): InstalledProfile => ({
    profileId,
    socketId: 0,
    purpose: 'TxDefaultProfile',
    stackLevel: profileId,
    transactionId: null,
    forStart: false,
    commandId: null,
    setAt: AT,
    position: [1, profileId],
    profile: { vendor: { a: profileId } },
    ...over,
  });
  const event = (
    kind: TransferKind,
    step: 'requested' | 'progressed',
    receivedAt: string,
    payload: Readonly<Record<string, unknown>>,
  ): ChargerEvent => ({
    rowId: createId(),
    chargerId: 'ACME_1',
    incarnationId: charger.incarnationId,
    clientId: charger.clientId,
    action: transferAction(kind, step),
    receivedAt,
    payload,
  });

  beforeAll(async () => {
    world = await openApp();
    await world.post('/sites', { name: 'Yard' });
    await world.post('/chargers', { name: 'One', chargerId: 'ACME_1' });
    await world.post('/chargers', { name: 'Two', chargerId: 'ACME_2' });
    const found = await world.platform.records.chargers.find('ACME_1');
    if (found === undefined) throw new Error('the charger is not there');
    charger = found;
    const from = deviceStateOf(charger, undefined);
    const ongoing = {
      socketId: 2,
      transactionId: 7,
      sessionId: 's',
      idTag: 'T',
      startTime: '2026-01-01T00:00:00.000Z',
      position: [1, 1] as const,
    };
    const to = { ...charger, reported: { ...charger.reported, ongoing: { '2': ongoing } }, revision: 1 };
    const deviceStates = {
      ...from,
      reservations: [
        reservation(1, { end: 'used', transactionId: 7, socketId: null }),
        reservation(2, { expiryDate: PAST, parentIdTag: 'Family' }),
        reservation(3),
      ],
      profiles: {
        installed: [
          profile(1),
          profile(2, { purpose: 'TxProfile', transactionId: 7, socketId: 2 }),
          profile(3, { purpose: 'TxProfile', transactionId: 6, socketId: 2 }),
        ],
        clearings: [],
      },
      localList: {
        version: 4,
        entries: [
          { idTag: 'A1', status: 'Accepted', expiryDate: FUTURE, parentIdTag: 'P' },
          { idTag: 'B1', status: 'Blocked', expiryDate: null, parentIdTag: null },
        ],
        isComplete: true,
        updatedAt: AT,
        position: [1, 9] as const,
      },
    };
    const asked = { location: 'ftp://***@h', retries: 3, retryIntervalS: 60, commandId: 'k' };
    const rows = {
      ...noRows(),
      deviceStates: [{ from, to: deviceStates }],
      events: [
        event('firmware', 'requested', '2026-03-01T00:00:00.000Z', {
          ...asked,
          retrieveAt: AT,
          requestId: 5,
          isSigned: true,
        }),
        event('firmware', 'progressed', '2026-03-01T00:00:01.000Z', { status: 'Downloading', requestId: 5 }),
        event('log', 'requested', '2026-03-01T00:00:02.000Z', {
          ...asked,
          logType: 'SecurityLog',
          fileName: 'l',
          status: 'Accepted',
        }),
        event('diagnostics', 'progressed', '2026-03-01T00:00:03.000Z', { status: 'Uploading' }),
      ],
    };
    expect(await createReportStore(world.platform.store).write(rows, [{ from: charger, to }])).toBe('written');
  });
  afterAll(() => world.close());

  it('pages reservations with their state', async () => {
    expect(await get('reservations')).toEqual({
      page: 1,
      limit: 100,
      totalRecords: 3,
      hasNextPage: false,
      hasPreviousPage: false,
      items: [
        {
          reservationId: 1,
          socketId: null,
          rfidTag: 'Tag1',
          parentRfidTag: null,
          expiresAt: FUTURE,
          state: 'used',
          transactionId: 7,
          reservedAt: AT,
          commandId: 'c',
        },
        expect.objectContaining({ reservationId: 2, state: 'expired', parentRfidTag: 'Family' }),
        expect.objectContaining({ reservationId: 3, state: 'active', socketId: 1 }),
      ],
    });
    expect(await get('reservations?search=tAG2&sortKey=expiresAt')).toMatchObject({ totalRecords: 1 });
    expect(await get('reservations?limit=2&page=2')).toMatchObject({ hasPreviousPage: true, items: [{}] });
  });

  it('shows charging profiles as sent, without those of ended transactions', async () => {
    expect(await get('charging-profiles?sortKey=stackLevel&sortDescending=true')).toMatchObject({
      totalRecords: 2,
      items: [
        { chargingProfileId: 2, socketId: 2, transactionId: 7, chargingProfilePurpose: 'TxProfile' },
        { chargingProfileId: 1, socketId: null, transactionId: null, chargingProfile: { vendor: { a: 1 } } },
      ],
    });
  });

  it('pages the local list', async () => {
    expect(await get('local-list?limit=1')).toEqual({
      page: 1,
      limit: 1,
      totalRecords: 2,
      hasNextPage: true,
      hasPreviousPage: false,
      listVersion: 4,
      complete: true,
      updatedAt: AT,
      items: [{ rfidTag: 'A1', status: 'Accepted', expiringDate: FUTURE, parentRfidTag: 'P' }],
    });
    expect(await get('local-list?search=b')).toMatchObject({ items: [{ rfidTag: 'B1', expiringDate: null }] });
  });

  it('shows the progress of the firmware update with its last request', async () => {
    expect(await get('firmware')).toEqual({
      chargerId: 'ACME_1',
      firmware: '',
      status: null,
      statusAt: null,
      statusRequestId: null,
      lastRequest: {
        location: 'ftp://***@h',
        retries: 3,
        retryIntervalS: 60,
        requestId: 5,
        status: null,
        commandId: 'k',
        requestedAt: AT,
        retrieveAt: AT,
        installAt: null,
        signed: true,
      },
      history: [
        { at: '2026-03-01T00:00:01.000Z', what: 'firmware', step: 'progressed', status: 'Downloading', requestId: 5 },
        { at: AT, what: 'firmware', step: 'requested', status: null, requestId: 5 },
      ],
    });
  });

  it('shows diagnostics and logs separately with one history', async () => {
    expect(await get('diagnostics')).toMatchObject({
      diagnostics: { lastRequest: null },
      log: { lastRequest: { logType: 'SecurityLog', fileName: 'l', status: 'Accepted' } },
      history: [{ what: 'diagnostics', status: 'Uploading' }, { what: 'log' }],
    });
  });

  it('shows a charger without commands', async () => {
    const of = async (what: string) => (await world.call('GET', `/chargers/ACME_2/${what}`)).json();
    expect(await of('reservations')).toMatchObject({ totalRecords: 0, items: [] });
    expect(await of('charging-profiles')).toMatchObject({ totalRecords: 0, items: [] });
    expect(await of('local-list')).toMatchObject({ listVersion: null, complete: false, updatedAt: null, items: [] });
    expect(await of('firmware')).toMatchObject({ lastRequest: null, history: [] });
    expect(await of('diagnostics')).toMatchObject({ log: { status: null, lastRequest: null }, history: [] });
  });

  it('deletes the device state, the device model and the event streams with its charger', async () => {
    await world.post('/chargers', { name: 'Gone', chargerId: 'GONE_1' });
    const gone = await world.platform.records.chargers.find('GONE_1');
    if (gone === undefined) throw new Error('the charger is not there');
    const reports = createReportStore(world.platform.store);
    const from = deviceStateOf(gone, undefined);
    const model = deviceModelOf(gone, undefined);
    const deviceStates = [{ from, to: { ...from, reservations: [reservation(1)] } }];
    const streams = eventStreamsOf(gone, undefined);
    const documents = { deviceModels: [{ from: model, to: model }], eventStreams: [{ from: streams, to: streams }] };
    await reports.write({ ...noRows(), deviceStates, ...documents }, []);
    expect(await reports.loadDeviceState(['GONE_1'])).toHaveLength(1);
    expect(await reports.loadDeviceModels(['GONE_1'])).toHaveLength(1);
    expect(await reports.loadEventStreams(['GONE_1'])).toHaveLength(1);
    expect((await world.call('DELETE', '/chargers/GONE_1')).status).toBe(200);
    expect(await reports.loadDeviceState(['GONE_1'])).toEqual([]);
    expect(await reports.loadDeviceModels(['GONE_1'])).toEqual([]);
    expect(await reports.loadEventStreams(['GONE_1'])).toEqual([]);
  });

  it.each(['reservations', 'charging-profiles', 'local-list', 'firmware', 'diagnostics'])(
    'responds 404 for %s of another client’s charger, and 403 without chargers:read',
    async (what) => {
      const asOther = { headers: { 'x-api-key': world.other.secret } };
      expect(codeOf(await world.call('GET', `/chargers/ACME_1/${what}`, asOther))).toBe('404 not_found');
      const key = await world.post('/api-keys', { name: 'limited', permissions: ['chargers:operate'] });
      const headers = { 'x-api-key': String(key.json()['key']) };
      expect(codeOf(await world.call('GET', `/chargers/ACME_1/${what}`, { headers }))).toBe('403 forbidden');
    },
  );
});
