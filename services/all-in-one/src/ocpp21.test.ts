// What OCPP 2.1 adds, of a charger on a real socket, by the v2 API: periodic event streams, dynamic charging profiles, priority charging.
import { eventually } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';

let world: AllInOneWorld;
beforeAll(async () => {
  world = await openAllInOne();
});
afterAll(() => world.close());

type Json = Readonly<Record<string, unknown>>;

async function open(version = 'ocpp2.1') {
  const id = await world.register();
  const charger = await world.connect(id, { subprotocols: [version] });
  await (version === 'ocpp1.6' ? charger.boot() : charger.v2.boot());
  await eventually(() => world.isActive(id));
  const send = async (method: string, path: string, body?: object) => {
    const reply = await world.v2(method, `/chargers/${id}/${path}`, body);
    return { status: reply.status, body: reply.json() as Json & { readonly items: readonly Json[] } };
  };
  return {
    charger,
    send,
    openStream: (stream: number, variableMonitoringId: number, params: object = {}) =>
      charger.call('OpenPeriodicEventStream', {
        constantStreamData: { id: stream, variableMonitoringId, params },
      }),
    notify: (stream: number, values: readonly string[]) =>
      charger.sendUnanswered('NotifyPeriodicEventStream', {
        id: stream,
        pending: 0,
        basetime: '2026-01-01T12:00:00.000Z',
        data: values.map((v, t) => ({ t: t / 2, v })),
      }),
    /** The list as soon as it is so: a SEND has no answer. */
    until: (path: string, isSo: (found: Json & { readonly items: readonly Json[] }) => boolean) =>
      eventually(async () => {
        const { body } = await send('GET', path);
        return isSo(body) && body;
      }),
  };
}

const hasRecords = (totalRecords: number) => (found: Json) => found['totalRecords'] === totalRecords;
const ACCEPTED = { kind: 'result', payload: { status: 'Accepted' } };

it('115. takes NotifyPeriodicEventStream: lists an open stream with its values, until the charger closes it', async () => {
  const { charger, send, openStream, notify, until } = await open();
  const power = { component: { name: 'EVSE', evse: { id: 1 } }, variable: { name: 'Power' } };
  charger.answer('SetVariableMonitoring', () => ({
    setMonitoringResult: [{ ...power, id: 3, type: 'Periodic', severity: 5, status: 'Accepted' }],
  }));
  const stream = { interval: 10, values: 2 };
  const monitor = { type: 'Periodic', value: 1, severity: 5, periodicEventStream: stream };
  await send('POST', 'monitors', { monitors: [{ ...monitor, variable: 'EVSE@1.Power' }] });
  const set = charger.received.findLast(({ action }) => action === 'SetVariableMonitoring');
  expect(set?.payload).toEqual({ setMonitoringData: [{ ...power, ...monitor }] });
  expect(await openStream(7, 3, stream)).toEqual(ACCEPTED);
  await until('monitors', hasRecords(1));
  expect(await until('event-streams', hasRecords(1))).toMatchObject({
    listedAt: null,
    status: null,
    commandId: null,
    items: [{ id: 7, monitorId: 3, name: 'EVSE@1.Power', interval: 10, values: 2, lastValue: null, lastValueAt: null }],
  });
  notify(7, ['11000', '11010.5']);
  notify(7, ['10900']);
  const values = await until('event-streams/7/values', hasRecords(3));
  expect(values).toMatchObject({
    monitorId: 3,
    name: 'EVSE@1.Power',
    items: [
      { at: '2026-01-01T12:00:00.000Z', value: '10900' },
      { at: '2026-01-01T12:00:00.500Z', value: '11010.5' },
      { at: '2026-01-01T12:00:00.000Z', value: '11000' },
    ],
  });
  const page = await send('GET', 'event-streams/7/values?limit=1&page=2');
  expect(page.body).toMatchObject({ items: [{ value: '11010.5' }], hasNextPage: true, hasPreviousPage: true });
  expect((await send('GET', 'event-streams')).body.items).toMatchObject([{ lastValue: '10900' }]);
  await charger.call('ClosePeriodicEventStream', { id: 7 });
  await until('event-streams', hasRecords(0));
  expect((await send('GET', 'event-streams/7/values')).status).toBe(404);
});

it('129. asks the charger for its streams, and adjusts one', async () => {
  const { charger, send, openStream, until } = await open();
  await openStream(1, 3);
  const listed = { id: 2, variableMonitoringId: 4, params: { interval: 60 } };
  charger.answer('GetPeriodicEventStream', () => ({ constantStreamData: [listed] }));
  const refreshed = await send('GET', 'event-streams?refresh=true');
  expect(refreshed).toMatchObject({
    status: 200,
    body: { status: 'Accepted', items: [{ id: 2, monitorId: 4, name: null, interval: 60, values: null }] },
  });
  expect(refreshed.body['listedAt']).not.toBeNull();
  charger.answer('AdjustPeriodicEventStream', () => ({ status: 'Accepted' }));
  const adjusted = await send('PATCH', 'event-streams/2', { values: 5 });
  expect(adjusted).toMatchObject({ status: 200, body: { id: 2, status: 'Accepted' } });
  const sent = charger.received.findLast(({ action }) => action === 'AdjustPeriodicEventStream');
  expect(sent?.payload).toEqual({ id: 2, params: { values: 5 } });
  await until('event-streams', ({ items: [stream] }) => stream?.['interval'] === 60 && stream['values'] === 5);
  charger.answer('GetPeriodicEventStream', () => ({}));
  expect((await send('GET', 'event-streams?refresh=true')).body).toMatchObject({ totalRecords: 0 });
});

it.each([[{}], [{ interval: -1 }], [{ values: 1.5 }], [{ interval: 1, more: 1 }]])(
  'rejects the parameters %j of a stream with 400',
  async (body) => {
    const { send } = await open();
    expect(await send('PATCH', 'event-streams/2', body)).toMatchObject({ status: 400 });
  },
);

it.each(['ocpp1.6', 'ocpp2.0.1'])(
  '167. responds 409 for what only OCPP 2.1 has of a charger of %s',
  async (version) => {
    const { send } = await open(version);
    for (const [method, path, body] of [
      ['GET', 'event-streams'],
      ['GET', 'event-streams?refresh=true'],
      ['GET', 'event-streams/1/values'],
      ['PATCH', 'event-streams/1', { interval: 1 }],
      ['POST', 'charging-profiles/1/schedule', { limit: 16 }],
    ] as const) {
      const refused = await send(method, path, body);
      expect([path, refused]).toMatchObject([path, { status: 409, body: { code: 'not_supported_by_version' } }]);
    }
    if (version === 'ocpp1.6') return;
    const monitor = { variable: 'EVSE@1.Power', type: 'Periodic', value: 1, severity: 5, periodicEventStream: {} };
    expect(await send('POST', 'monitors', { monitors: [monitor] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/monitors/0/periodicEventStream' }] },
    });
  },
);

const DYNAMIC = {
  chargingProfileId: 4,
  stackLevel: 0,
  chargingProfilePurpose: 'TxDefaultProfile',
  chargingProfileKind: 'Dynamic',
  dynUpdateInterval: 30,
  dynUpdateTime: '2026-01-31T12:00:00.000Z',
  chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 10 }] },
};

it('159. updates a dynamic charging profile, and shows the update that the charger accepted last', async () => {
  const { charger, send, until } = await open();
  charger.answer('SetChargingProfile', () => ({ status: 'Accepted' }));
  const set = await send('POST', 'charging-profile', { socketId: 1, chargingProfile: DYNAMIC });
  expect(set).toMatchObject({ status: 200, body: { status: 'Accepted' } });
  const { chargingProfileId: id, chargingSchedule, ...fields } = DYNAMIC;
  expect(charger.received.findLast(({ action }) => action === 'SetChargingProfile')?.payload).toEqual({
    evseId: 1,
    chargingProfile: { id, ...fields, chargingSchedule: [{ id: 1, ...chargingSchedule }] },
  });
  const before = await until('charging-profiles', hasRecords(1));
  expect(before.items).toMatchObject([{ chargingProfileId: 4, chargingProfile: DYNAMIC, scheduleUpdate: null }]);
  const path = 'charging-profiles/4/schedule';
  charger.answer('UpdateDynamicSchedule', () => ({ status: 'Accepted' }));
  const update = { limit: 16, setpoint_L2: -1.5 };
  expect(await send('POST', path, update)).toMatchObject({
    status: 200,
    body: { chargingProfileId: 4, status: 'Accepted' },
  });
  charger.answer('UpdateDynamicSchedule', () => ({ status: 'Rejected' }));
  expect((await send('POST', path, { limit: 6 })).body).toMatchObject({ status: 'Rejected' });
  await until('charging-profiles', ({ items: [profile] }) => profile?.['scheduleUpdate'] !== null);
  expect((await send('GET', 'charging-profiles')).body.items).toMatchObject([{ scheduleUpdate: update }]);
  const pulled = await charger.call('PullDynamicScheduleUpdate', { chargingProfileId: 4 });
  expect(pulled).toMatchObject({ payload: { status: 'Accepted', scheduleUpdate: update } });
  for (const body of [{}, { limit: -1 }, { dischargeLimit: 1 }, { more: 1 }]) {
    expect((await send('POST', path, body)).status).toBe(400);
  }
});

it.each(['ocpp1.6', 'ocpp2.0.1'])(
  '129. refuses a dynamic charging profile at a charger of %s with 400',
  async (version) => {
    const { charger, send } = await open(version);
    for (const [method, path, body] of [
      ['POST', 'charging-profile', { chargingProfile: DYNAMIC }],
      ['POST', 'start-charging', { socketId: 1, rfidTag: 'TAG', chargingProfile: DYNAMIC }],
    ] as const) {
      const refused = await send(method, path, body);
      const errors = refused.body['errors'] as readonly Json[];
      expect([refused.status, errors.map(({ path: at }) => String(at)).toSorted()]).toEqual([
        400,
        ['chargingProfileKind', 'dynUpdateInterval', 'dynUpdateTime'].map((name) => `/chargingProfile/${name}`),
      ]);
    }
    expect(charger.received.map(({ action }) => action)).not.toContain('SetChargingProfile');
  },
);

it('129. lets a session charge with priority by our id of it', async () => {
  const { charger } = await open();
  const event = { transactionId: 'T-P', evse: { id: 1, connectorId: 1 }, idToken: 'TAG' };
  await charger.v2.transaction({ ...event, eventType: 'Started', seqNo: 0 });
  const { transactionId } = await eventually(async () => {
    const { items } = (await world.v2('GET', '/sessions?limit=100')).json() as { readonly items: readonly Json[] };
    return items.find(({ deviceTransactionId }) => deviceTransactionId === 'T-P');
  });
  charger.answer('UsePriorityCharging', () => ({ status: 'NoProfile' }));
  const path = `/sessions/${String(transactionId)}/priority-charging`;
  const used = await world.v2('POST', path, { activate: true });
  expect([used.status, used.json()]).toMatchObject([200, { transactionId, status: 'NoProfile' }]);
  const sent = charger.received.findLast(({ action }) => action === 'UsePriorityCharging');
  expect(sent?.payload).toEqual({ transactionId: 'T-P', activate: true });
  expect((await world.v2('POST', path, {})).status).toBe(400);
  const unknown = await world.v2('POST', '/sessions/999999/priority-charging', { activate: false });
  expect([unknown.status, unknown.json()]).toMatchObject([404, { code: 'not_found' }]);
});
