// A day in short of a charger of OCPP 2.x on a foreign stack. After each step the record is read back over HTTP.
import { eventually } from '@busbar/testing';
import { v2 } from '../harness/world';
import { ANSWERS_2 } from './answers-2';
import { shows, type Party } from './day';
import type { ForeignCharger, Json } from './foreign-charger';

/** A charger with the version that it speaks. */
export type Party2 = Party & { readonly version: string };

const STATION = { vendorName: 'Example', model: 'Foreign', serialNumber: 'EX-0002', firmwareVersion: '4.5.6' };
export const BOOT_2 = { reason: 'PowerUp', chargingStation: STATION };
const EVSE = { id: 1, connectorId: 1 };

export async function connect2({ world, charger, chargerId, password, version }: Party2): Promise<void> {
  await charger.connect({ url: world.addresses().ocpp, chargerId, password, version, answers: ANSWERS_2 });
}

/** It boots, reports its device model as it is asked for it, and its connectors. */
export async function morning2(party: Party2): Promise<void> {
  const { charger, version } = party;
  await connect2(party);
  expect(await charger.call('BootNotification', BOOT_2)).toMatchObject({ status: 'Accepted', interval: 300 });
  const { requestId, reportBase } = await charger.nextCall('GetBaseReport');
  expect(reportBase).toBe('FullInventory');
  const reportData = [
    {
      component: { name: 'OCPPCommCtrlr' },
      variable: { name: 'HeartbeatInterval' },
      variableAttribute: [{ type: 'Actual', value: '300', mutability: 'ReadWrite' }],
      variableCharacteristics: { unit: 's', dataType: 'integer', supportsMonitoring: false },
    },
  ];
  const report = { requestId, generatedAt: now(), seqNo: 0, tbc: false, reportData };
  expect(await charger.call('NotifyReport', report)).toEqual({});
  await shows(
    party,
    {
      activeConnection: true,
      ocppVersion: version,
      manufacturer: 'Example',
      model: 'Foreign',
      serial: 'EX-0002',
      firmware: '4.5.6',
      bootReason: 'PowerUp',
      chargerConfigurations: [
        { configName: 'OCPPCommCtrlr.HeartbeatInterval', configValue: '300', canBeChanged: true },
      ],
    },
    { manufacturer: 'Example', chargerModel: 'Foreign' },
  );
  await status(charger, 'Available');
  await shows(party, { state: 'Available', sockets: [{ id: 1, status: 'Available' }] });
  expect(Math.abs(Date.parse(String((await charger.call('Heartbeat'))['currentTime'])) - Date.now())).toBeLessThan(
    60_000,
  );
}

export async function sessionOfADriver2(party: Party2): Promise<void> {
  const { charger, idTag } = party;
  const idToken = { idToken: idTag, type: 'ISO14443' };
  const nobody = { idToken: { ...idToken, idToken: 'NOBODY' } };
  expect(await charger.call('Authorize', nobody)).toMatchObject({ idTokenInfo: { status: 'Unknown' } });
  expect(await charger.call('Authorize', { idToken })).toMatchObject({ idTokenInfo: { status: 'Accepted' } });
  await status(charger, 'Occupied');
  const id = 'driver';
  const started = await transaction(charger, id, { eventType: 'Started', seqNo: 0, evse: EVSE, idToken, wh: 1_000 });
  expect(started).toMatchObject({ idTokenInfo: { status: 'Accepted' } });
  expect(
    await transaction(charger, id, { eventType: 'Updated', seqNo: 1, chargingState: 'Charging', wh: 2_000 }),
  ).toEqual({});
  await shows(party, { state: 'Charging', ongoingTransactions: [{ socketId: 1, evseTransactionId: id }] });
  await transaction(charger, id, { eventType: 'Ended', seqNo: 2, stoppedReason: 'EVDisconnected', wh: 3_500 });
  await status(charger, 'Available');
  await shows(party, { state: 'Available', ongoingTransactions: [] });
  await sessionShows(party, id, {
    rfidTag: idTag,
    meterStart: 1_000,
    meterStop: 3_500,
    consumptionWh: 2_500,
    state: 'ended',
    stopReason: 'EVDisconnected',
    missingEvents: [],
  });
}

export async function sessionFromAfar2(party: Party2): Promise<void> {
  const { charger, idTag } = party;
  expect(await command(party, 'start-charging', { socketId: 1, rfidTag: idTag })).toMatchObject({ status: 200 });
  const asked = await charger.nextCall('RequestStartTransaction');
  const { remoteStartId, idToken } = asked;
  expect(asked).toMatchObject({ evseId: 1, idToken: { idToken: idTag, type: 'Central' } });
  const id = 'afar';
  const begun = { eventType: 'Started', seqNo: 0, evse: EVSE, idToken: idToken as Json, remoteStartId, wh: 0 };
  await transaction(charger, id, begun);
  const { transactionId } = await sessionShows(party, id, { state: 'ongoing', startedBy: 'remote' });
  expect(await command(party, 'stop-transaction', { transactionId })).toMatchObject({ status: 200 });
  expect(await charger.nextCall('RequestStopTransaction')).toEqual({ transactionId: id });
  await transaction(charger, id, { eventType: 'Ended', seqNo: 1, stoppedReason: 'Remote', wh: 700 });
  await sessionShows(party, id, { state: 'ended', stopReason: 'Remote', consumptionWh: 700 });
}

/** The variables, a reset with a new connection, and a session that it reports late, out of order. */
export async function resetAndOffline2(party: Party2): Promise<void> {
  const { world, charger, chargerId, idTag } = party;
  const name = 'OCPPCommCtrlr.HeartbeatInterval';
  const read = await command(party, 'variables/read', { variables: [{ name }] });
  expect(read).toMatchObject({ status: 200 });
  expect(JSON.stringify(read.json)).toContain('"value":"300"');
  const body = { variables: [{ name, value: '60' }] };
  const changed = await v2(world, `/chargers/${chargerId}/variables`, { method: 'PATCH', body });
  expect(JSON.stringify(changed.json)).toContain('RebootRequired');
  expect(await command(party, 'reset', { type: 'Soft' })).toMatchObject({ status: 200, json: { status: 'Scheduled' } });
  expect(await charger.nextCall('Reset')).toMatchObject({ type: 'OnIdle' });
  await charger.close();
  await shows(party, { activeConnection: false, state: 'Offline' });
  await connect2(party);
  const boot = { reason: 'ScheduledReset', chargingStation: STATION };
  expect(await charger.call('BootNotification', boot)).toMatchObject({ status: 'Accepted' });
  const id = 'offline';
  const idToken = { idToken: idTag, type: 'ISO14443' };
  await transaction(charger, id, { eventType: 'Ended', seqNo: 2, offline: true, stoppedReason: 'Local', wh: 900 });
  await transaction(charger, id, { eventType: 'Started', seqNo: 0, offline: true, evse: EVSE, idToken, wh: 100 });
  await transaction(charger, id, { eventType: 'Updated', seqNo: 1, offline: true, chargingState: 'Charging', wh: 400 });
  await sessionShows(party, id, { state: 'ended', startedOffline: true, consumptionWh: 800, missingEvents: [] });
  await shows(party, { activeConnection: true, bootReason: 'ScheduledReset', ongoingTransactions: [] });
}

/** Other operations, each as that stack understood it. */
export const COMMANDS_2: readonly (readonly [path: string, body: Json, action: string, payload: Json])[] = [
  ['clear-cache', {}, 'ClearCache', {}],
  ['unlock', { socketId: 1 }, 'UnlockConnector', { evseId: 1, connectorId: 1 }],
  [
    'availability',
    { type: 'Inoperative', socketId: 1 },
    'ChangeAvailability',
    { operationalStatus: 'Inoperative', evse: EVSE },
  ],
  ['trigger-message', { message: 'Heartbeat' }, 'TriggerMessage', { requestedMessage: 'Heartbeat' }],
  ['transaction-status', {}, 'GetTransactionStatus', {}],
];

export async function operations2(party: Party2): Promise<void> {
  for (const [path, body, action, payload] of COMMANDS_2) {
    const { status: answered, text } = await command(party, path, body);
    if (answered !== 200) throw new Error(`${path} gave ${String(answered)}: ${text}`);
    expect({ action, payload: await party.charger.nextCall(action) }).toMatchObject({ action, payload });
  }
}

interface Event {
  readonly eventType: string;
  readonly seqNo: number;
  readonly wh: number;
  readonly offline?: boolean;
  readonly evse?: Json;
  readonly idToken?: Json;
  readonly chargingState?: string;
  readonly stoppedReason?: string;
  readonly remoteStartId?: unknown;
}

const BEGAN_MS = Date.now() - 600_000;

function transaction(charger: ForeignCharger, transactionId: string, event: Event): Promise<Json> {
  const { wh, chargingState, stoppedReason, remoteStartId, seqNo, ...fields } = event;
  const timestamp = event.offline === true ? new Date(BEGAN_MS + seqNo * 60_000).toISOString() : now();
  const info = Object.entries({ chargingState, stoppedReason, remoteStartId }).filter(
    ([, value]) => value !== undefined,
  );
  return charger.call('TransactionEvent', {
    ...fields,
    seqNo,
    timestamp,
    triggerReason: event.idToken === undefined ? 'ChargingStateChanged' : 'Authorized',
    transactionInfo: { transactionId, ...Object.fromEntries(info) },
    meterValue: [{ timestamp, sampledValue: [{ value: wh }] }],
  });
}

async function status(charger: ForeignCharger, connectorStatus: string): Promise<void> {
  const report = { evseId: 1, connectorId: 1, connectorStatus, timestamp: now() };
  expect(await charger.call('StatusNotification', report)).toEqual({});
}

/** Resolves with the session of the charger's transaction, once it is so. */
function sessionShows({ world, chargerId }: Party2, deviceTransactionId: string, expected: Json): Promise<Json> {
  return eventually(async () => {
    const { items } = (await v2(world, `/sessions?chargerIds=${chargerId}`)).json as {
      readonly items: readonly Json[];
    };
    const found = items.find((each) => each['deviceTransactionId'] === deviceTransactionId);
    expect(found).toMatchObject(expected);
    return found;
  });
}

function command({ world, chargerId }: Party2, path: string, body: Json) {
  return v2(world, `/chargers/${chargerId}/${path}`, { method: 'POST', body });
}

function now(): string {
  return new Date().toISOString();
}
