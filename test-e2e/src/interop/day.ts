// A full day in short of a charger on a foreign stack. After each step the record is read back over HTTP, by both
// APIs, and compared with what the charger did.
import { eventually } from '@busbar/testing';
import { legacy, readLegacy, readV2, registerCharger, uniqueId, v2 } from '../harness/world';
import { ANSWERS } from './answers';
import { startForeignCharger, type ForeignCharger, type Json } from './foreign-charger';
import type { InteropWorld } from './interop-world';
import type { Stack } from './stacks';

/** A charger of this stack that is registered, with a password, and a tag that may charge at it. */
export interface Party {
  readonly world: InteropWorld;
  readonly stack: Stack;
  readonly charger: ForeignCharger;
  readonly chargerId: string;
  readonly password: string;
  readonly idTag: string;
}

export const BOOT = {
  chargePointVendor: 'Example',
  chargePointModel: 'Foreign',
  chargePointSerialNumber: 'EX-0001',
  chargeBoxSerialNumber: 'BOX-0001',
  firmwareVersion: '4.5.6',
  iccid: '8900000000000000001',
  imsi: '240000000000001',
  meterType: 'M',
  meterSerialNumber: 'M-0001',
};

export async function openParty(world: InteropWorld, stack: Stack): Promise<Party> {
  const { chargerId } = await registerCharger(world);
  const password = uniqueId('secret:');
  const idTag = uniqueId('T').slice(0, 12);
  await v2(world, `/chargers/${chargerId}/authentication`, { method: 'PUT', body: { password, securityProfile: 2 } });
  await v2(world, '/tags', { method: 'POST', body: { idTag, tokenName: 'A card' } });
  return { world, stack, charger: startForeignCharger(stack, world.certificate), chargerId, password, idTag };
}

export async function connectParty({ world, charger, chargerId, password }: Party): Promise<void> {
  await charger.connect({ url: world.addresses().ocpp, chargerId, password, answers: ANSWERS });
}

/** Until the record says so in the v2 API, and then what it says in the older one. */
export async function shows(party: Party, newer: Json, older: Json = {}): Promise<void> {
  const { world, chargerId } = party;
  await eventually(async () => {
    expect(await readV2(world, chargerId)).toMatchObject(newer);
    return true;
  });
  expect(await readLegacy(world, chargerId)).toMatchObject(older);
}

export async function morning(party: Party): Promise<void> {
  const { charger, chargerId } = party;
  await shows(party, { activeConnection: false, state: 'Offline', lastSeen: null, manufacturer: '', sockets: [] });
  await connectParty(party);
  await shows(party, { activeConnection: true, ocppVersion: 'ocpp1.6' }, { activeConnection: true });

  const booted = await charger.call('BootNotification', BOOT);
  expect(booted).toMatchObject({ status: 'Accepted', interval: 300 });
  expect(isNow(booted['currentTime'])).toBe(true);
  expect(await charger.nextCall('GetConfiguration')).toEqual({});
  await shows(
    party,
    {
      chargerId,
      manufacturer: 'Example',
      model: 'Foreign',
      serial: 'EX-0001',
      firmware: '4.5.6',
      iccid: BOOT.iccid,
      imsi: BOOT.imsi,
      meterType: 'M',
      meterSerialNumber: 'M-0001',
      chargerConfigurations: [
        { configName: 'HeartbeatInterval', configValue: '300', canBeChanged: true },
        { configName: 'NumberOfConnectors', configValue: '2', canBeChanged: false },
      ],
    },
    { manufacturer: 'Example', chargerModel: 'Foreign', serialNumber: 'EX-0001', firmwareVersion: '4.5.6' },
  );

  for (const connectorId of [0, 1, 2]) await status(charger, connectorId, 'Available');
  await shows(
    party,
    { state: 'Available', sockets: [socket(1, 'Available'), socket(2, 'Available')] },
    { amountOfSockets: 2, sockets: [socket(1, 'Available'), socket(2, 'Available')] },
  );
  for (let beat = 0; beat < 3; beat += 1) {
    expect(isNow((await charger.call('Heartbeat'))['currentTime'])).toBe(true);
  }
  const { lastSeen, lastMessage } = await eventually(async () => {
    const record = await readV2(party.world, chargerId);
    return record.lastMessage?.includes('Heartbeat') === true && record;
  });
  expect(isNow(lastSeen)).toBe(true);
  await shows(party, {}, { lastSeen, lastMessage });
}

export async function sessionOfADriver(party: Party): Promise<void> {
  const { world, charger, chargerId, idTag } = party;
  expect(await charger.call('Authorize', { idTag: 'NOBODY' })).toMatchObject({ idTagInfo: { status: 'Invalid' } });
  expect(await charger.call('Authorize', { idTag })).toMatchObject({ idTagInfo: { status: 'Accepted' } });
  await status(charger, 1, 'Preparing');
  const transactionId = await start(party, 1, 1000);
  await status(charger, 1, 'Charging');
  await shows(
    party,
    { state: 'Charging', sockets: [socket(1, 'Charging'), {}], ongoingTransactions: [{ socketId: 1, transactionId }] },
    { chargerStatus: 'Charging', sockets: [socket(1, 'Charging'), {}] },
  );
  const sent = meterValues(transactionId);
  expect(await charger.call('MeterValues', sent)).toEqual({});
  const { items } = await eventually(async () => {
    const list = (await v2(world, `/sessions/${String(transactionId)}/meter-values`)).json as {
      items: { message: Json }[];
    };
    return list.items.length === 1 && list;
  });
  expect(items[0]?.message).toMatchObject({
    connectorId: 1,
    transactionId,
    meterValue: [{ sampledValue: sent.meterValue[0]?.sampledValue }],
  });
  const stop = { transactionId, idTag, meterStop: 3500, timestamp: now(), reason: 'EVDisconnected' };
  expect(await charger.call('StopTransaction', stop)).toMatchObject({ idTagInfo: { status: 'Accepted' } });
  await status(charger, 1, 'Finishing');
  await status(charger, 1, 'Available');
  await shows(party, { state: 'Available', ongoingTransactions: [] }, { chargerStatus: 'Available' });
  await sessionShows(party, transactionId, {
    chargerId,
    socketId: 1,
    rfidTag: idTag,
    meterStart: 1000,
    meterStop: 3500,
    consumptionWh: 2500,
    state: 'ended',
    stopReason: 'EVDisconnected',
  });
}

export async function sessionFromAfar(party: Party): Promise<void> {
  const { charger, chargerId, idTag } = party;
  expect(await command(party, 'start-charging', { socketId: 2, rfidTag: idTag })).toMatchObject({
    status: 200,
    json: { chargerId, socketId: 2, status: 'Accepted' },
  });
  expect(await charger.nextCall('RemoteStartTransaction')).toEqual({ connectorId: 2, idTag });
  const transactionId = await start(party, 2, 0);
  await status(charger, 2, 'Charging');
  await shows(party, { sockets: [{}, socket(2, 'Charging')], ongoingTransactions: [{ socketId: 2, transactionId }] });
  await sessionShows(party, transactionId, { state: 'ongoing', endTime: null });

  expect(await command(party, 'stop-transaction', { transactionId })).toMatchObject({
    status: 200,
    json: { transactionId, status: 'Accepted' },
  });
  expect(await charger.nextCall('RemoteStopTransaction')).toEqual({ transactionId });
  await charger.call('StopTransaction', { transactionId, meterStop: 700, timestamp: now(), reason: 'Remote' });
  await status(charger, 2, 'Available');
  await shows(party, { state: 'Available', ongoingTransactions: [] });
  await sessionShows(party, transactionId, { state: 'ended', stopReason: 'Remote', consumptionWh: 700 });
}

/** Sends the other messages of a charger. Each is answered as the standard requires. */
export async function smallTalk({ charger }: Party): Promise<void> {
  const transfer = { vendorId: 'com.example', messageId: 'hello', data: 'x' };
  expect(await charger.call('DataTransfer', transfer)).toMatchObject({ status: 'UnknownVendorId' });
  expect(await charger.call('FirmwareStatusNotification', { status: 'Idle' })).toEqual({});
  expect(await charger.call('DiagnosticsStatusNotification', { status: 'Idle' })).toEqual({});
}

export async function reset(party: Party): Promise<void> {
  const { charger } = party;
  expect(await command(party, 'reset', { type: 'Soft' })).toMatchObject({ status: 200, json: { status: 'Accepted' } });
  expect(await charger.nextCall('Reset')).toEqual({ type: 'Soft' });
  await charger.close();
  await shows(
    party,
    { activeConnection: false, state: 'Offline', manufacturer: 'Example' },
    { activeConnection: false },
  );
  expect(await command(party, 'reset', { type: 'Soft' })).toMatchObject({
    status: 409,
    json: { code: 'charger_offline' },
  });
  await connectParty(party);
  expect(await charger.call('BootNotification', { ...BOOT, firmwareVersion: '4.5.7' })).toMatchObject({
    status: 'Accepted',
  });
  for (const connectorId of [0, 1, 2]) await status(charger, connectorId, 'Available');
  await shows(
    party,
    { activeConnection: true, state: 'Available', firmware: '4.5.7' },
    { activeConnection: true, firmwareVersion: '4.5.7' },
  );
}

/** The service stops and starts while a car charges: the stack loses its connection, and the session continues. */
export async function serviceRestart(party: Party): Promise<void> {
  const { world, charger } = party;
  const transactionId = await start(party, 2, 3000);
  await world.restart('SIGTERM');
  await charger.waitForClose();
  await shows(party, { activeConnection: false, ongoingTransactions: [{ socketId: 2, transactionId }] });
  await connectParty(party);
  await shows(
    party,
    { activeConnection: true, manufacturer: 'Example', firmware: '4.5.7' },
    { activeConnection: true },
  );
  await charger.call('StopTransaction', { transactionId, meterStop: 3050, timestamp: now() });
  await shows(party, { ongoingTransactions: [] });
  await sessionShows(party, transactionId, { state: 'ended', stopReason: 'Local', consumptionWh: 50 });
}

/** Cuts the power while a car charges. The next process reports how the session ended, and is returned. */
export async function powerCut(party: Party): Promise<Party> {
  const transactionId = await start(party, 1, 5000);
  const cutAt = now();
  await party.charger.kill();
  await shows(party, { activeConnection: false, state: 'Offline', ongoingTransactions: [{ transactionId }] });
  const after = { ...party, charger: startForeignCharger(party.stack, party.world.certificate) };
  await connectParty(after);
  await shows(after, { activeConnection: true, manufacturer: 'Example' });
  await after.charger.call('BootNotification', BOOT);
  const stop = { transactionId, meterStop: 5100, timestamp: cutAt, reason: 'PowerLoss' };
  await after.charger.call('StopTransaction', stop);
  await shows(after, { ongoingTransactions: [] });
  await sessionShows(after, transactionId, { state: 'ended', stopReason: 'PowerLoss', consumptionWh: 100 });
  return after;
}

/** The whole day once more, as the v1 API counts it and as the log has it. */
export async function evening({ world, chargerId, idTag }: Party): Promise<void> {
  const search = { startTime: '2020-01-01T00:00:00.000Z', chargerIDs: [chargerId] };
  const found = await legacy(world, '/statistics/transactions', { method: 'POST', body: search });
  const { results } = found.json as { results: Json[] };
  expect(results.map(({ consumptionWH, stopReason }) => [consumptionWH, stopReason])).toEqual([
    [2500, 'EVDisconnected'],
    [700, 'Remote'],
    [50, 'Local'],
    [100, 'PowerLoss'],
  ]);
  expect(results.every(({ rfidTag }) => rfidTag === idTag)).toBe(true);
  const log = await v2(world, `/chargers/${chargerId}/ocpp-logs?messageTypes=RemoteStartTransaction`);
  expect((log.json as { items: Json[] }).items).toMatchObject([
    { source: 'service', request: { connectorId: 2, idTag }, response: { status: 'Accepted' } },
  ]);
}

async function start({ charger, idTag }: Party, connectorId: number, meterStart: number): Promise<number> {
  const started = await charger.call('StartTransaction', { connectorId, idTag, meterStart, timestamp: now() });
  expect(started).toMatchObject({ idTagInfo: { status: 'Accepted' }, transactionId: expect.any(Number) as number });
  return started['transactionId'] as number;
}

async function status(charger: ForeignCharger, connectorId: number, state: string): Promise<void> {
  const report = { connectorId, errorCode: 'NoError', status: state, timestamp: now() };
  expect(await charger.call('StatusNotification', report)).toEqual({});
}

async function sessionShows({ world }: Party, transactionId: number, expected: Json): Promise<void> {
  await eventually(async () => {
    expect((await v2(world, `/sessions/${String(transactionId)}`)).json).toMatchObject(expected);
    return true;
  });
}

function command({ world, chargerId }: Party, path: string, body: Json) {
  return v2(world, `/chargers/${chargerId}/${path}`, { method: 'POST', body });
}

function socket(id: number, state: string): Json {
  return { id, status: state };
}

/** One decimal where the schema asks for multiples of 0.1 is elsewhere; here what stacks have trouble with: phases, units, contexts. */
function meterValues(transactionId: number) {
  const sampledValue = [
    {
      value: '2500.5',
      context: 'Sample.Periodic',
      format: 'Raw',
      measurand: 'Energy.Active.Import.Register',
      location: 'Outlet',
      unit: 'Wh',
    },
    { value: '16.1', context: 'Sample.Periodic', measurand: 'Current.Import', phase: 'L1', unit: 'A' },
    { value: '80', measurand: 'SoC', location: 'EV', unit: 'Percent' },
  ];
  return { connectorId: 1, transactionId, meterValue: [{ timestamp: now(), sampledValue }] };
}

function isNow(text: unknown): boolean {
  return Math.abs(Date.parse(String(text)) - Date.now()) < 60_000;
}

function now(): string {
  return new Date().toISOString();
}
