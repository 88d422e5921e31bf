import type { Charger, ReportedStatus } from '@busbar/domain/chargers';
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
/** A remote start of so many seconds ago, at a charger whose ConnectionTimeOut has that value. */
const orderedAgo = (seconds: number, configValue?: string): Situation => ({
  reported: {
    ...remoteStart({ at: secondsBefore(seconds) }),
    ...(configValue === undefined
      ? {}
      : { configuration: [{ configName: 'ConnectionTimeOut', configValue, canBeChanged: true }] }),
  },
});
const PENDING: Situation = { report: { pendingStart: { rfidTag: 'TAG', socketId: 1 } } };
/** Its socket 1, in a status that was received before the start; the charger has booted at that position. */
const socketBefore = (part: Partial<ReportedStatus>, bootedAt?: readonly [number, number]) => ({
  ...(bootedAt === undefined ? {} : { boot: bootAt(bootedAt) }),
  sockets: {
    '1': {
      state: 'Available' as const,
      errorCode: '',
      info: '',
      vendorErrorCode: '',
      at: secondsBefore(5),
      position: [1, 4] as const,
      ...part,
    },
  },
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

  it('keeps the position of a start whose copy comes late, by an older connection', () => {
    const begun = start({}, { ...KNOWN, position: [2, 2] });
    const stored = { ...KNOWN, sessions: begun.rows.sessions, reported: begun.charger.reported };
    const copy = start({}, { ...stored, position: [1, 2] });
    expect(copy.charger.reported.ongoing['1']?.position).toEqual([2, 2]);
    const between = start({ meterStart: 101 }, { ...stored, reported: copy.charger.reported, position: [1, 3] });
    expect(between.rows).toMatchObject({ sessions: [{ state: 'superseded' }], superseded: [] });
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
    [
      'Accepted',
      'remote_start',
      'a tag that is not yet valid, of a remote start',
      { tags: [{ startDate: secondsBefore(-60) }], reported: remoteStart() },
    ],
    [
      'Expired',
      'own',
      'an expired tag of a remote start',
      { tags: [{ expiringDate: secondsBefore(60) }], reported: remoteStart() },
    ],
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

  it.each<[string, string, object, Situation]>([
    ['Accepted', 'within the charger’s ConnectionTimeOut', {}, orderedAgo(80, '60')],
    ['Invalid', 'after the charger’s ConnectionTimeOut', {}, orderedAgo(100, '60')],
    ['Accepted', 'within ten minutes, where the ConnectionTimeOut is unknown', {}, orderedAgo(590)],
    ['Invalid', 'after ten minutes, where the ConnectionTimeOut is unknown', {}, orderedAgo(610)],
    ['Accepted', 'within ten minutes, where the ConnectionTimeOut is 0', {}, orderedAgo(590, '0')],
    ['Invalid', 'after ten minutes, where the ConnectionTimeOut is 0', {}, orderedAgo(610, '0')],
    ['Accepted', 'within ten minutes, where the ConnectionTimeOut is no number', {}, orderedAgo(590, 'soon')],
    ['Invalid', 'after ten minutes, where the ConnectionTimeOut is no number', {}, orderedAgo(610, 'soon')],
    ['Accepted', 'in time, and reported hours later', { timestamp: secondsBefore(7_170) }, orderedAgo(7_200)],
    ['Invalid', 'long before it', { timestamp: secondsBefore(9_000) }, orderedAgo(7_200)],
    ['Accepted', 'before the charger has responded', {}, PENDING],
    ['Accepted', 'before the response, by a clock that is minutes ahead', { timestamp: secondsBefore(-50) }, PENDING],
    ['Invalid', 'before the response, at another socket', { connectorId: 2 }, PENDING],
    ['Invalid', 'before the response, with another tag', { idTag: 'Other' }, PENDING],
    ['Invalid', 'an hour before the remote start', { timestamp: secondsBefore(3_600) }, PENDING],
  ])('61. answers %s for an unknown tag of a remote start that begins %s', (status, _, fields, situation) => {
    expect(start(fields, situation).answer).toMatchObject({ idTagInfo: { status } });
  });

  it('names the parent and the expiry of the tag', () => {
    const info = { parentIdTag: 'Family', expiryDate: secondsBefore(-60) };
    const tags = [{ parentIdTag: info.parentIdTag, expiringDate: info.expiryDate }];
    expect(start({}, { tags }).answer?.idTagInfo).toEqual({ status: 'Accepted', ...info });
  });

  it.each<[string, Situation, Situation]>([
    ['an order that is used up since', { reported: remoteStart() }, {}],
    ['a block that is lifted since', { tags: [{ blocked: true }] }, KNOWN],
    ['a use elsewhere that has ended since', { ...KNOWN, sessions: [elsewhere] }, KNOWN],
  ])('55. repeats the verdict for a start that is sent again: %s', (_, before, after) => {
    const first = start({}, before);
    const again = start({}, { ...after, sessions: first.rows.sessions, report: { id: 'again' } });
    expect(again.answer).toEqual(first.answer);
    expect(again.rows.sessions).toEqual([]);
  });

  it('58. restores nothing by a start that is sent again after its stop', () => {
    const sessions = start({}, KNOWN).rows.sessions.map((session) => ({
      ...session,
      state: 'ended' as const,
      endTime: RECEIVED_AT,
    }));
    const { answer, rows, charger } = start({}, { ...KNOWN, sessions, report: { id: 'again' } });
    expect(answer).toMatchObject({ transactionId: 77 });
    expect(rows.sessions).toEqual([]);
    expect(charger.reported.ongoing).toEqual({});
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

  it.each<[string, number, readonly [number, number], Partial<Charger['reported']>]>([
    ['Available after it', 3_600, [1, 5], socketBefore({ ownAt: secondsBefore(5) })],
    ['Available after it, by a newer connection', 5, [1, 5], socketBefore({ position: [2, 1] })],
    [
      'Available after it, by a newer connection and its clock',
      5,
      [1, 5],
      socketBefore({ position: [2, 1], ownAt: secondsBefore(5) }),
    ],
    [
      'Available by a newer connection, whose boot has set the clock back',
      5,
      [1, 5],
      socketBefore({ position: [2, 2], ownAt: secondsBefore(60) }, [2, 1]),
    ],
    [
      'Available after a boot that has set the clock back by years',
      3_600,
      [1, 5],
      socketBefore({ ownAt: '2021-01-01T00:00:00.000Z' }, [1, 3]),
    ],
  ])('61. releases the tag of a session whose socket was %s', (_, seconds, position, reported) => {
    const { rows, charger, contested } = start({ timestamp: secondsBefore(seconds) }, { ...KNOWN, position, reported });
    expect(rows.sessions).toMatchObject([{ state: 'ongoing', tagReleased: true }]);
    expect(charger.reported.ongoing['1']).toMatchObject({ transactionId: 77, tagReleased: true });
    expect(contested).toEqual([]);
  });

  it.each<[string, number, Partial<Charger['reported']>]>([
    ['Available before it', 3_600, socketBefore({ ownAt: secondsBefore(3_700) })],
    ['Available without a timestamp', 3_600, socketBefore({})],
    ['Available before a boot', 3_600, socketBefore({ ownAt: secondsBefore(5), position: [1, 3] }, [1, 4])],
    ['Charging after it', 3_600, socketBefore({ state: 'Charging', ownAt: secondsBefore(5) })],
    ['Available just before, by a clock that was ahead', 0, socketBefore({ ownAt: secondsBefore(-30) })],
    ['Available before it, by a newer connection', 5, socketBefore({ position: [2, 1], ownAt: secondsBefore(60) })],
    ['Available days before it, after a boot', 3_600, socketBefore({ ownAt: secondsBefore(5 * 86_400) }, [1, 3])],
    [
      'Available before it, by a clock that is years behind',
      5 * 365 * 86_400 - 30,
      socketBefore({ ownAt: secondsBefore(5 * 365 * 86_400) }, [1, 3]),
    ],
  ])('61. retains the tag of a session whose socket was %s', (_, seconds, reported) => {
    const { rows, charger } = start({ timestamp: secondsBefore(seconds) }, { ...KNOWN, reported });
    expect(rows.sessions).toMatchObject([{ state: 'ongoing' }]);
    expect(rows.sessions[0]?.tagReleased).toBeUndefined();
    expect(charger.reported.ongoing['1']?.tagReleased).toBeUndefined();
  });

  it('53. does not show a refused start whose socket was Available after it', () => {
    const reported = socketBefore({ ownAt: secondsBefore(5) });
    const { rows, charger } = start({ timestamp: secondsBefore(3_600) }, { reported });
    expect(rows.sessions).toMatchObject([{ state: 'refused' }]);
    expect(charger.reported.ongoing).toEqual({});
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

  it('answers a start that is sent again beyond the limit, and counts it once', () => {
    const { sessions } = start({}, KNOWN).rows;
    const { starts } = startsToday(3);
    const reported = { starts: { ...starts, lastTransactionId: 77 } };
    const again = start({}, { ...KNOWN, sessions, maxStartsPerDay: 3, reported, report: { id: 'again' } });
    expect(again.answer).toMatchObject({ transactionId: 77 });
    expect(again.charger.reported.starts).toEqual(reported.starts);
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

function bootAt(position: readonly [number, number]): NonNullable<Charger['reported']['boot']> {
  const none = { serial: '', firmware: '', iccid: '', imsi: '', meterType: '', meterSerialNumber: '' };
  return { manufacturer: 'V', model: 'M', ...none, at: secondsBefore(60), position };
}
