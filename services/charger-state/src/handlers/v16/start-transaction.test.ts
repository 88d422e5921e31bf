import type { Charger } from '@busbar/domain/chargers';
import { handle, RECEIVED_AT, secondsBefore, sessionWith, type Situation } from '../../testing/handler-situation';
import { ongoingOf } from './meter-values';
import { startTransaction } from './start-transaction';

const start = (fields: object = {}, situation: Situation = {}) =>
  handle(
    startTransaction,
    { connectorId: 1, idTag: 'Tag', meterStart: 100, timestamp: secondsBefore(5), ...fields },
    situation,
  );
const KNOWN: Situation = { tags: [{}] };
const elsewhere = sessionWith({ chargerId: 'B', incarnationId: 'B-1', sessionId: 'elsewhere' });
const ongoing = (
  part: Parameters<typeof sessionWith>[0],
  position: readonly [number, number],
): Partial<Charger['reported']> => ({
  ongoing: { '1': ongoingOf(sessionWith(part), position) },
});
const remoteStart = (over = {}) => ({
  awaitedStarts: [{ commandId: 'command-1', idTagKey: 'tag', socketId: 1, at: secondsBefore(60), ...over }],
});
const newer = { commandId: 'command-2', idTagKey: 'tag', socketId: 1, at: secondsBefore(30) };
const timeoutOf = (seconds: number) => ({
  configName: 'connectionTimeOut',
  configValue: String(seconds),
  canBeChanged: true,
});
const startsToday = (count: number) => ({
  starts: { day: RECEIVED_AT.slice(0, 10), count, refused: 0, lastTransactionId: 6 },
});

describe('startTransaction', () => {
  it('begins a session and shows it at its socket', () => {
    const { answer, rows, charger } = start({}, KNOWN);
    expect(answer).toEqual({ transactionId: 77, idTagInfo: { status: 'Accepted' } });
    const session = {
      transactionId: 77,
      socketId: 1,
      idTagKey: 'tag',
      siteId: 1,
      startTime: secondsBefore(5),
      state: 'ongoing',
    };
    expect(rows.sessions).toMatchObject([{ ...session, verdict: 'accepted', authorizedBy: 'own', startedBy: 'local' }]);
    expect(charger.reported.ongoing['1']).toMatchObject({ transactionId: 77, position: [1, 5] });
    expect(charger.reported.starts).toMatchObject({ count: 1, lastTransactionId: 77 });
  });

  it.each<[string, string, string, Situation]>([
    ['Accepted', 'own', 'a tag of the client', KNOWN],
    ['Accepted', 'open', 'an unknown tag of a client that charges openly', { openCharging: true }],
    ['Accepted', 'remote_start', 'an unknown tag of a remote start', { reported: remoteStart() }],
    [
      'Accepted',
      'remote_start',
      'an unknown tag of a remote start without a response',
      { report: { pendingStart: { rfidTag: 'TAG' } } },
    ],
    [
      'Accepted',
      'remote_start',
      'a tag in use, of a remote start',
      { ...KNOWN, sessions: [elsewhere], reported: remoteStart() },
    ],
    ['Invalid', 'own', 'an unknown tag', {}],
    ['Invalid', 'own', 'a remote start of another socket', { reported: remoteStart({ socketId: 2 }) }],
    ['Invalid', 'own', 'a tag that is not yet valid', { tags: [{ startDate: secondsBefore(-60) }] }],
    ['Blocked', 'own', 'a blocked tag', { tags: [{ blocked: true }] }],
    ['Blocked', 'own', 'a blocked tag of a remote start', { tags: [{ blocked: true }], reported: remoteStart() }],
    ['Expired', 'own', 'an expired tag', { tags: [{ expiringDate: secondsBefore(60) }] }],
    ['ConcurrentTx', 'own', 'a tag in use at another charger', { ...KNOWN, sessions: [elsewhere] }],
  ])('53. answers %s (%s), with a transaction id, for %s', (status, authorizedBy, _, situation) => {
    const { answer, rows } = start({}, situation);
    expect(answer).toMatchObject({ transactionId: 77, idTagInfo: { status } });
    expect(rows.sessions).toMatchObject([{ authorizedBy, state: status === 'Accepted' ? 'ongoing' : 'refused' }]);
  });

  it.each<[string, string | undefined, object, Partial<Charger['reported']>]>([
    ['at its socket', 'command-1', {}, remoteStart()],
    ['at any socket', 'command-1', { connectorId: 3 }, remoteStart({ socketId: null })],
    ['at another socket', undefined, {}, remoteStart({ socketId: 2 })],
    ['with the tag in another case', 'command-1', { idTag: 'tAG' }, remoteStart()],
    ['with another tag', undefined, {}, remoteStart({ idTagKey: 'other' })],
    ['by a clock that is five minutes behind', 'command-1', { timestamp: secondsBefore(360) }, remoteStart()],
    ['before it, and is reported after it', undefined, { timestamp: secondsBefore(3600) }, remoteStart()],
    ['eleven minutes after it', undefined, {}, remoteStart({ at: secondsBefore(11 * 60) })],
    [
      'eleven minutes after it, where the charger waits longer',
      'command-1',
      {},
      { ...remoteStart({ at: secondsBefore(11 * 60) }), configuration: [timeoutOf(1200)] },
    ],
    [
      'soon after it, and is reported hours later',
      'command-1',
      { timestamp: secondsBefore(3 * 3600 - 60) },
      remoteStart({ at: secondsBefore(3 * 3600) }),
    ],
    [
      'at its socket, although a newer one names none',
      'command-1',
      {},
      { awaitedStarts: [...remoteStart().awaitedStarts, { ...newer, socketId: null }] },
    ],
    [
      'after the newest of two that name no socket',
      'command-2',
      {},
      { awaitedStarts: [...remoteStart({ socketId: null }).awaitedStarts, { ...newer, socketId: null }] },
    ],
    ['after the newest of two', 'command-2', {}, { awaitedStarts: [...remoteStart().awaitedStarts, newer] }],
  ])('correlates a remote start with a start %s: %s', (_, commandId, fields, reported) => {
    const { rows, charger } = start(fields, { ...KNOWN, reported });
    expect(rows.sessions[0]?.commandId).toBe(commandId);
    expect(rows.sessions[0]?.startedBy).toBe(commandId === undefined ? 'local' : 'remote');
    const awaited = reported.awaitedStarts?.filter((each) => each.commandId !== commandId);
    expect(charger.reported.awaitedStarts).toEqual(awaited);
  });

  it('55. answers the same start again alike, and begins no second session', () => {
    const first = start({}, KNOWN);
    const again = start(
      { idTag: 'TAG' },
      { ...KNOWN, sessions: first.rows.sessions, transactionId: 78, report: { id: 'again' } },
    );
    expect(again.answer).toEqual(first.answer);
    expect(again.rows.sessions).toEqual([]);
  });

  it.each([{ idTag: 'Other' }, { connectorId: 2 }, { timestamp: secondsBefore(6) }, { meterStart: 101 }])(
    '55. begins another session for a start that differs in %j',
    (fields) => {
      const { sessions } = start({}, KNOWN).rows;
      expect(start(fields, { ...KNOWN, sessions, transactionId: 78 }).answer).toMatchObject({ transactionId: 78 });
    },
  );

  it.each(['2019-12-31T23:59:59Z', secondsBefore(-61)])(
    '51. begins at the time of receipt for the timestamp %s',
    (timestamp) => {
      const { rows, deviations } = start({ timestamp }, KNOWN);
      expect(rows.sessions).toMatchObject([{ startTime: RECEIVED_AT, startedOffline: false }]);
      expect(deviations).toEqual(['clock_off']);
    },
  );

  it.each([
    [-59, false],
    [59, false],
    [61, true],
    [3 * 3600, true],
  ])('54. retains the time of a start of %d seconds ago, which was made offline: %s', (seconds, startedOffline) => {
    const startTime = secondsBefore(seconds);
    const { rows, deviations } = start({ timestamp: startTime }, KNOWN);
    expect(rows.sessions).toMatchObject([{ startTime, startedOffline }]);
    expect(deviations).toEqual([]);
  });

  it('61. accepts a start that was made offline also when the tag is in use', () => {
    const { answer } = start({ timestamp: secondsBefore(90) }, { ...KNOWN, sessions: [elsewhere] });
    expect(answer).toMatchObject({ idTagInfo: { status: 'Accepted' } });
  });

  it.each<[string, boolean, object, Situation]>([
    ['an accepted start', true, {}, KNOWN],
    ['a refused start', false, {}, {}],
    ['a start that was made offline', false, { timestamp: secondsBefore(90) }, KNOWN],
    ['a start by a remote start', false, {}, { reported: remoteStart() }],
  ])('61. lets a start elsewhere at the same time contest %s: %s', (_, isContested, fields, situation) => {
    expect(start(fields, situation).contested).toHaveLength(isContested ? 1 : 0);
  });

  it('supersedes the session that is ongoing at its socket', () => {
    const reported = ongoing({}, [1, 1]);
    const sessionsOfBatch = [sessionWith({ idTagKey: 'other' })];
    const { rows, lookups, charger } = start({}, { ...KNOWN, sessionsOfBatch, reported });
    expect(rows.superseded).toEqual(['session-1']);
    expect(lookups.session('session-1')?.state).toBe('superseded');
    expect(charger.reported.ongoing['1']).toMatchObject({ transactionId: 77 });
  });

  it('53. leaves a refused session at its socket refused', () => {
    expect(start({}, { ...KNOWN, reported: ongoing({ state: 'refused' }, [1, 1]) }).rows.superseded).toEqual([]);
  });

  it('stores a start as superseded when another has begun at its socket by a newer connection', () => {
    const { rows, charger } = start({}, { ...KNOWN, reported: ongoing({}, [2, 1]) });
    expect(rows.sessions).toMatchObject([{ state: 'superseded' }]);
    expect(charger.reported.ongoing['1']).toMatchObject({ transactionId: 7 });
  });

  it.each<[string, string, Situation]>([
    ['the limit of the charger', 'too_many_starts', { maxStartsPerDay: 3, reported: startsToday(3) }],
    ['the limit of the client', 'too_many_client_starts', { transactionId: 'too_many_client_starts' }],
    ['the last transaction id', 'out_of_ids', { transactionId: 'out_of_ids' }],
  ])('gives no answer and no session beyond %s', (_, startRefused, situation) => {
    const result = start({}, { ...KNOWN, ...situation });
    expect(result).toMatchObject({ startRefused, charger: { reported: { starts: { refused: 1 } } } });
    expect(result.answer).toBeUndefined();
    expect(result.rows.sessions).toEqual([]);
  });

  it.each<[string, Situation]>([
    ['below the limit', { maxStartsPerDay: 4, reported: startsToday(3) }],
    ['without a limit', { reported: startsToday(1_000_000) }],
    ['on the next day', { maxStartsPerDay: 3, reported: { starts: { ...startsToday(3).starts, day: '2026-05-31' } } }],
  ])('begins a session %s', (_, situation) => {
    expect(start({}, { ...KNOWN, ...situation }).answer).toMatchObject({ transactionId: 77 });
  });

  it('ends the reservation that it uses, and no other', () => {
    const reservation = {
      idTag: 'Tag',
      parentIdTag: null,
      socketId: 1,
      expiryDate: secondsBefore(-60),
      end: null,
      transactionId: null,
      commandId: null,
      reservedAt: secondsBefore(60),
      position: [1, 1] as const,
    };
    const reservations = [2, 3].map((reservationId) => ({ ...reservation, reservationId }));
    const { deviceState, rows } = start({ reservationId: 3 }, { ...KNOWN, deviceState: { reservations } });
    expect(rows.deviceStates).toHaveLength(1);
    expect(deviceState.reservations).toMatchObject([
      { reservationId: 2, end: null },
      { reservationId: 3, end: 'used', transactionId: 77, position: [1, 5] },
    ]);
  });
});
