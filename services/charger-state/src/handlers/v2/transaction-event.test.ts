import type { Session } from '@busbar/domain/sessions';
import fc from 'fast-check';
import { handle, RECEIVED_AT, secondsBefore, type Result, type Situation } from '../../testing/handler-situation';
import type { RequestOf, ResponseOf } from './route';
import { meterValues } from './meter-values';
import { statusNotification } from './status-notification';
import { transactionEvent } from './transaction-event';

type Payload = RequestOf<'TransactionEvent'>;
type Answer = ResponseOf<'TransactionEvent'>;

const TAGS = [{ clientId: 'client', idTag: 'TAG' }];
const TOKEN = { idToken: 'TAG', type: 'Central' };
const EVSE = { id: 1, connectorId: 1 };

const register = (seconds: number, value: number) => [{ timestamp: secondsBefore(seconds), sampledValue: [{ value }] }];

function event(
  eventType: 'Started' | 'Updated' | 'Ended',
  seqNo: number,
  { transactionInfo, ...parts }: Partial<Omit<Payload, 'transactionInfo'>> & { transactionInfo?: object } = {},
): Payload {
  return {
    eventType,
    seqNo,
    timestamp: secondsBefore(600 - 60 * seqNo),
    triggerReason: 'Authorized',
    transactionInfo: { transactionId: 'T-1', ...transactionInfo },
    ...parts,
  };
}

const STARTED = event('Started', 0, { evse: EVSE, idToken: TOKEN, meterValue: register(600, 1_000) });
const CHARGING = event('Updated', 1, {
  transactionInfo: { chargingState: 'Charging' },
  meterValue: register(540, 2_000),
});
const IDLE = event('Updated', 2, { transactionInfo: { chargingState: 'EVConnected' } });
const ENDED = event('Ended', 3, {
  transactionInfo: { stoppedReason: 'EVDisconnected' },
  meterValue: register(420, 9_000),
});
const ALL = [STARTED, CHARGING, IDLE, ENDED];

/** A charger and its stored sessions, to which messages are applied one by one. */
function createStored(situation: Situation = {}) {
  let reported = situation.reported ?? {};
  let seq = 4;
  let nextId = 77;
  const sessions = new Map((situation.sessions ?? []).map((session) => [session.sessionId, session]));
  const change = (id: string, parts: Partial<Session>): void => {
    const session = sessions.get(id);
    if (session !== undefined) sessions.set(id, { ...session, ...parts });
  };
  const apply = (run: (now: Situation) => Result<unknown>): Result<unknown> => {
    seq += 1;
    const stored = [...sessions.values()];
    const now = {
      tags: TAGS,
      ...situation,
      reported,
      sessions: stored,
      position: [1, seq] as const,
      transactionId: nextId,
    };
    const result = run(now);
    ({ reported } = result.charger);
    for (const session of result.rows.sessions) {
      sessions.set(session.sessionId, session);
      nextId += 1;
    }
    for (const id of result.rows.superseded) change(id, { state: 'superseded' });
    for (const { session } of result.rows.transactions) sessions.set(session.sessionId, session);
    return result;
  };
  return {
    send: (payload: Payload, report: Situation['report'] = {}): Result<Answer> =>
      apply((now) => handle(transactionEvent, payload, { ...now, report })) as Result<Answer>,
    status: (connectorStatus: string, seconds: number, evse = EVSE) =>
      apply((now) =>
        handle(
          statusNotification,
          {
            evseId: evse.id,
            connectorId: evse.connectorId,
            connectorStatus,
            timestamp: secondsBefore(seconds),
          },
          now,
        ),
      ),
    sessions: () => [...sessions.values()],
    only: (): Session => {
      const [session] = sessions.values();
      if (session === undefined) throw new Error('no session');
      return session;
    },
    reported: () => reported,
    stateOf: (socketId: number) => reported.sockets?.[String(socketId)]?.state,
  };
}

function without<Value extends object, Name extends keyof Value>(value: Value, name: Name): Omit<Value, Name> {
  return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name)) as Omit<Value, Name>;
}

/** What a session shows, without what depends on the receipt. */
function shown({ device, ...session }: Session) {
  const { revision, facts, ...rest } = device ?? {};
  expect([typeof revision, typeof facts]).toEqual(['number', 'object']);
  const { stopReportId, ...parts } = session;
  expect(stopReportId === undefined || typeof stopReportId === 'string').toBe(true);
  return { ...parts, device: rest };
}

function sendAll(payloads: readonly Payload[]) {
  const stored = createStored();
  for (const payload of payloads) stored.send(payload);
  return stored;
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

  it('140. gives the same session in any order of its events, each any number of times', () => {
    const expected = shown(sendAll(ALL).only());
    fc.assert(
      fc.property(
        fc.shuffledSubarray(ALL, { minLength: ALL.length }),
        fc.array(fc.constantFrom(...ALL), { maxLength: 4 }),
        (order, again) => {
          const stored = sendAll([...order, ...again]);
          expect(stored.sessions()).toHaveLength(1);
          expect(shown(stored.only())).toEqual({ ...expected, authorizedBy: 'own' });
          expect(stored.reported().ongoing).toEqual({});
        },
      ),
    );
  });

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

  it('144. begins another session where the charger uses its ids again, to which later events belong', () => {
    const again = { ...STARTED, timestamp: secondsBefore(300) };
    const charging = { ...CHARGING, timestamp: secondsBefore(240) };
    const stored = sendAll([...ALL, again, again, charging]);
    expect(stored.sessions().map(({ state, startTime }) => [state, startTime])).toEqual([
      ['ended', secondsBefore(600)],
      ['ongoing', secondsBefore(300)],
    ]);
    expect(stored.sessions()[1]?.device?.chargingState).toBe('Charging');
  });

  it('144. counts an id that is used again, once', () => {
    const stored = sendAll(ALL);
    const again = { ...STARTED, timestamp: secondsBefore(300) };
    expect(stored.send(again).deviations).toEqual(['reused_transaction_id']);
    expect(stored.send(again).deviations).toEqual([]);
  });

  it('141. counts a number that another event has, and no event that is sent twice', () => {
    const stored = sendAll([STARTED, CHARGING]);
    expect(stored.send(CHARGING).deviations).toEqual([]);
    expect(stored.send({ ...IDLE, seqNo: 1 }).deviations).toEqual(['reused_seq_no']);
    expect(stored.only().device?.chargingState).toBe('EVConnected');
  });

  const OTHER = { transactionInfo: { transactionId: 'T-2' }, evse: EVSE };
  it.each([
    ['that is later', event('Started', 0, { ...OTHER, timestamp: secondsBefore(60) }), ['superseded', 'ongoing'], 78],
    [
      'that is offline',
      event('Started', 0, { ...OTHER, timestamp: secondsBefore(60), offline: true }),
      ['ongoing', 'superseded'],
      77,
    ],
    ['that is older', event('Started', 0, { ...OTHER, timestamp: secondsBefore(900) }), ['ongoing', 'superseded'], 77],
  ])('145. keeps one transaction at a connector after a Started %s', (_title, other, states, ongoing) => {
    const stored = sendAll([STARTED, other]);
    expect(stored.sessions().map(({ state }) => state)).toEqual(states);
    expect(stored.reported().ongoing?.['1']).toMatchObject({ transactionId: ongoing });
  });

  it('145. ends a superseded session late, without another', () => {
    const other = event('Started', 0, { ...OTHER, timestamp: secondsBefore(60) });
    const stored = sendAll([STARTED, other, ENDED]);
    expect(stored.sessions().map(({ state }) => state)).toEqual(['ended', 'ongoing']);
    expect(stored.reported().ongoing?.['1']).toMatchObject({ transactionId: 78 });
  });

  it('145. announces the end of a superseded session', () => {
    const stored = sendAll([STARTED]);
    const { emitted } = stored.send(event('Started', 0, { ...OTHER, timestamp: secondsBefore(60) }));
    const ended = emitted.find(({ type }) => type === 'session.ended');
    expect(ended?.data).toMatchObject({ transactionId: 77, superseded: true, endTime: null });
  });

  it('146. has Local as the reason of an end without one, and Remote where a command stopped it', () => {
    const plain = event('Ended', 3);
    expect(sendAll([STARTED, plain]).only().stopReason).toBe('Local');
    expect(sendAll([STARTED, { ...plain, triggerReason: 'RemoteStop' }]).only().stopReason).toBe('Remote');
  });

  it('146. stores meter values as sent, and emits them in their unit', () => {
    const sampledValue = [{ value: 15, measurand: 'Power.Active.Import', unitOfMeasure: { unit: 'W', multiplier: 2 } }];
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

  it('128. answers an event without a token with nothing', () => {
    expect(sendAll([STARTED]).send(CHARGING).answer).toEqual({});
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
