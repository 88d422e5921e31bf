import type { Session } from '@busbar/domain/sessions';
import fc from 'fast-check';
import { handle, RECEIVED_AT, secondsBefore, type Situation } from '../../testing/handler-situation';
import {
  ALL,
  CHARGING,
  createStored,
  ENDED,
  event,
  EVSE,
  IDLE,
  register,
  sendAll,
  STARTED,
  TAGS,
  TOKEN,
  type Payload,
  without,
} from '../../testing/stored-transactions';
import { meterValues } from './meter-values';
import { transactionEvent } from './transaction-event';

const DAY = RECEIVED_AT.slice(0, 10);

/** A remote start of the tag at EVSE 1 that the charger accepted a minute ago. */
const ORDER = { commandId: 'command-1', idTagKey: 'tag', socketId: 1, remoteStartId: 4_711, at: secondsBefore(60) };

/** What a session shows, without what depends on the receipt, such as the orders that its charger had when its token came. */
function shown({ device, authorizedBy, ...session }: Session) {
  const { revision, facts, ...rest } = device ?? {};
  expect([typeof revision, typeof facts]).toEqual(['number', 'object']);
  expect(['own', 'remote_start']).toContain(authorizedBy);
  const { stopReportId, ...parts } = session;
  expect(stopReportId === undefined || typeof stopReportId === 'string').toBe(true);
  return { ...parts, device: rest };
}

describe('TransactionEvent', () => {
  it('139. begins a session with an id of ours, and ends it', () => {
    const stored = createStored();
    const begun = stored.send(STARTED);
    expect(begun.emitted.map(({ type }) => type)).toEqual(['session.started', 'meter.values', 'socket.state_changed']);
    expect(begun.answer).toEqual({ idTokenInfo: { status: 'Accepted' } });
    expect(stored.reported().ongoing?.['1']).toMatchObject({ transactionId: 77, idTag: 'TAG', device: { id: 'T-1' } });
    stored.send(CHARGING);
    const ended = stored.send(ENDED);
    expect(ended.emitted.map(({ type }) => type)).toContain('session.ended');
    expect(stored.reported().ongoing).toEqual({});
    expect(stored.only()).toMatchObject({
      transactionId: 77,
      socketId: 1,
      idTag: 'TAG',
      state: 'ended',
      endedBy: 'charger',
      startTime: secondsBefore(600),
      endTime: secondsBefore(420),
      stopReason: 'EVDisconnected',
      meterStart: 1_000,
      meterStop: 9_000,
      consumptionWh: 8_000,
      verdict: 'accepted',
      device: { id: 'T-1', evseId: 1, connectorId: 1, idTokenType: 'Central', startKnown: true, missingEvents: [2] },
    });
  });

  const BLOCKED = { tags: [{ ...TAGS[0], blocked: true }] };
  const changed = (one: Payload, parts: Partial<Payload>) =>
    ALL.map((each) => (each === one ? { ...each, ...parts } : each));
  const WITHOUT_METER = ALL.map((payload) => without(payload, 'meterValue'));
  it.each<[string, readonly Payload[], Situation]>([
    ['an accepted token', ALL, {}],
    ['a blocked token, of a charger that charges all the same', ALL, BLOCKED],
    ['a blocked token, of a charger that does not charge', WITHOUT_METER.filter(({ seqNo }) => seqNo !== 1), BLOCKED],
    ['a blocked token, of a charger that has no meter', WITHOUT_METER, BLOCKED],
    [
      'a remote start that a later event names',
      changed(CHARGING, { transactionInfo: { ...CHARGING.transactionInfo, remoteStartId: 5 } }),
      { reported: { awaitedStarts: [{ ...ORDER, remoteStartId: 5 }] } },
    ],
    [
      'a remote stop that only the trigger of an event names',
      changed(IDLE, { triggerReason: 'RemoteStop' }),
      { reported: { awaitedStops: [{ commandId: 'command-2', transactionId: 77, at: secondsBefore(500) }] } },
    ],
    ['two tokens', changed(IDLE, { idToken: { idToken: 'OTHER', type: 'Central' } }), {}],
  ])(
    '64. gives the same session in any order of its events; 140. each any number of times, with %s',
    (_title, all, situation) => {
      const expected = shown(sendAll(all, situation).only());
      fc.assert(
        fc.property(
          fc.shuffledSubarray([...all], { minLength: all.length }),
          fc.array(fc.constantFrom(...all), { maxLength: 4 }),
          (order, again) => {
            const stored = sendAll([...order, ...again], situation);
            expect(stored.sessions()).toHaveLength(1);
            expect(shown(stored.only())).toEqual(expected);
            expect(stored.reported().ongoing).toEqual({});
            expect(stored.reported().awaitedStops ?? []).toEqual([]);
          },
        ),
      );
    },
  );

  it('141. answers a repeated event the same, and stores nothing', () => {
    const stored = createStored();
    const { answer } = stored.send(STARTED);
    const again = stored.send(STARTED);
    expect(again.answer).toEqual(answer);
    expect([again.rows.sessions, again.rows.transactions, again.rows.stateChanges, again.emitted.length]).toEqual([
      [],
      [],
      [],
      1,
    ]);
  });

  it.each([
    ['after its start', [STARTED, ENDED]],
    ['before its start', [ENDED, STARTED]],
  ])('58. changes nothing by an end that came %s and is sent again', (_title, payloads) => {
    const stored = sendAll(payloads);
    const session = stored.only();
    const { rows } = stored.send(ENDED);
    expect([rows.sessions, rows.transactions, rows.stateChanges]).toEqual([[], [], []]);
    expect(stored.only()).toEqual(session);
    expect(session).toMatchObject({ state: 'ended' });
  });

  it.each([
    ['Updated', CHARGING, 540, 'ongoing'],
    ['Ended', ENDED, 420, 'ended'],
  ] as const)('143. begins a session of an unknown id by %s, without its start', (_title, payload, seconds, state) => {
    const stored = sendAll([payload]);
    expect(stored.only()).toMatchObject({
      state,
      startTime: secondsBefore(seconds),
      meterStart: null,
      consumptionWh: null,
      socketId: 0,
      device: { startKnown: false },
    });
  });

  it('143. never ends the session of another id', () => {
    const stored = sendAll([STARTED, { ...ENDED, transactionInfo: { transactionId: 'T-2' } }]);
    expect(stored.sessions().map(({ state }) => state)).toEqual(['ongoing', 'ended']);
    expect(stored.reported().ongoing?.['1']).toMatchObject({ transactionId: 77 });
  });

  it('141. counts a number that another event has, and no event that is sent twice', () => {
    const stored = sendAll([STARTED, CHARGING]);
    expect(stored.send(CHARGING).deviations).toEqual([]);
    expect(stored.send({ ...IDLE, seqNo: 1 }).deviations).toEqual(['reused_seq_no']);
    expect(stored.only().device?.chargingState).toBe('EVConnected');
  });

  it('146. has Local as the reason of an end without one, and Remote where a command stopped it', () => {
    const plain = event('Ended', 3);
    expect(sendAll([STARTED, plain]).only().stopReason).toBe('Local');
    expect(sendAll([STARTED, { ...plain, triggerReason: 'RemoteStop' }]).only().stopReason).toBe('Remote');
  });

  it('146. stores meter values as sent, and emits them in their unit', () => {
    const unreadable = { value: 1, unitOfMeasure: { multiplier: 400 } };
    const power = { value: 15, measurand: 'Power.Active.Import', unitOfMeasure: { unit: 'W', multiplier: 2 } };
    const sampledValue = [power, unreadable];
    const payload = event('Updated', 1, { meterValue: [{ timestamp: secondsBefore(540), sampledValue }] as never });
    const stored = sendAll([STARTED]);
    const { rows, emitted } = stored.send(payload);
    expect(rows.meterValues).toMatchObject([{ socketId: 1, sessionId: stored.only().sessionId, payload }]);
    expect(emitted[0]?.data).toMatchObject({
      transactionId: 77,
      measurements: [{ value: '1500', unit: 'W', measurand: 'Power.Active.Import' }],
    });
  });

  it('137. assumes the only Occupied connector until the charger names it', () => {
    const stored = createStored();
    stored.status('Available', 900, { id: 1, connectorId: 1 });
    stored.status('Occupied', 700, { id: 1, connectorId: 2 });
    stored.send({ ...STARTED, evse: { id: 1 } });
    expect(stored.only()).toMatchObject({ socketId: 102, device: { evseId: 1, connectorId: null } });
    stored.send({ ...CHARGING, evse: EVSE });
    expect(stored.only()).toMatchObject({ socketId: 1, device: { evseId: 1, connectorId: 1 } });
    expect(Object.keys(stored.reported().ongoing ?? {})).toEqual(['1']);
  });

  it('137. shows no connector that was only assumed, once the charger names another', () => {
    const stored = sendAll([{ ...STARTED, evse: { id: 1 } }]);
    expect(Object.keys(stored.reported().sockets ?? {})).toEqual(['1']);
    const { rows } = stored.send({ ...CHARGING, evse: { id: 1, connectorId: 2 } });
    expect(Object.keys(stored.reported().sockets ?? {})).toEqual(['102']);
    expect(rows.stateChanges.map(({ socketId }) => socketId)).toEqual([102]);
  });

  it('137. has a row for each connector that one event changes', () => {
    const stored = createStored();
    stored.status('Occupied', 700, { id: 1, connectorId: 1 });
    stored.status('Occupied', 700, { id: 1, connectorId: 2 });
    stored.send(STARTED);
    stored.send(CHARGING);
    const { rows } = stored.send({ ...IDLE, seqNo: 0, evse: { id: 1, connectorId: 2 }, timestamp: secondsBefore(900) });
    expect(new Set(rows.stateChanges.map(({ rowId }) => rowId)).size).toBe(rows.stateChanges.length);
    expect(rows.stateChanges.map(({ socketId }) => socketId).toSorted()).toEqual([1, 102]);
  });

  it('137. has a session without a socket in progress until the EVSE is named', () => {
    const started = without(STARTED, 'evse');
    const stored = sendAll([started, { ...started, transactionInfo: { transactionId: 'T-2' } }]);
    const { ongoing = {} } = stored.reported();
    expect(Object.values(ongoing).map(({ socketId, transactionId }) => [socketId, transactionId])).toEqual([
      [0, 77],
      [0, 78],
    ]);
    stored.send({ ...CHARGING, evse: { id: 2, connectorId: 1 } });
    expect(Object.keys(stored.reported().ongoing ?? {})).toContain('2');
  });

  it('157. begins a session without a tag, which the first event with one has', () => {
    const started = without(STARTED, 'idToken');
    const stored = sendAll([started]);
    expect(stored.only()).toMatchObject({ idTag: '', state: 'ongoing' });
    expect(stored.only().verdict).toBeUndefined();
    const { answer } = stored.send({ ...CHARGING, idToken: TOKEN });
    expect(answer).toEqual({ idTokenInfo: { status: 'Accepted' } });
    expect(stored.only()).toMatchObject({ idTag: 'TAG', idTagKey: 'tag', verdict: 'accepted' });
  });

  it('155. gives the verdict of a transaction again for ever', () => {
    const stored = createStored({ tags: [{ ...TAGS[0], blocked: true }] });
    expect(stored.send(STARTED).answer).toEqual({ idTokenInfo: { status: 'Blocked' } });
    expect(stored.only()).toMatchObject({ state: 'refused', verdict: 'blocked' });
    expect(stored.reported().ongoing?.['1']).toMatchObject({ refused: true });
    stored.send(CHARGING);
    expect(stored.only()).toMatchObject({ state: 'ongoing', verdict: 'blocked' });
    expect(stored.send({ ...IDLE, idToken: TOKEN }).answer).toEqual({ idTokenInfo: { status: 'Blocked' } });
  });

  it('155. judges the token of a session anew where an earlier event has another', () => {
    const stored = createStored();
    const other = { idToken: 'UNKNOWN', type: 'Central' };
    expect(stored.send({ ...ENDED, idToken: other }).answer).toEqual({ idTokenInfo: { status: 'Unknown' } });
    expect(stored.send(STARTED).answer).toEqual({ idTokenInfo: { status: 'Accepted' } });
    expect(stored.only()).toMatchObject({ idTag: 'TAG', verdict: 'accepted', state: 'ended' });
  });

  it.each([
    ['accepted', {}, 'Accepted'],
    ['blocked', { blocked: true }, 'Blocked'],
  ])(
    '141. answers an event with another token the same again, also when its tag has changed: %s',
    (_title, tag, status) => {
      const before = { idTag: 'GROUP', ...tag };
      const after = { idTag: 'GROUP', blocked: status === 'Accepted' };
      const stored = createStored({ tags: [...TAGS, before] });
      stored.send(STARTED);
      const stop = { ...ENDED, idToken: { idToken: 'Group', type: 'ISO14443' } };
      expect(stored.send(stop).answer).toEqual({ idTokenInfo: { status } });
      const later = createStored({ tags: [...TAGS, after], reported: stored.reported(), sessions: stored.sessions() });
      const again = later.send(stop);
      expect(again.answer).toEqual({ idTokenInfo: { status } });
      expect([again.rows.sessions, again.rows.transactions]).toEqual([[], []]);
    },
  );

  it('141. answers an event the same again whose token an earlier event has replaced', () => {
    const tags = [...TAGS, { idTag: 'OTHER', blocked: true }];
    const stop = { ...ENDED, idToken: { idToken: 'OTHER', type: 'Central' } };
    const stored = createStored({ tags });
    expect(stored.send(stop).answer).toEqual({ idTokenInfo: { status: 'Blocked' } });
    expect(stored.send(STARTED).answer).toEqual({ idTokenInfo: { status: 'Accepted' } });
    const later = createStored({ tags: [...TAGS, { idTag: 'OTHER' }], sessions: stored.sessions() });
    expect(later.send(stop).answer).toEqual({ idTokenInfo: { status: 'Blocked' } });
    expect(later.send(STARTED).answer).toEqual({ idTokenInfo: { status: 'Accepted' } });
  });

  it('155. refuses a token that is in use elsewhere', () => {
    const elsewhere = { ...sendAll([STARTED]).only(), sessionId: 'other', incarnationId: 'OTHER-1', transactionId: 5 };
    const stored = createStored({ sessions: [without(elsewhere, 'device')] });
    expect(stored.send(STARTED).answer).toEqual({ idTokenInfo: { status: 'ConcurrentTx' } });
  });

  it('156. accepts a token for which the charger vouches, and makes no tag of it', () => {
    const { answer } = createStored({ tags: [] }).send({ ...STARTED, idToken: { idToken: 'X', type: 'Local' } });
    expect(answer).toEqual({ idTokenInfo: { status: 'Accepted' } });
  });

  it.each(['NoAuthorization', 'Local'])('156. accepts the token %s of any number of sessions at a time', (type) => {
    const idToken = { idToken: '', type };
    const here = { ...STARTED, idToken };
    const { contested, answer, rows } = handle(transactionEvent, here, { openCharging: true });
    expect([contested, answer, rows.sessions[0]?.state]).toEqual([
      [],
      { idTokenInfo: { status: 'Accepted' } },
      'ongoing',
    ]);
  });

  it('156. lets a token that is no tag have no use of one, also after a tag has come', () => {
    const stored = sendAll([{ ...STARTED, idToken: { idToken: '', type: 'NoAuthorization' } }], { openCharging: true });
    const stop = { ...IDLE, idToken: TOKEN };
    expect(stored.send(stop).contested).toEqual([]);
  });

  it('128. answers an event without a token with nothing', () => {
    expect(sendAll([STARTED]).send(CHARGING).answer).toEqual({});
  });

  it('146. announces the end once more where a late start changes its data', () => {
    const stored = sendAll([CHARGING, ENDED]);
    const again = stored.send(STARTED).emitted.filter(({ type }) => type === 'session.ended');
    expect(again).toMatchObject([{ data: { meterStart: 1_000, consumptionWh: 8_000, superseded: false } }]);
    expect(stored.send(IDLE).emitted.map(({ type }) => type)).not.toContain('session.ended');
  });

  it('does not end again what its operator ended, and adds the meter', () => {
    const stored = sendAll([STARTED]);
    const byOperator = {
      ...stored.only(),
      state: 'ended' as const,
      endedBy: 'operator' as const,
      endTime: secondsBefore(500),
    };
    const after = createStored({ sessions: [{ ...byOperator, stopReason: 'EnergyLimit' }] });
    const { rows } = after.send(ENDED);
    expect(rows.transactions).toMatchObject([{ from: { revision: 1, endedBy: 'operator' } }]);
    expect(after.only()).toMatchObject({ endTime: secondsBefore(500), stopReason: 'EnergyLimit', meterStop: 9_000 });
  });

  it('announces an end whose row was stored before the record', () => {
    const stored = sendAll([STARTED]);
    const before = stored.reported();
    stored.send(ENDED);
    const again = createStored({ sessions: stored.sessions(), reported: before });
    expect(again.send(ENDED).emitted.map(({ type }) => type)).toContain('session.ended');
    expect(again.reported().ongoing).toEqual({});
  });

  it.each<[string, Situation]>([
    [
      'of the charger',
      { maxStartsPerDay: 1, reported: { starts: { day: DAY, count: 1, refused: 0, lastTransactionId: 6 } } },
    ],
    ['of none', {}],
  ])('128. loses no session of events without a token: beyond the limit %s', (_title, situation) => {
    const { rows, startRefused } = handle(transactionEvent, without(STARTED, 'idToken'), situation);
    expect([rows.sessions.length, startRefused]).toEqual([1, undefined]);
    const refused = handle(transactionEvent, STARTED, situation);
    expect(refused.startRefused).toBe(situation.maxStartsPerDay === undefined ? undefined : 'too_many_starts');
  });

  it('refuses a session beyond the limit of the day, and counts it', () => {
    const result = handle(transactionEvent, STARTED, { tags: TAGS, transactionId: 'too_many_client_starts' });
    expect(result).toMatchObject({ startRefused: 'too_many_client_starts' });
    expect(result.rows.sessions).toEqual([]);
  });

  it('replaces a row by compare-and-set over all events of a batch', () => {
    const stored = sendAll([STARTED]);
    const { rows } = handle(transactionEvent, CHARGING, {
      tags: TAGS,
      sessions: stored.sessions(),
      reported: stored.reported(),
    });
    expect(rows.transactions).toMatchObject([
      { from: { revision: 1 }, changesState: false, session: { device: { revision: 2 } } },
    ]);
  });
});

describe('136. the state of a connector', () => {
  it.each<[string, readonly Payload[], string]>([
    ['is Preparing before energy flows', [STARTED], 'Preparing'],
    ['is Charging', [STARTED, CHARGING], 'Charging'],
    ['is Finishing after energy flowed', [STARTED, CHARGING, IDLE], 'Finishing'],
    ['is Finishing after the end', [STARTED, CHARGING, ENDED], 'Finishing'],
  ])('%s, in both orders of status and transaction', (_title, payloads, state) => {
    const first = createStored();
    first.status('Occupied', 610);
    for (const payload of payloads) first.send(payload);
    const last = sendAll(payloads);
    last.status('Occupied', 610);
    expect([first.stateOf(1), last.stateOf(1)]).toEqual([state, state]);
  });

  it.each(['Available', 'Faulted', 'Unavailable', 'Reserved'])(
    'is that of the status %s, whatever the transaction',
    (status) => {
      const first = createStored();
      first.status(status, 700);
      first.send(STARTED);
      first.send(CHARGING);
      const last = sendAll([STARTED, CHARGING]);
      last.status(status, 700);
      expect(first.stateOf(1)).toBe(status === 'Faulted' ? 'Error' : status);
      expect(last.stateOf(1)).toBe(first.stateOf(1));
    },
  );

  it('is Preparing for the next car, after the connector was Available', () => {
    const stored = createStored();
    stored.status('Occupied', 610);
    for (const payload of ALL) stored.send(payload);
    stored.status('Available', 400);
    stored.status('Occupied', 300);
    expect(stored.stateOf(1)).toBe('Preparing');
  });

  it('is in the history by a transaction too, once for each change', () => {
    const stored = createStored();
    stored.status('Occupied', 610);
    stored.send(STARTED);
    const { rows } = stored.send(CHARGING);
    expect(rows.stateChanges).toMatchObject([
      { socketId: 1, state: 'Charging', at: secondsBefore(540), receivedAt: RECEIVED_AT },
    ]);
    expect(stored.send({ ...CHARGING, seqNo: 7 }).rows.stateChanges).toEqual([]);
  });
});

it('146. ties MeterValues to the session in progress at the EVSE', () => {
  const stored = sendAll([STARTED]);
  const payload = { evseId: 1, meterValue: register(30, 5) as never };
  const { rows, emitted } = handle(meterValues, payload, { reported: stored.reported() });
  expect(rows.meterValues).toMatchObject([{ socketId: 1, sessionId: stored.only().sessionId, payload }]);
  expect(emitted[0]?.data).toMatchObject({ transactionId: 77, socketId: 1 });
  expect(handle(meterValues, { ...payload, evseId: 0 }).rows.meterValues).toMatchObject([
    { socketId: 0, sessionId: null },
  ]);
});

describe('the listed events of a session', () => {
  const rowsOf = (payloads: readonly Payload[]) => {
    const stored = createStored();
    const rows = payloads.flatMap((payload) => stored.send(payload).rows.transactionEvents);
    return { rows, ids: rows.map(({ rowId }) => rowId), session: stored.only() };
  };

  it('141. have one row each, with what it says, and the same row when it is sent again', () => {
    const offline = { ...CHARGING, offline: true, triggerReason: 'ChargingStateChanged' };
    const { rows, ids, session } = rowsOf([STARTED, offline, offline]);
    const { sessionId, chargerId, incarnationId, clientId } = session;
    const owner = { sessionId, chargerId, incarnationId, clientId, receivedAt: RECEIVED_AT };
    expect(rows).toMatchObject([
      {
        ...owner,
        seqNo: 0,
        eventType: 'Started',
        triggerReason: 'Authorized',
        chargingState: null,
        offline: false,
        timestamp: secondsBefore(600),
      },
      {
        ...owner,
        seqNo: 1,
        eventType: 'Updated',
        triggerReason: 'ChargingStateChanged',
        chargingState: 'Charging',
        offline: true,
        timestamp: secondsBefore(540),
      },
      {},
    ]);
    expect(ids[2]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(2);
  });

  it('141. keep two events of one number, in the order of time, then of Started, Updated and Ended', () => {
    const timestamp = secondsBefore(500);
    const same = [ENDED, CHARGING, { ...CHARGING, triggerReason: 'Trigger' }].map((each) => ({
      ...each,
      seqNo: 0,
      timestamp,
    }));
    const { ids, rows } = rowsOf([{ ...same[1], timestamp: secondsBefore(499) } as Payload, ...same, STARTED]);
    expect(new Set(ids).size).toBe(5);
    const sorted = rows.toSorted((one, other) => (one.rowId < other.rowId ? -1 : 1));
    expect(sorted.map(({ eventType, timestamp: time }) => [eventType, time])).toEqual([
      ['Started', secondsBefore(600)],
      ['Updated', timestamp],
      ['Updated', timestamp],
      ['Ended', timestamp],
      ['Updated', secondsBefore(499)],
    ]);
  });

  it('146. have the same row again where the time of the charger is no time', () => {
    const [first, second] = rowsOf([
      { ...STARTED, timestamp: 'soon' },
      { ...STARTED, timestamp: 'soon' },
    ]).rows;
    expect(second?.rowId).toBe(first?.rowId);
    expect(first?.timestamp).toBe(RECEIVED_AT);
  });
});
