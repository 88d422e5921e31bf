// Tests which events each message of OCPP 1.6 makes, in which order, and that each fits its schema.
import { EVENT_TYPES, eventSchema, exampleEvent } from '@busbar/contracts';
import type { EventName, FeedEvent, ReportEnvelope } from '@busbar/contracts';
import { schemaIssues } from '@busbar/http/testing';
import { noRows } from '@busbar/domain/reports';
import type { Charger } from '@busbar/domain/chargers';
import type { Session } from '@busbar/domain/sessions';
import { createBatchEvents } from '../../feed/batch-events';
import { fold } from '../../pipeline/fold';
import { lookupsOf } from '../../pipeline/lookups';
import { chargerWith, RECEIVED_AT, secondsBefore, sessionWith } from '../../testing/handler-situation';
import { createRouter } from '../router';
import { ongoingOf } from './meter-values';
import { createV16Routes } from './routes';

interface Given {
  readonly charger?: Charger;
  readonly sessions?: readonly Session[];
}

const CONNECTED = connected(chargerWith({}));
const seen = new Set<EventName>();

function connected(charger: Charger, over: Partial<Charger['connection']> = {}): Charger {
  const ids = { gatewayId: 'g', connectionId: 'connection-1', ocppVersion: 'ocpp1.6' };
  const open = { active: true, ...ids, since: secondsBefore(900), position: [1, 1] as const, replaced: null };
  return { ...charger, connection: { ...open, ...over } };
}

/** The events of one message, as a reader gets them. */
function eventsOf(over: Partial<ReportEnvelope>, { charger = CONNECTED, sessions = [] }: Given = {}): FeedEvent[] {
  const { chargerId, incarnationId } = charger;
  const report: ReportEnvelope = {
    v: 1,
    id: 'report-1',
    kind: 'report',
    chargerId,
    incarnationId,
    connectionId: 'connection-1',
    gatewayId: 'g',
    order: 1,
    seq: 5,
    ocppVersion: 'ocpp1.6',
    action: '',
    messageId: '7',
    payload: {},
    raw: '[]',
    receivedAt: RECEIVED_AT,
    ...over,
  };
  const newIds = { get: () => 77 };
  const lookups = lookupsOf({ tags: [], sessions, openClients: new Set(['client']), newIds, deviceStates: [] });
  const events = createBatchEvents(() => 'GARAGE');
  const position = [report.order, report.seq] as const;
  const settings = {
    route: createRouter({ 'ocpp1.6': createV16Routes() }),
    heartbeatIntervalS: 300,
    isDeadGateway: (gatewayId: string) => gatewayId === 'dead',
    now: () => new Date(RECEIVED_AT),
  };
  fold(
    charger,
    report,
    { lookups, rows: noRows(), contested: [], events, position, heartbeatIntervalS: 300 },
    settings,
  );
  const made = JSON.parse(`[${events.byCharger.get(chargerId)?.items ?? ''}]`) as FeedEvent[];
  for (const event of made) {
    seen.add(event.type);
    expect([event.type, schemaIssues(eventSchema(event.type), event)]).toEqual([event.type, []]);
  }
  return made;
}

const call = (action: string, payload: object, given?: Given): FeedEvent[] =>
  eventsOf({ kind: 'decision', action, payload }, given);
const typesOf = (events: readonly FeedEvent[]): string[] => events.map(({ type }) => type);
const statusOf = (status: string, errorCode = 'NoError') => ({
  connectorId: 1,
  status,
  errorCode,
  timestamp: RECEIVED_AT,
});
const withSocket = (state: 'Available' | 'Charging', errorCode = ''): Charger => {
  const status = { state, errorCode, info: '', vendorErrorCode: '', at: secondsBefore(60), position: [1, 2] as const };
  return connected(chargerWith({ sockets: { '1': status }, ownState: state }));
};
const session = sessionWith();
const CHARGING: Given = {
  charger: connected(chargerWith({ ongoing: { '1': ongoingOf(session, [1, 2]) } })),
  sessions: [session],
};
const START = { connectorId: 1, idTag: 'Tag', meterStart: 200, timestamp: RECEIVED_AT };
const STOP = { transactionId: 7, meterStop: 900, timestamp: RECEIVED_AT };
const SAMPLE = { timestamp: secondsBefore(5), sampledValue: [{ value: '1.50', unit: 'kWh' as const }] };
const OPENED = { kind: 'connected' as const, raw: '', payload: null, order: 2, seq: 1, connectionId: 'connection-2' };

describe('an event', () => {
  it.each(Object.keys(EVENT_TYPES) as EventName[])('has an example that fits its schema: %s', (name) => {
    const { data, ...rest } = exampleEvent(name);
    expect(schemaIssues(eventSchema(name), { ...rest, data })).toEqual([]);
    expect(schemaIssues(eventSchema(name), rest)).not.toEqual([]);
    expect(schemaIssues(eventSchema(name), { ...rest, data: { ...data, more: 1 } })).not.toEqual([]);
  });

  it('has the next sequence of its charger, which its id repeats', () => {
    const outbox = { page: 3, items: '{}', first: 6, next: 8 };
    const [first, second] = call('StatusNotification', statusOf('Charging'), { charger: { ...CONNECTED, outbox } });
    expect([first, second]).toMatchObject([
      { id: 'evt_CHARGER-1_8', sequence: 8, chargerId: 'CHARGER', siteId: 1, externalSiteId: 'GARAGE' },
      { id: 'evt_CHARGER-1_9', sequence: 9, timestamp: RECEIVED_AT },
    ]);
  });
});

describe('a status', () => {
  it.each([
    [
      'a change of its socket and its charger with another state',
      'Charging',
      'NoError',
      ['socket.state_changed', 'charger.state_changed'],
    ],
    ['a change of its socket with another error code', 'Available', 'HighTemperature', ['socket.state_changed']],
    ['a report alone with nothing new', 'Available', 'NoError', ['socket.state_reported']],
  ])('makes %s', (_what, state, errorCode, types) => {
    const events = call('StatusNotification', statusOf(state, errorCode), { charger: withSocket('Available') });
    expect(typesOf(events)).toEqual(types);
    expect(events[0]?.data).toMatchObject({ socketId: 1, previousState: 'Available', deviceTime: RECEIVED_AT });
  });

  it('51. makes a report, and no change, when it is older than the stored one', () => {
    const old = { ...statusOf('Charging'), timestamp: secondsBefore(3_600) };
    expect(typesOf(call('StatusNotification', old, { charger: withSocket('Available') }))).toEqual([
      'socket.state_reported',
    ]);
  });

  it('makes none when the record contains its message already', () => {
    expect(
      eventsOf(
        { action: 'StatusNotification', payload: statusOf('Charging') },
        { charger: { ...CONNECTED, applied: [[1, 5]] } },
      ),
    ).toEqual([]);
  });
});

describe('a session', () => {
  it('makes one when it starts', () => {
    const events = call('StartTransaction', START);
    expect(events).toMatchObject([
      { type: 'session.started', data: { transactionId: 77, rfidTag: 'Tag', offline: false } },
    ]);
  });

  it('makes none when its start is sent again', () => {
    const starts = { day: RECEIVED_AT.slice(0, 10), count: 1, refused: 0, lastTransactionId: 77 };
    expect(call('StartTransaction', START, { charger: connected(chargerWith({ starts })) })).toEqual([]);
  });

  it('makes its end before the start of the session that supersedes it', () => {
    const events = call('StartTransaction', START, CHARGING);
    expect(typesOf(events)).toEqual(['session.ended', 'session.started']);
    expect(events[0]?.data).toMatchObject({ transactionId: 7, superseded: true, endTime: null, meterStop: null });
    // Its operator has ended it, and was interrupted before it left the record.
    const ended = { ...session, state: 'ended' as const, endedBy: 'operator' as const, endTime: RECEIVED_AT };
    const [first] = call('StartTransaction', START, { ...CHARGING, sessions: [ended] });
    expect(first).toMatchObject({ type: 'session.ended', data: { superseded: false, endTime: RECEIVED_AT } });
  });

  it('makes its end behind the meter values of its stop', () => {
    const events = call('StopTransaction', { ...STOP, transactionData: [SAMPLE] }, CHARGING);
    expect(typesOf(events)).toEqual(['meter.values', 'session.ended']);
    expect(events[1]?.data).toMatchObject({ transactionId: 7, meterStop: 900, consumptionWh: 800, superseded: false });
  });

  it('makes its events by the redelivery where its row was stored without its record', () => {
    const ended = {
      ...session,
      state: 'ended' as const,
      endTime: RECEIVED_AT,
      meterStop: 900,
      consumptionWh: 800,
      stopReason: 'Local',
      stopReportId: 'report-1',
    };
    expect(typesOf(call('StopTransaction', STOP, { ...CHARGING, sessions: [ended] }))).toEqual(['session.ended']);
    // Its start came through an older connection, so the record never showed it.
    expect(typesOf(call('StopTransaction', STOP, { sessions: [ended] }))).toEqual(['session.ended']);
    const superseded = { ...session, state: 'superseded' as const };
    expect(typesOf(call('StartTransaction', START, { ...CHARGING, sessions: [superseded] }))).toEqual([
      'session.ended',
      'session.started',
    ]);
  });

  it('makes its end by another stop where the process died with the row stored and the record not', () => {
    const ended = {
      ...session,
      state: 'ended' as const,
      endedBy: 'charger' as const,
      endTime: RECEIVED_AT,
      meterStop: 900,
      stopReportId: 'first',
    };
    const [event, ...others] = call('StopTransaction', STOP, { ...CHARGING, sessions: [ended] });
    expect([event?.type, event?.data, others]).toMatchObject([
      'session.ended',
      { transactionId: 7, meterStop: 900 },
      [],
    ]);
    // The record has forgotten the session with that event.
    expect(call('StopTransaction', STOP, { sessions: [ended] })).toEqual([]);
  });

  it('makes none when its stop is sent again, or is unknown', () => {
    const ended = { ...session, state: 'ended' as const, endTime: RECEIVED_AT, meterStop: 900, stopReportId: 'first' };
    expect(call('StopTransaction', STOP, { sessions: [ended] })).toEqual([]);
    expect(call('StopTransaction', STOP, { ...CHARGING, sessions: [ended] })).toEqual([]);
    expect(call('StopTransaction', STOP)).toEqual([]);
  });

  it('makes its start when meter values bring it into the record', () => {
    const payload = { connectorId: 1, transactionId: 7, meterValue: [SAMPLE] };
    expect(typesOf(call('MeterValues', payload, { sessions: [session] }))).toEqual(['meter.values', 'session.started']);
    expect(typesOf(call('MeterValues', payload, CHARGING))).toEqual(['meter.values']);
  });
});

describe('a message of meter values', () => {
  it('makes one with the values as sent', () => {
    const [event] = call('MeterValues', { connectorId: 1, meterValue: [SAMPLE] });
    const left = { measurand: null, phase: null, context: null, location: null };
    const measurements = [{ deviceTime: secondsBefore(5), value: '1.50', unit: 'kWh', ...left }];
    expect(event?.data).toEqual({ transactionId: null, socketId: 1, measurements });
  });

  it('makes one without the values, and marked, for more than 16 kB', () => {
    const many = { ...SAMPLE, sampledValue: Array.from({ length: 500 }, () => ({ value: '1' })) };
    const [event] = call('MeterValues', { connectorId: 1, meterValue: [many] });
    expect(event?.data).toEqual({ transactionId: null, socketId: 1, measurements: [], truncated: true });
  });
});

describe('a connection', () => {
  it('makes its connect and the state of its charger when it becomes active', () => {
    const events = eventsOf(OPENED, { charger: chargerWith({}) });
    expect(events).toMatchObject([
      { type: 'charger.connected', data: { replaced: false, ocppVersion: 'ocpp1.6', connectedSince: RECEIVED_AT } },
      { type: 'charger.state_changed', data: { state: 'Booting', previousState: 'Offline' } },
    ]);
  });

  it('makes its connect alone when it replaces one', () => {
    expect(eventsOf(OPENED)).toMatchObject([{ type: 'charger.connected', data: { replaced: true } }]);
  });

  it('makes none when its gateway announces it again', () => {
    const again = { ...OPENED, order: 1, seq: 9, connectionId: 'connection-1', gatewayId: 'g2' };
    expect(eventsOf(again)).toEqual([]);
  });

  it.each([
    ['closes', { kind: 'disconnected' as const, raw: '', payload: null }, 'closed'],
    ['is replaced by one of a dead gateway', { ...OPENED, gatewayId: 'dead' }, 'lapsed'],
  ])('makes its disconnect when it %s', (_what, report, reason) => {
    expect(eventsOf(report, { charger: withSocket('Available') })).toMatchObject([
      { type: 'charger.disconnected', data: { reason, sockets: [{ socketId: 1, state: 'Offline' }] } },
      { type: 'charger.state_changed', data: { state: 'Offline', previousState: 'Available' } },
    ]);
  });
});

describe('another message', () => {
  const outcome = (payload: object) =>
    eventsOf({ kind: 'outcome', action: 'Reset', commandId: 'command-1', request: '[]', payload });

  it.each([
    [{ outcome: 'answered', payload: { status: 'Rejected' } }, 'Rejected'],
    [{ outcome: 'answered', payload: {} }, 'answered'],
    [{ outcome: 'error', code: 'NotSupported', description: '' }, 'charger_error'],
    [{ outcome: 'invalid_answer', description: '' }, 'charger_invalid_answer'],
    [{ outcome: 'timeout' }, 'charger_timeout'],
    [{ outcome: 'disconnected' }, 'charger_disconnected'],
    [{ outcome: 'not_here' }, 'charger_offline'],
    [{ outcome: 'busy' }, 'charger_busy'],
  ])('makes command.completed of %j with the outcome %s', (payload, name) => {
    const data = { commandId: 'command-1', operation: 'Reset', outcome: name };
    expect(outcome(payload)).toMatchObject([{ type: 'command.completed', data }]);
  });

  it('makes charger.certificate_refused where the charger rejects its certificate', () => {
    const payload = { outcome: 'answered', payload: { status: 'Rejected' } };
    const events = eventsOf({ kind: 'outcome', action: 'CertificateSigned', request: '[]', payload });
    const data = { outcome: 'Rejected', certificateType: null };
    expect(events).toMatchObject([{ type: 'charger.certificate_refused', data }, { type: 'command.completed' }]);
  });

  it.each<[string, string, object, object]>([
    [
      'charger.booted',
      'BootNotification',
      { chargePointVendor: 'V', chargePointModel: 'M', firmwareVersion: '2' },
      { manufacturer: 'V', firmware: '2', previousFirmware: null },
    ],
    [
      'tag.checked',
      'Authorize',
      { idTag: 'Tag' },
      { rfidTag: 'Tag', verdict: 'accepted', source: 'open', tookMs: null },
    ],
    [
      'charger.firmware_status',
      'FirmwareStatusNotification',
      { status: 'Installed' },
      { status: 'Installed', requestId: null },
    ],
    [
      'charger.firmware_status',
      'SignedFirmwareStatusNotification',
      { status: 'Installed', requestId: 3 },
      { requestId: 3 },
    ],
    ['charger.diagnostics_status', 'DiagnosticsStatusNotification', { status: 'Uploaded' }, { status: 'Uploaded' }],
    ['charger.diagnostics_status', 'LogStatusNotification', { status: 'Uploaded', requestId: 4 }, { requestId: 4 }],
    [
      'charger.security_event',
      'SecurityEventNotification',
      { type: 'T', timestamp: RECEIVED_AT },
      { type: 'T', techInfo: null, deviceTime: RECEIVED_AT },
    ],
    [
      'charger.data_transfer',
      'DataTransfer',
      { vendorId: 'v', data: '{"password":"x"}' },
      { vendorId: 'v', messageId: null, data: '{"password":"***"}' },
    ],
  ])('makes %s of %s', (type, action, payload, data) => {
    expect(call(action, payload)).toMatchObject([{ type, data }]);
  });

  it('bounds what a vendor sends', () => {
    const [event] = call('DataTransfer', { vendorId: 'v', data: 'x'.repeat(50_000) });
    expect(event?.data).toMatchObject({ vendorId: 'v', data: 'x'.repeat(200), truncated: true });
  });

  it('makes none of a heartbeat, or of a frame that was refused', () => {
    expect(call('Heartbeat', {})).toEqual([]);
    expect(eventsOf({ kind: 'log_only', payload: null })).toEqual([]);
  });
});

/** Made by the APIs, by the expiry of a lease, or by the delivery of webhooks. */
const OF_OTHERS: readonly EventName[] = [
  'charger.created',
  'charger.updated',
  'charger.deleted',
  'webhook.disabled',
  'webhook.test',
];

it('makes every type that a charger of OCPP 1.6 causes', () => {
  const names = (Object.keys(EVENT_TYPES) as EventName[]).filter((name) => !OF_OTHERS.includes(name));
  expect([...seen].sort()).toEqual(names.sort());
});
