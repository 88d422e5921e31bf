import { protocolOf } from '@busbar/ocpp';
import { minimalPayload } from '@busbar/testing';
import type { Charger } from '@busbar/domain/chargers';
import type { Handler, Report } from '../../pipeline/contract';
import { handle, RECEIVED_AT, type Situation } from '../../testing/handler-situation';
import { createV2Routes } from './routes';

const { calls } = createV2Routes();
const VERSION = 'ocpp2.1';

function actionOf(name: string) {
  const protocol = protocolOf(VERSION);
  const action = protocol?.actions.get(name);
  const schema = protocol?.schemas.get(name)?.request.schema;
  if (action === undefined || schema === undefined) throw new Error(`the version has no ${name}`);
  return { kind: action.kind === 'decision' ? ('decision' as const) : ('report' as const), schema };
}

function handlerOf(name: string): Handler {
  const handler = calls.get(name);
  if (handler === undefined) throw new Error(`${name} has no handler`);
  return handler;
}

/** A charger that sends messages of one action, each on the position and with the envelope that are given. */
function sender(name: string, first: Partial<Charger['reported']> = {}) {
  let reported = first;
  const { kind, schema } = actionOf(name);
  return {
    minimal: minimalPayload(schema),
    send(payload: object, position: Situation['position'] & object, report: Partial<Report<unknown>> = {}) {
      const envelope = { kind, action: name, ocppVersion: VERSION, id: `report-${String(position)}`, ...report };
      const result = handle(handlerOf(name), payload, { reported, position, report: envelope });
      ({ reported } = result.charger);
      return result;
    },
  };
}

const DOCUMENTS = ['deviceStates', 'deviceModels', 'eventStreams'] as const;
const ROWS = ['events', 'meterValues', 'deviceReports', 'stateChanges', ...DOCUMENTS] as const;
const BY_CONTENT = ['BootNotification', 'OpenPeriodicEventStream', 'StatusNotification', 'TransactionEvent'];
const ONCE = [...calls.keys()].filter((name) => !BY_CONTENT.includes(name));

it.each(ONCE)('119. answers %s the same where another gateway had it before, and stores nothing', (name) => {
  const { send, minimal } = sender(name);
  const first = send(minimal, [1, 5]);
  const again = send(minimal, [2, 1]);
  expect(again.answer).toEqual(first.answer);
  expect(ROWS.flatMap((rows): readonly unknown[] => again.rows[rows])).toEqual([]);
  expect([again.emitted, again.charger.reported]).toEqual([[], first.charger.reported]);
  expect([first.isRepeat, again.isRepeat]).toEqual([undefined, true]);
});

it('119. judges the opening of an event stream anew, by the streams that are open then', () => {
  const { send, minimal } = sender('OpenPeriodicEventStream');
  send(minimal, [1, 5]);
  expect(send(minimal, [2, 1]).rows.eventStreams).toHaveLength(1);
});

it('119. stores the effects of each message before', () => {
  const [event, security] = [sender('NotifyEvent'), sender('SecurityEventNotification')];
  expect(event.send(event.minimal, [1, 5]).rows.events).toHaveLength(1);
  const { rows, emitted } = security.send(security.minimal, [1, 5]);
  expect([rows.events.length, emitted.map(({ type }) => type)]).toEqual([1, ['charger.security_event']]);
});

const SECURITY = { type: 'TamperDetectionActivated', timestamp: '2026-06-01T11:59:00Z' };
const LOG = { status: 'Idle' };
const BOOT = { reason: 'PowerUp', chargingStation: { vendorName: 'V', model: 'M' } };

interface Repeat {
  readonly with: string;
  readonly name?: 'LogStatusNotification';
  readonly payload?: object;
  readonly position?: Situation['position'] & object;
  readonly report?: Partial<Report<unknown>>;
  /** New ones. */
  readonly rows: number;
}

const SAME_CONNECTION = [1, 6] as const;
const LOG_STATUS = { name: 'LogStatusNotification', payload: LOG } as const;

it.each<Repeat>([
  { with: 'its time and another id', position: SAME_CONNECTION, report: { messageId: 'n' }, rows: 0 },
  { with: 'its time, an hour later', report: { receivedAt: later(60) }, rows: 0 },
  { with: 'another time', payload: { ...SECURITY, timestamp: RECEIVED_AT }, rows: 1 },
  { with: 'no time and another id', ...LOG_STATUS, report: { messageId: 'n' }, rows: 1 },
  { with: 'no time and its id, on the same connection', ...LOG_STATUS, position: SAME_CONNECTION, rows: 1 },
  { with: 'no time and its id, after nine minutes', ...LOG_STATUS, report: { receivedAt: later(9) }, rows: 0 },
  { with: 'no time and its id, after eleven minutes', ...LOG_STATUS, report: { receivedAt: later(11) }, rows: 1 },
  { with: 'its position, as it is delivered again', ...LOG_STATUS, position: [1, 5], rows: 1 },
])('119. detects a repeat by its content: with $with', (repeat) => {
  const { name = 'SecurityEventNotification', payload = SECURITY, position = [2, 1], report, rows } = repeat;
  const { send } = sender(name);
  send(name === 'LogStatusNotification' ? LOG : SECURITY, [1, 5]);
  expect(send(payload, position, report).rows.events).toHaveLength(rows);
});

function later(minutes: number): string {
  return new Date(Date.parse(RECEIVED_AT) + minutes * 60_000).toISOString();
}

it.each<[string, object, number]>([
  ['a message with its own time', SECURITY, 0],
  ['a message of a clock that is not set', { ...SECURITY, timestamp: '1970-01-01T00:00:09Z' }, 1],
])('119. after a boot in between, has %s as the one before or as a new one', (_title, payload, rows) => {
  const before = sender('SecurityEventNotification').send(payload, [1, 5]);
  const booted = sender('BootNotification', before.charger.reported).send(BOOT, [2, 1]);
  const again = sender('SecurityEventNotification', booted.charger.reported).send(payload, [2, 2]);
  expect(again.rows.events).toHaveLength(rows);
});

it('119. has a message without a time as a new one after a boot, as ids restart', () => {
  const before = sender('LogStatusNotification').send(LOG, [1, 5]);
  const booted = sender('BootNotification', before.charger.reported).send(BOOT, [2, 1]);
  expect(sender('LogStatusNotification', booted.charger.reported).send(LOG, [2, 2]).rows.events).toHaveLength(1);
});

it('119. remembers the last few messages', () => {
  const { send } = sender('LogStatusNotification');
  const sendNth = (n: number, order: number) => send(LOG, [order, n + 1], { messageId: String(n) });
  for (let n = 0; n < 9; n += 1) sendNth(n, 1);
  expect(sendNth(0, 2).rows.events).toHaveLength(1);
  expect(sendNth(2, 2).rows.events).toHaveLength(0);
});

it('115. has each SEND as a new message', () => {
  const { send } = sender('LogStatusNotification');
  send(LOG, [1, 5], { unanswered: true });
  expect(send(LOG, [2, 1], { unanswered: true }).rows.events).toHaveLength(1);
});
