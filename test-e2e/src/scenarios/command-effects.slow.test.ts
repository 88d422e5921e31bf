// The effects of commands are stored and can be read, and a session names the command that started it.
import { eventually, type ScriptedCharger } from '@busbar/testing';
import { inBothOwnWorlds } from '../harness/in-both-worlds';
import { connect, readV2, registerCharger, v2 } from '../harness/world';

const FUTURE = '2099-01-31T12:00:00.000Z';
const PROFILE = {
  chargingProfileId: 7,
  stackLevel: 0,
  chargingProfilePurpose: 'TxDefaultProfile',
  chargingProfileKind: 'Relative',
  chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16.1 }] },
};

inBothOwnWorlds((world) => {
  let chargerId: string;
  let charger: ScriptedCharger;
  beforeEach(async () => {
    ({ chargerId } = await registerCharger(world()));
    charger = await connect(world(), chargerId, {
      answers: {
        ...Object.fromEntries(ACCEPTING.map((action) => [action, () => ({ status: 'Accepted' })])),
        ClearChargingProfile: () => ({ status: 'Accepted' }),
        ChangeAvailability: () => ({ status: 'Scheduled' }),
        GetDiagnostics: () => ({ fileName: 'd.log' }),
        UpdateFirmware: () => ({}),
      },
    });
    await charger.boot();
    await charger.status(1, 'Available');
    await eventually(async () => (await readV2(world(), chargerId)).activeConnection);
  });
  afterEach(() => charger.close());

  const request = async (method: string, path: string, body?: object) => {
    const reply = await v2(world(), `/chargers/${chargerId}${path}`, { method, ...(body ? { body } : {}) });
    if (reply.status !== 200) throw new Error(`${method} ${path} gave ${String(reply.status)}: ${reply.text}`);
    return reply.json as Readonly<Record<string, unknown>>;
  };
  const read = (path: string) => request('GET', path);

  it('shows the commands that started and stopped a session', async () => {
    await request('POST', '/start-charging', { socketId: 1, rfidTag: 'RemoteTag' });
    const { transactionId } = await charger.start({ connectorId: 1, idTag: 'REMOTETAG' });
    const session = async () => (await v2(world(), `/sessions/${String(transactionId)}`)).json as { commandId: string };
    expect(await session()).toMatchObject({ startedBy: 'remote', stopCommandId: null });
    expect((await session()).commandId).toMatch(/^[0-9A-Z]{26}$/);
    await request('POST', '/stop-transaction', { transactionId });
    await charger.stop({ transactionId: Number(transactionId), reason: 'Remote' });
    const { commandId, ...ended } = await session();
    expect(ended).toMatchObject({ state: 'ended', stopReason: 'Remote' });
    expect(Object.values(ended)).not.toContain(commandId);
    expect(ended).toMatchObject({ stopCommandId: expect.stringMatching(/^[0-9A-Z]{26}$/) as string });
  });

  it('shows the configuration, and a socket’s availability until it takes effect', async () => {
    // The scripted charger answers GetConfiguration as before the change, so the one after its boot must be over.
    await charger.waitForCall('GetConfiguration');
    await eventually(async () => {
      const items = (await readV2(world(), chargerId))['chargerConfigurations'] as readonly unknown[];
      return items.length > 0;
    });
    await request('PATCH', '/configuration', { configName: 'HeartbeatInterval', configValue: '77' });
    // The charger's answer is on its way into the store when the caller has it.
    await eventually(async () => {
      const items = (await readV2(world(), chargerId))['chargerConfigurations'];
      expect(items).toContainEqual({
        configName: 'HeartbeatInterval',
        configValue: '77',
        canBeChanged: true,
        changedAt: expect.stringMatching(/Z$/) as string,
      });
      return true;
    });
    await request('POST', '/availability', { socketId: 1, type: 'Inoperative' });
    const socket = async () => ((await readV2(world(), chargerId))['sockets'] as readonly object[])[0];
    await eventually(async () => {
      expect(await socket()).toMatchObject({ availability: null, scheduledAvailability: 'Inoperative' });
      return true;
    });
    await charger.status(1, 'Unavailable');
    await eventually(async () => {
      expect(await socket()).toMatchObject({ availability: 'Inoperative', scheduledAvailability: null });
      return true;
    });
  });

  it('shows reservations, the local list and charging profiles, also after a restart of everything', async () => {
    const { reservationId } = await request('POST', '/reservations', { socketId: 1, rfidTag: 'R1', expiresAt: FUTURE });
    const other = await request('POST', '/reservations', { rfidTag: 'R2', expiresAt: FUTURE });
    await request('DELETE', `/reservations/${String(other['reservationId'])}`);
    const tags = [
      { rfidTag: 'L1', status: 'Accepted' },
      { rfidTag: 'L2', status: 'Blocked' },
    ];
    await request('POST', '/local-list', { listVersion: 1, updateType: 'Full', tags });
    await request('POST', '/local-list', {
      listVersion: 2,
      updateType: 'Differential',
      tags: [{ rfidTag: 'l1', status: null }],
    });
    const expiringDate = '2020-01-01T00:00:00.000Z';
    await v2(world(), '/tags', { method: 'POST', body: { idTag: 'OwnBlocked', blocked: true, parentIdTag: 'FLEET' } });
    await v2(world(), '/tags', { method: 'POST', body: { idTag: 'OwnExpired', expiringDate } });
    await v2(world(), '/tags', { method: 'POST', body: { idTag: 'OwnGood' } });
    const own = ['ownBLOCKED', 'OwnExpired', 'OwnGood', 'OwnUnknown'].map((rfidTag) => ({ rfidTag }));
    await request('POST', '/local-list', { listVersion: 3, updateType: 'Differential', tags: own });
    await eventually(async () => {
      expect((await read('/local-list'))['items']).toMatchObject([
        { rfidTag: 'L2', status: 'Blocked' },
        { rfidTag: 'ownBLOCKED', status: 'Blocked', parentRfidTag: 'FLEET', expiringDate: null },
        { rfidTag: 'OwnExpired', status: 'Expired', expiringDate },
        { rfidTag: 'OwnGood', status: 'Accepted' },
        { rfidTag: 'OwnUnknown', status: 'Invalid' },
      ]);
      return true;
    });
    const gone = own.map(({ rfidTag }) => ({ rfidTag, status: null }));
    await request('POST', '/local-list', { listVersion: 2, updateType: 'Differential', tags: gone });
    await request('POST', '/charging-profile', { socketId: 1, chargingProfile: PROFILE });
    await request('POST', '/charging-profile', { chargingProfile: { ...PROFILE, chargingProfileId: 8 } });
    await request('DELETE', '/charging-profile?chargingProfileId=8');
    await charger.close();
    await world().restart('SIGTERM');
    expect(await read('/reservations')).toMatchObject({
      items: [
        { reservationId, state: 'active', socketId: 1, rfidTag: 'R1', expiresAt: FUTURE },
        { state: 'cancelled', socketId: null, rfidTag: 'R2' },
      ],
    });
    expect(await read('/local-list')).toMatchObject({ listVersion: 2, complete: true, items: [{ rfidTag: 'L2' }] });
    expect(await read('/charging-profiles')).toMatchObject({
      totalRecords: 1,
      items: [{ chargingProfileId: 7, socketId: 1, chargingProfile: PROFILE }],
    });
  }, 120_000);

  it('shows the progress of firmware and diagnostics, without the login of a URL', async () => {
    await request('POST', '/firmware', { location: 'ftp://me:hidden@files.example/f.bin' });
    await charger.ask('FirmwareStatusNotification', { status: 'Downloading' });
    await request('POST', '/diagnostics', { location: 'ftp://me:hidden@files.example/up' });
    await charger.ask('DiagnosticsStatusNotification', { status: 'Uploaded' });
    await eventually(async () => {
      expect(await read('/firmware')).toMatchObject({
        firmware: '1.0.0',
        status: 'Downloading',
        lastRequest: { location: 'ftp://***@files.example/f.bin' },
        history: [{ step: 'progressed' }, { step: 'requested' }],
      });
      expect(await read('/diagnostics')).toMatchObject({
        diagnostics: { status: 'Uploaded', lastRequest: { fileName: 'd.log' } },
      });
      return true;
    });
    expect((await v2(world(), `/chargers/${chargerId}/ocpp-logs`)).text).not.toContain('hidden');
  });
});

const ACCEPTING = [
  ...['RemoteStartTransaction', 'RemoteStopTransaction', 'ChangeConfiguration', 'ReserveNow', 'CancelReservation'],
  ...['SendLocalList', 'SetChargingProfile'],
];
