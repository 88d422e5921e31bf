import { handle, RECEIVED_AT, secondsBefore, sessionWith, type Situation } from '../../testing/handler-situation';
import { ongoingOf } from './meter-values';
import { stopTransaction } from './stop-transaction';

const stop = (fields: object = {}, situation: Situation = {}) =>
  handle(stopTransaction, { transactionId: 7, meterStop: 150, timestamp: secondsBefore(5), ...fields }, situation);
const withSession = (part: Parameters<typeof sessionWith>[0] = {}): Situation => ({
  sessions: [sessionWith(part)],
  reported: { ongoing: { '1': ongoingOf(sessionWith(part), [1, 1]) } },
});
const REFUSED = { state: 'refused', verdict: 'unknown' } as const;

describe('stopTransaction', () => {
  it('ends the session, with its energy and the default reason', () => {
    const { answer, rows, charger, lookups } = stop({}, withSession());
    expect(answer).toEqual({});
    expect(rows.stops).toEqual([
      {
        sessionId: 'session-1',
        state: 'ended',
        endTime: secondsBefore(5),
        meterStop: 150,
        consumptionWh: 50,
        stopReason: 'Local',
        stopReportId: 'report-1',
      },
    ]);
    expect(charger.reported.ongoing).toEqual({});
    expect(lookups.session('session-1')).toMatchObject({ state: 'ended', endedBy: 'charger' });
  });

  it('counts no negative energy', () => {
    expect(stop({ meterStop: 50 }, withSession()).rows.stops).toMatchObject([{ meterStop: 50, consumptionWh: 0 }]);
  });

  it.each(['2019-12-31T23:59:59Z', secondsBefore(-61)])(
    '51. ends the session at the time of receipt for the timestamp %s',
    (timestamp) => {
      const { rows, deviations } = stop({ timestamp }, withSession());
      expect(rows.stops).toMatchObject([{ endTime: RECEIVED_AT }]);
      expect(deviations).toEqual(['clock_off']);
    },
  );

  it('51. trusts a timestamp that is less than a minute ahead', () => {
    const { rows, deviations } = stop({ timestamp: secondsBefore(-59) }, withSession());
    expect(rows.stops).toMatchObject([{ endTime: secondsBefore(-59) }]);
    expect(deviations).toEqual([]);
  });

  it.each([
    ['of an unknown transaction', {}],
    ['of a session of another charger', { sessions: [sessionWith({ incarnationId: 'B-1' })] }],
  ])('56. stores a stop %s as an orphan', (_, situation) => {
    const { answer, rows, charger, before } = stop({ reason: 'PowerLoss' }, situation);
    expect(answer).toEqual({});
    expect(rows.orphanStops).toMatchObject([{ transactionId: 7, meterStop: 150, stopReason: 'PowerLoss' }]);
    expect(rows.stops).toEqual([]);
    expect(charger).toBe(before);
  });

  it.each([9, 0, -1])('56. ends no session by a stop of transaction %d', (transactionId) => {
    const { answer, rows, charger, before } = stop({ transactionId }, withSession());
    expect([answer, rows.stops]).toEqual([{}, []]);
    expect(rows.orphanStops).toMatchObject([{ transactionId }]);
    expect(charger).toBe(before);
  });

  it('57. stores the frame of an orphan whose transaction id is beyond 2^53', () => {
    const { rows } = stop({ transactionId: 2 ** 60 }, { report: { raw: '[2,"m","StopTransaction",{}]' } });
    expect(rows.orphanStops[0]?.frame).toBe('[2,"m","StopTransaction",{}]');
  });

  it('58. changes nothing for a session that has ended', () => {
    const ended = sessionWith({ state: 'ended', endTime: secondsBefore(60), meterStop: 120, endedBy: 'charger' });
    const { answer, rows, charger, before } = stop({}, { sessions: [ended] });
    expect([answer, rows.stops, rows.orphanStops]).toEqual([{}, [], []]);
    expect(charger).toBe(before);
  });

  it.each([
    ['keeps a refused session refused without energy', { meterStop: 100 }, 'refused'],
    [
      'keeps a refused session refused when it stops for the refusal',
      { meterStop: 103, reason: 'DeAuthorized' },
      'refused',
    ],
    ['ends a refused session that reports energy', { meterStop: 103 }, 'ended'],
  ])('58. %s', (_, fields, state) => {
    const { rows } = stop(fields, withSession({ state: 'refused', verdict: 'unknown' }));
    expect(rows.stops).toMatchObject([{ state }]);
  });

  it.each([
    ['names no tag', {}, undefined],
    ['names an accepted tag', { idTag: 'Tag' }, { status: 'Accepted' }],
    ['names an unknown tag', { idTag: 'Nobody' }, { status: 'Invalid' }],
  ])('answers with the tag when the stop %s', (_, fields, idTagInfo) => {
    const { answer, rows } = stop(fields, { ...withSession(), tags: [{}] });
    expect(answer).toEqual(idTagInfo === undefined ? {} : { idTagInfo });
    expect(rows.stops).toHaveLength(1);
  });

  it('61. ends a session by another tag with the same parent, which the answer names', () => {
    const tags = [{ idTag: 'Second', parentIdTag: 'Family', expiringDate: secondsBefore(-60) }];
    const { answer, rows } = stop({ idTag: 'Second' }, { ...withSession(), tags });
    const info = { status: 'Accepted', parentIdTag: 'Family', expiryDate: secondsBefore(-60) };
    expect(answer).toEqual({ idTagInfo: info });
    expect(rows.stops).toMatchObject([{ sessionId: 'session-1', state: 'ended' }]);
  });

  it('58. ends a superseded session by its late stop, and leaves the one after it', () => {
    const after = ongoingOf(sessionWith({ sessionId: 'session-2', transactionId: 8 }), [1, 2]);
    const sessions = [sessionWith({ state: 'superseded' })];
    const { rows, charger } = stop({}, { sessions, reported: { ongoing: { '1': after } } });
    expect(rows.stops).toMatchObject([{ sessionId: 'session-1', state: 'ended', consumptionWh: 50 }]);
    expect(charger.reported.ongoing).toEqual({ '1': after });
  });

  it.each<[string, { meterStop?: number; reason?: string }, Parameters<typeof sessionWith>[0], 'ended' | 'refused']>([
    ['has charged', {}, { state: 'ended' }, 'ended'],
    ['has charged despite its refusal', {}, REFUSED, 'ended'],
    ['is still refused without energy', { meterStop: 100 }, REFUSED, 'refused'],
    ['is still refused when it stops for the refusal', { reason: 'DeAuthorized' }, REFUSED, 'refused'],
  ])('58. retains the end by its operator of a session that %s', (_, fields, part, state) => {
    const end = { endedBy: 'operator' as const, endTime: secondsBefore(60), stopReason: 'left' };
    const sessions = [sessionWith({ ...part, ...end })];
    const { answer, lookups } = stop(fields, { sessions });
    expect(answer).toEqual({});
    expect(lookups.session('session-1')).toMatchObject({ ...end, state, meterStop: fields.meterStop ?? 150 });
    // A second one changes nothing.
    const stopped = sessions.map((session) => lookups.session(session.sessionId) ?? session);
    expect(stop({ meterStop: 999 }, { sessions: stopped }).rows.stops).toEqual([]);
  });

  it('stores transactionData as meter values of the session', () => {
    const transactionData = [{ timestamp: secondsBefore(5), sampledValue: [{ value: '5' }] }];
    const { rows } = stop({ transactionData }, withSession());
    const payload = { transactionId: 7, meterValue: transactionData };
    expect(rows.meterValues).toMatchObject([{ sessionId: 'session-1', socketId: 1, payload }]);
  });

  it.each([
    ['Remote', 'command-1'],
    [undefined, 'command-1'],
    ['EVDisconnected', undefined],
  ])('correlates a stop for the reason %s with the command that asked for it', (reason, commandId) => {
    const { sessions, reported } = withSession();
    const awaitedStops = [{ commandId: 'command-1', transactionId: 7, at: secondsBefore(60) }];
    const situation = { ...(sessions && { sessions }), reported: { ...reported, awaitedStops } };
    const { rows, charger } = stop(reason === undefined ? {} : { reason }, situation);
    expect(rows.stops[0]?.stopCommandId).toBe(commandId);
    expect(charger.reported.awaitedStops).toEqual([]);
  });
});
