import { EVENT_TYPES, exampleEvent, type EventData, type EventName, type FeedEvent } from '@busbar/contracts';
import { CHARGING_STATES } from '../../chargers/reported-status';
import { PUSH_KINDS, type PushKind } from '../webhook';
import { pushEventTypes, pushMessages, type PushFormat } from './push-messages';
import type { PushedCharger } from './pushed-charger';

const CHARGER: PushedCharger = {
  pushIntegrationEnabled: true,
  integrationRelays: [],
  sockets: [{ id: 1, name: 'Left' }, { id: 2 }],
};
const WEBHOOK = { description: 'Billing', types: PUSH_KINDS };
const ID = 'evt_01J9Z3N5V7C8R2K4M6P8Q0S2T4_830';
const RECEIVED = '2026-01-31T11:42:10.417Z';
const V2 = `"receivedTimestamp":"${RECEIVED}","siteId":"12","externalSiteId":"GARAGE-NORTH"`;
const NAMES = Object.keys(EVENT_TYPES) as EventName[];

function eventOf<Name extends EventName>(name: Name, data: Partial<EventData<Name>> = {}): FeedEvent<Name> {
  const event = exampleEvent(name);
  return { ...event, data: { ...event.data, ...data } };
}

function bodiesOf(format: PushFormat, event: FeedEvent, types: readonly PushKind[] = PUSH_KINDS): readonly string[] {
  return pushMessages(format, event, CHARGER, { ...WEBHOOK, types }).map(({ body }) => body);
}

const CASES: readonly (readonly [PushKind, PushFormat, EventName, string])[] = [
  [
    'ChargerState',
    'push-v1',
    'socket.state_changed',
    `{"chargerId":"ACME-17","socketId":1,"timeStamp":"${RECEIVED}","status":"Charging","errorCode":"NoError","message":""}`,
  ],
  [
    'ChargerState',
    'push-v2',
    'socket.state_changed',
    `{"chargerId":"ACME-17","socketId":1,${V2},"deviceTimeStamp":"2026-01-31T11:42:10.000Z","status":"Charging","errorCode":"NoError","message":""}`,
  ],
  [
    'ChargerState',
    'push-v1',
    'socket.state_reported',
    `{"chargerId":"ACME-17","socketId":1,"timeStamp":"${RECEIVED}","status":"Charging","errorCode":"NoError","message":""}`,
  ],
  [
    'ChargerState',
    'push-v2',
    'socket.state_reported',
    `{"chargerId":"ACME-17","socketId":1,${V2},"deviceTimeStamp":"2026-01-31T11:42:10.000Z","status":"Charging","errorCode":"NoError","message":""}`,
  ],
  [
    'ChargerState',
    'push-v1',
    'charger.connected',
    `{"chargerId":"ACME-17","socketId":1,"timeStamp":"${RECEIVED}","status":"Available","errorCode":"NoError","message":""}`,
  ],
  [
    'ChargerState',
    'push-v2',
    'charger.connected',
    `{"chargerId":"ACME-17","socketId":1,${V2},"deviceTimeStamp":"${RECEIVED}","status":"Available","errorCode":"NoError","message":""}`,
  ],
  [
    'ChargerState',
    'push-v1',
    'charger.disconnected',
    `{"chargerId":"ACME-17","socketId":1,"timeStamp":"${RECEIVED}","status":"Offline","errorCode":"NoError","message":""}`,
  ],
  [
    'ChargerState',
    'push-v2',
    'charger.disconnected',
    `{"chargerId":"ACME-17","socketId":1,${V2},"deviceTimeStamp":"${RECEIVED}","status":"Offline","errorCode":"NoError","message":""}`,
  ],
  [
    'ChargerBoot',
    'push-v1',
    'charger.booted',
    `{"chargerId":"ACME-17","timeStamp":"${RECEIVED}","serialNumber":"A-17","chargerModel":"Wall 22","manufacturer":"ACME","firmwareVersion":"2.4.1","iccid":"","imsi":"","meterSerialNumber":"","meterType":""}`,
  ],
  [
    'ChargerBoot',
    'push-v2',
    'charger.booted',
    `{"chargerId":"ACME-17",${V2},"serialNumber":"A-17","chargerModel":"Wall 22","manufacturer":"ACME","firmwareVersion":"2.4.1","iccid":"","imsi":"","meterSerialNumber":"","meterType":""}`,
  ],
  [
    'ChargingTransaction',
    'push-v1',
    'session.started',
    `{"chargerId":"ACME-17","socketId":1,"timeStamp":"${RECEIVED}","action":"transaction_start","transactionId":4711,"authorizedIdTag":"04A2B3","meterRead":10500}`,
  ],
  [
    'ChargingTransaction',
    'push-v2',
    'session.started',
    `{"chargerId":"ACME-17","socketId":1,"socketName":"Left",${V2},"deviceTimeStamp":"2026-01-31T11:42:10.000Z","action":"transaction_start","transactionId":"4711","authorizedIdTag":"04A2B3","meterRead":10500}`,
  ],
  [
    'ChargingTransaction',
    'push-v1',
    'session.ended',
    `{"chargerId":"ACME-17","socketId":1,"timeStamp":"${RECEIVED}","action":"transaction_stop","transactionId":4711,"authorizedIdTag":"04A2B3","meterRead":18200}`,
  ],
  [
    'FullChargingTransaction',
    'push-v1',
    'session.ended',
    `{"chargerId":"ACME-17","socketId":1,"timeStampStart":"2026-01-31T11:42:10.000Z","timeStampEnd":"2026-01-31T12:30:00.000Z","transactionId":4711,"authorizedIdTag":"04A2B3","meterReadStart":10500,"meterReadEnd":18200,"consumptionWh":7700}`,
  ],
  [
    'FullChargingTransaction',
    'push-v2',
    'session.ended',
    `{"chargerId":"ACME-17","socketId":1,${V2},"deviceTimeStampStart":"2026-01-31T11:42:10.000Z","deviceTimeStampEnd":"2026-01-31T12:30:00.000Z","transactionId":"4711","authorizedIdTag":"04A2B3","meterReadStart":10500,"meterReadEnd":18200,"consumptionWh":7700,"action":"transaction_stop"}`,
  ],
  ...(['push-v1', 'push-v2'] as const).map(
    (format) =>
      [
        'Measurements',
        format,
        'meter.values',
        `{"chargerId":"ACME-17","socketId":1,"timeStamp":"${RECEIVED}","transactionId":"4711","measurements":[{"deviceTimeStamp":"2026-01-31T12:00:00.000Z","value":"12650","typeOfMeasurement":"Energy.Active.Import.Register","phase":"","unit":"Wh"}]}`,
      ] as const,
  ),
];

it.each(CASES)('sends %s in %s for %s', (kind, format, name, body) => {
  expect(bodiesOf(format, exampleEvent(name), [kind])).toEqual([body]);
});

it.each(['push-v1', 'push-v2'] as const)('makes no message in %s of other events and kinds', (format) => {
  const made = NAMES.flatMap((name) =>
    PUSH_KINDS.flatMap((kind) => bodiesOf(format, exampleEvent(name), [kind]).map(() => [kind, format, name])),
  );
  const expected = CASES.filter(([, of]) => of === format).map(([kind, , name]) => [kind, format, name]);
  expect(made).toHaveLength(expected.length);
  expect(made).toEqual(expect.arrayContaining(expected));
});

it.each(PUSH_KINDS)('names the types of events that make %s', (kind) => {
  const sources = CASES.filter(([each]) => each === kind).map(([, , name]) => name);
  expect([...pushEventTypes([kind])].sort()).toEqual([...new Set(sources)].sort());
});

it('sends one ChargerState for each socket, with ids that are the same at each attempt', () => {
  const sockets = CHARGING_STATES.map((state, index) => ({ socketId: index + 1, state }));
  const messages = pushMessages('push-v2', eventOf('charger.connected', { sockets }), CHARGER, WEBHOOK);
  expect(messages.map(({ id }) => id)).toEqual([
    ID,
    ...CHARGING_STATES.slice(1).map((_, n) => `${ID}-${String(n + 2)}`),
  ]);
  expect(messages.map(({ body }) => JSON.parse(body) as unknown)).toEqual(
    sockets.map(({ socketId, state }): unknown =>
      expect.objectContaining({ socketId, status: state, errorCode: 'NoError' }),
    ),
  );
});

it('sends the stop of a session before the whole session in v1, and only that in v2', () => {
  const ended = pushMessages('push-v1', exampleEvent('session.ended'), CHARGER, WEBHOOK);
  expect(ended.map(({ id, body }) => [id, body.includes('transaction_stop')])).toEqual([
    [ID, true],
    [`${ID}-2`, false],
  ]);
  expect(pushMessages('push-v2', exampleEvent('session.ended'), CHARGER, WEBHOOK)).toHaveLength(1);
});

it('adds no header', () => {
  expect(pushMessages('push-v2', exampleEvent('charger.booted'), CHARGER, WEBHOOK)[0]?.headers).toEqual({});
});

it.each(CHARGING_STATES)('sends the state %s as it is', (state) => {
  expect(bodiesOf('push-v1', eventOf('socket.state_changed', { state }))[0]).toContain(`"status":"${state}"`);
});

it('sends the error code and the text of a status of the charger itself', () => {
  const event = eventOf('socket.state_changed', { socketId: 0, errorCode: 'GroundFailure', info: 'RCD "B"' });
  expect(JSON.parse(bodiesOf('push-v2', event)[0] ?? '')).toMatchObject({
    socketId: 0,
    errorCode: 'GroundFailure',
    message: 'RCD "B"',
  });
});

it('sends empty texts for what is unknown, and the time of receipt for a missing time of the charger', () => {
  const state = { ...eventOf('socket.state_changed', { deviceTime: null }), siteId: null, externalSiteId: null };
  expect(JSON.parse(bodiesOf('push-v2', state)[0] ?? '')).toMatchObject({
    siteId: '',
    externalSiteId: null,
    deviceTimeStamp: RECEIVED,
  });
  const empty = { deviceTime: null, measurand: null, phase: null, unit: null, context: null, location: null };
  const measured = { transactionId: null, socketId: 2, measurements: [{ value: '1.50', ...empty }] };
  expect(JSON.parse(bodiesOf('push-v1', eventOf('meter.values', measured))[0] ?? '')).toEqual({
    chargerId: 'ACME-17',
    socketId: 2,
    timeStamp: RECEIVED,
    transactionId: '',
    measurements: [{ deviceTimeStamp: RECEIVED, value: '1.50', typeOfMeasurement: '', phase: '', unit: '' }],
  });
});

it.each([2, 3])('has an empty name of socket %i, which has none', (socketId) => {
  expect(bodiesOf('push-v2', eventOf('session.started', { socketId }))[0]).toContain('"socketName":""');
});

it('has null for the readings of a session that ended without any', () => {
  const event = eventOf('session.ended', { meterStop: null, consumptionWh: null });
  expect(JSON.parse(bodiesOf('push-v2', event)[0] ?? '')).toMatchObject({ meterReadEnd: null, consumptionWh: null });
  expect(JSON.parse(bodiesOf('push-v1', event)[0] ?? '')).toMatchObject({ meterRead: null });
});

it.each<[string, FeedEvent]>([
  ['refused start', eventOf('session.started', { verdict: 'blocked' })],
  ['refused end', eventOf('session.ended', { verdict: 'unknown' })],
  ['superseded session with an end', eventOf('session.ended', { superseded: true })],
  [
    'superseded session',
    eventOf('session.ended', { superseded: true, endTime: null, meterStop: null, consumptionWh: null }),
  ],
])('leaves out a %s', (_name, event) => {
  expect(bodiesOf('push-v1', event)).toEqual([]);
  expect(bodiesOf('push-v2', event)).toEqual([]);
});

it.each<[boolean, readonly string[], boolean]>([
  [false, [], false],
  [false, ['Billing'], false],
  [true, [], true],
  [true, ['Billing'], true],
  [true, ['Monitoring', 'Billing'], true],
  [true, ['Monitoring'], false],
  [true, ['billing'], false],
  [true, [''], false],
])(
  'with pushIntegrationEnabled %j and integrationRelays %j sends: %j',
  (pushIntegrationEnabled, integrationRelays, sent) => {
    const charger = { ...CHARGER, pushIntegrationEnabled, integrationRelays };
    expect(pushMessages('push-v1', exampleEvent('charger.booted'), charger, WEBHOOK)).toHaveLength(sent ? 1 : 0);
  },
);
