// The main job: register, connect, report, read, in both ways of running and through both APIs.
import { supportedVersions } from '@busbar/ocpp';
import { eventually } from '@busbar/testing';
import { inBothOwnWorlds } from './harness/in-both-worlds';
import { connect, legacy, readLegacy, readV2, registerCharger, uniqueId, v2 } from './harness/world';

inBothOwnWorlds((world) => {
  it('shows a charger right after creation, with its empty fields', async () => {
    const { chargerId, siteId } = await registerCharger(world());
    expect(await readV2(world(), chargerId)).toMatchObject({
      chargerId,
      name: 'A charger',
      siteId,
      siteName: 'A site',
      state: 'Offline',
      activeConnection: false,
      lastSeen: null,
      connectedSince: null,
      sockets: [],
      chargerConfigurations: [],
      ongoingTransactions: [],
    });
    expect(await readLegacy(world(), chargerId)).toMatchObject({
      chargerId,
      chargerName: 'A charger',
      firmwareVersion: '',
      manufacturer: '',
      serialNumber: '',
      chargerModel: '',
      amountOfSockets: 0,
      activeConnection: false,
      sockets: [],
      chargerConfigurations: [],
    });
  });

  it('runs a day of one charger, and both APIs show every field correctly', async () => {
    const group = await legacy(world(), '/group/add', { method: 'POST', body: { name: 'A group' } });
    expect(group.status).toBe(200);
    const groupId = (group.json as { id: number }).id;
    const chargerId = uniqueId('ACME');
    const made = await legacy(world(), `/charger/add/${chargerId}/${String(groupId)}`, {
      method: 'POST',
      body: { chargerName: 'By the door' },
    });
    expect(made).toMatchObject({ status: 200, json: { chargerId } });

    const charger = await connect(world(), chargerId);
    await eventually(async () => (await readV2(world(), chargerId)).activeConnection);
    expect(
      await charger.boot({ chargePointVendor: 'Acme', chargePointModel: 'M2', chargePointSerialNumber: 'S-9' }),
    ).toMatchObject({
      status: 'Accepted',
      interval: 300,
    });
    for (const connectorId of [0, 1, 2]) await charger.status(connectorId, 'Available');
    await charger.heartbeat();
    expect(await charger.authorize('NOBODY')).toEqual({ idTagInfo: { status: 'Invalid' } });
    const started = await charger.start({ connectorId: 1, idTag: 'NOBODY', meterStart: 1000 });
    const transactionId = started['transactionId'] as number;
    expect(transactionId).toBeGreaterThan(0);
    await charger.status(1, 'Charging');
    await charger.meter({ connectorId: 1, transactionId, energyWh: 1500 });

    await eventually(async () => {
      expect(await readV2(world(), chargerId)).toMatchObject({
        ongoingTransactions: [{ socketId: 1, transactionId }],
      });
      return true;
    });
    await charger.stop({ transactionId, meterStop: 3500, reason: 'Local' });
    await charger.status(1, 'Available');
    const last = charger.frames.filter((frame) => frame.from === 'charger').at(-1)?.text;

    await eventually(async () => {
      const record = await readV2(world(), chargerId);
      expect(record).toMatchObject({
        chargerId,
        name: 'By the door',
        state: 'Available',
        activeConnection: true,
        ocppVersion: 'ocpp1.6',
        manufacturer: 'Acme',
        model: 'M2',
        serial: 'S-9',
        firmware: '1.0.0',
        ongoingTransactions: [],
      });
      expect(record['sockets']).toMatchObject([
        { id: 1, status: 'Available', errorCode: '' },
        { id: 2, status: 'Available', errorCode: '' },
      ]);
      return true;
    });
    // The configuration was asked for after the boot; its answer may well be the last frame.
    await eventually(async () => {
      const record = await readV2(world(), chargerId);
      return (record['chargerConfigurations'] as unknown[]).length > 0;
    });
    await charger.heartbeat();
    const heartbeat = charger.frames.filter((frame) => frame.from === 'charger').at(-1)?.text;
    expect(heartbeat).not.toBe(last);
    // Answered when the broker has it; the record follows.
    const old = await eventually(async () => {
      const record = await readLegacy(world(), chargerId);
      return record['lastMessage'] === heartbeat ? record : undefined;
    });
    expect(old).toMatchObject({
      chargerId,
      chargerName: 'By the door',
      firmwareVersion: '1.0.0',
      manufacturer: 'Acme',
      serialNumber: 'S-9',
      chargerModel: 'M2',
      amountOfSockets: 2,
      lastMessage: heartbeat,
      activeConnection: true,
      pushIntegrationEnabled: false,
      chargerSpecificMessageStructure: false,
      groupId,
      groupName: 'A group',
      chargerStatus: 'Available',
      ocppVersion: 'ocpp1.6',
    });
    expect(Math.abs(Date.now() - Date.parse(String(old['lastSeen'])))).toBeLessThan(60_000);

    await charger.close();
    await eventually(async () => !(await readV2(world(), chargerId)).activeConnection);
    expect(await readLegacy(world(), chargerId)).toMatchObject({ activeConnection: false, manufacturer: 'Acme' });
  });

  it('14. takes the newest of two sockets and never shows the charger disconnected in between', async () => {
    const { chargerId } = await registerCharger(world());
    const first = await connect(world(), chargerId);
    await eventually(async () => (await readV2(world(), chargerId)).activeConnection);
    const seen: boolean[] = [];
    const watching = new AbortController();
    const watch = (async () => {
      while (!watching.signal.aborted) seen.push((await readV2(world(), chargerId)).activeConnection);
    })();
    const second = await connect(world(), chargerId);
    await first.waitForClose();
    await second.heartbeat();
    await eventually(() => seen.length > 20);
    watching.abort();
    await watch;
    expect(seen).not.toContain(false);
    expect((await readV2(world(), chargerId)).activeConnection).toBe(true);
    expect(second.closed()).toBeUndefined();
    await second.close();
    await eventually(async () => !(await readV2(world(), chargerId)).activeConnection);
  });

  it.each(supportedVersions())(
    '16. shows a charger that reconnects without a boot as connected, with its stored data: %s',
    async (version) => {
      const { chargerId } = await registerCharger(world());
      const before = await connect(world(), chargerId, { subprotocols: [version] });
      const is16 = version === 'ocpp1.6';
      await (is16 ? before.boot() : before.v2.boot());
      await (is16 ? before.status(1, 'Available') : before.v2.status(1, 1, 'Available'));
      await before.close();
      await eventually(async () => !(await readV2(world(), chargerId)).activeConnection);
      const after = await connect(world(), chargerId, { subprotocols: [version] });
      await eventually(async () => {
        const record = await readV2(world(), chargerId);
        const kept = { manufacturer: 'Example', sockets: [{ id: 1 }], ocppVersion: version };
        expect(record).toMatchObject({ activeConnection: true, ...kept });
        return true;
      });
      const cleared = await v2(world(), `/chargers/${chargerId}/clear-cache`, { method: 'POST' });
      expect(cleared).toMatchObject({ status: 200, json: { status: 'Accepted' } });
      await after.close();
    },
  );

  it('55. maps a repeated start to the same session, and stops it once', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    const start = { connectorId: 1, idTag: 'T', meterStart: 5, timestamp: new Date().toISOString() };
    const [one, two] = [await charger.start(start), await charger.start(start)];
    expect(two['transactionId']).toBe(one['transactionId']);
    const stop = { transactionId: one['transactionId'] as number, meterStop: 105, timestamp: new Date().toISOString() };
    await charger.stop(stop);
    await charger.stop(stop);
    const other = await charger.start({ ...start, connectorId: 2 });
    expect(other['transactionId']).not.toBe(one['transactionId']);
    await charger.close();
  });

  it('counts the network equally in both APIs', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    await charger.status(1, 'Available');
    await eventually(async () => {
      const newer = (await v2(world(), '/statistics')).json as Record<string, unknown>;
      const older = (await legacy(world(), '/statistics')).json as Record<string, unknown>;
      expect(older['chargers']).toBe(newer['chargers']);
      expect(older['connectedChargers']).toBe(newer['connectedChargers']);
      expect(older['connectedChargers']).toBeGreaterThan(0);
      return true;
    });
    await charger.close();
  });

  it('keeps all data over an orderly restart', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    await charger.boot({ chargePointVendor: 'Keeps' });
    await charger.status(1, 'Available');
    await world().restart('SIGTERM');
    expect(await charger.waitForClose()).toMatchObject({ code: 1001 });
    await eventually(async () => {
      const record = await readV2(world(), chargerId);
      expect(record).toMatchObject({ manufacturer: 'Keeps', activeConnection: false });
      return true;
    });
    const back = await connect(world(), chargerId);
    await eventually(async () => (await readV2(world(), chargerId)).activeConnection);
    await back.close();
  }, 120_000);

  it('17. loses no answered message when it is killed, and shows no disconnected charger as connected', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    await charger.boot();
    const timestamp = new Date().toISOString();
    const start = (meterStart: number) => ({ connectorId: 1, idTag: 'T', meterStart, timestamp });
    const answered = new Map<number, unknown>();
    const load = (async () => {
      for (let meterStart = 0; ; meterStart += 1) {
        const { transactionId } = await charger.start(start(meterStart));
        answered.set(meterStart, transactionId);
      }
    })().catch(() => undefined);
    await eventually(() => answered.size > 20);
    await world().restart('SIGKILL');
    await load;
    await eventually(async () => !(await readV2(world(), chargerId)).activeConnection, 40_000);
    const back = await connect(world(), chargerId);
    // A start that was answered is known: sent again, it has the number that it had.
    for (const [meterStart, transactionId] of answered) {
      expect(await back.start(start(meterStart))).toMatchObject({ transactionId });
    }
    expect(new Set(answered.values()).size).toBe(answered.size);
    await back.close();
  }, 180_000);
});
