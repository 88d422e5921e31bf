import type { CallOutcome, Position } from '@busbar/contracts';
import type { AwaitedStart, Charger } from '@busbar/domain/chargers';
import type { Session } from '@busbar/domain/sessions';
import {
  answered,
  handle,
  RECEIVED_AT,
  secondsBefore,
  sessionWith,
  unanswered,
  type Situation,
} from '../../testing/handler-situation';
import { ongoingOf } from './meter-values';
import { remoteStartOutcome, remoteStopOutcome } from './remote-commands';
import type { RequestOf } from './route';

const BY_COMMAND: Situation = { report: { commandId: 'command-1' } };
const CHARGING_PROFILE = {
  chargingProfileId: 8,
  stackLevel: 0,
  chargingProfilePurpose: 'TxProfile',
  chargingProfileKind: 'Relative',
  chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [] },
};

describe('the result of a RemoteStartTransaction', () => {
  const start = (
    request: Partial<RequestOf<'RemoteStartTransaction'>> = { connectorId: 1 },
    situation: Situation = BY_COMMAND,
    status = 'Accepted',
  ) =>
    handle(remoteStartOutcome, answered<'RemoteStartTransaction'>({ idTag: 'Tag', ...request }, { status }), situation);
  const awaited = (part: Partial<AwaitedStart> = {}): AwaitedStart => ({
    commandId: 'command-1',
    idTagKey: 'tag',
    socketId: 1,
    at: RECEIVED_AT,
    ...part,
  });

  it.each<[string, object, AwaitedStart]>([
    ['its tag, at its socket', { connectorId: 1 }, awaited()],
    ['its tag in any case', { idTag: 'tAG', connectorId: 1 }, awaited()],
    ['its tag, at any socket', {}, awaited({ socketId: null })],
  ])('awaits a start with %s', (_, request, expected) => {
    const { charger, rows } = start(request);
    expect(charger.reported.awaitedStarts).toEqual([expected]);
    expect(rows.correlations).toEqual([]);
    expect(rows.deviceStates).toEqual([]);
  });

  it.each<[string, boolean, Exclude<CallOutcome, { outcome: 'answered' }>]>([
    ['timeout', true, { outcome: 'timeout' }],
    ['disconnected', true, { outcome: 'disconnected' }],
    ['invalid_answer', true, { outcome: 'invalid_answer', description: '' }],
    ['error', false, { outcome: 'error', code: 'InternalError', description: '' }],
    ['busy', false, { outcome: 'busy' }],
    ['not_here', false, { outcome: 'not_here' }],
  ])('after %s awaits a start, which the charger may begin: %s', (_, isAwaited, outcome) => {
    const request = { idTag: 'Tag', connectorId: 1, chargingProfile: CHARGING_PROFILE };
    const end = unanswered<'RemoteStartTransaction'>(request, outcome);
    const { charger, rows } = handle(remoteStartOutcome, end, BY_COMMAND);
    expect(charger.reported.awaitedStarts).toEqual(isAwaited ? [awaited()] : undefined);
    expect(rows.deviceStates).toEqual([]);
  });

  it.each([
    ['that the charger rejected', start({ connectorId: 1 }, BY_COMMAND, 'Rejected')],
    ['without a command of ours', start({ connectorId: 1 }, {})],
    [
      'with an invalid request',
      handle(remoteStartOutcome, answered<'RemoteStartTransaction'>(undefined, { status: 'Accepted' }), BY_COMMAND),
    ],
  ])('changes nothing for a remote start %s', (_, { charger, before, rows }) => {
    expect(charger).toBe(before);
    expect(rows.deviceStates).toEqual([]);
  });

  it.each([
    ['that names its socket', { connectorId: 1 }, 1],
    ['that names none', {}, null],
  ])('installs the charging profile of a remote start %s, for the transaction to come', (_, request, socketId) => {
    const { deviceState } = start({ ...request, chargingProfile: CHARGING_PROFILE });
    expect(deviceState.profiles.installed).toMatchObject([
      { profileId: 8, socketId, transactionId: null, forStart: true, commandId: 'command-1', position: [1, 5] },
    ]);
  });

  it('keeps the charging profiles of the charger beside that of a remote start', () => {
    const clearings = [{ criteria: { profileId: 3 }, position: [1, 1] as const }];
    const situation = { ...BY_COMMAND, deviceState: { profiles: { installed: [], clearings } } };
    const { deviceState } = start({ chargingProfile: CHARGING_PROFILE }, situation);
    expect(deviceState.profiles).toMatchObject({ installed: [{ profileId: 8 }], clearings });
  });

  it.each<[string, readonly AwaitedStart[], readonly AwaitedStart[]]>([
    ['beside those before it', [awaited({ commandId: 'a' })], [awaited({ commandId: 'a' }), awaited()]],
    ['once', [awaited({ at: secondsBefore(5) })], [awaited()]],
    ['without those of a day ago', [awaited({ commandId: 'a', at: secondsBefore(86_400) })], [awaited()]],
  ])('awaits a start %s', (_, before, after) => {
    const { charger } = start({ connectorId: 1 }, { ...BY_COMMAND, reported: { awaitedStarts: before } });
    expect(charger.reported.awaitedStarts).toEqual(after);
  });

  it('awaits 16 starts at most', () => {
    const before = Array.from({ length: 16 }, (_, n) => awaited({ commandId: String(n) }));
    const { charger } = start({ connectorId: 1 }, { ...BY_COMMAND, reported: { awaitedStarts: before } });
    expect(charger.reported.awaitedStarts).toEqual([...before.slice(1), awaited()]);
  });

  describe('that a start has overtaken', () => {
    /** A session of this charger, whose start has that position; the CALL was sent after message 3. */
    const overtakenBy = (part: Partial<Session> = {}, position: Position = [1, 4]): Situation => {
      const session = sessionWith({ startTime: secondsBefore(2), ...part });
      return {
        sessions: [session],
        reported: { ongoing: { [String(session.socketId)]: ongoingOf(session, position) } },
        report: { commandId: 'command-1', sentAfter: 3 },
      };
    };

    it.each<[string, object, Situation]>([
      ['at its socket', { connectorId: 1 }, overtakenBy()],
      ['at any socket', {}, overtakenBy({ socketId: 2 })],
      ['and is correlated with it already', { connectorId: 1 }, overtakenBy({ commandId: 'command-1' })],
      ['a minute ago', { connectorId: 1 }, overtakenBy({ startTime: secondsBefore(60) })],
      ['by a clock that is a minute ahead', { connectorId: 1 }, overtakenBy({ startTime: secondsBefore(-60) })],
      [
        'by any clock, authorized by the pending command',
        { connectorId: 1 },
        overtakenBy({ startTime: secondsBefore(3600), authorizedBy: 'remote_start' }),
      ],
    ])('is correlated with the session that began %s', (_, request, situation) => {
      const { charger, rows, lookups } = start(request, situation);
      expect(rows.correlations).toEqual([{ sessionId: 'session-1', commandId: 'command-1' }]);
      expect(lookups.session('session-1')).toMatchObject({ commandId: 'command-1', startedBy: 'remote' });
      expect(Object.values(charger.reported.ongoing)).toMatchObject([{ commandId: 'command-1' }]);
      expect(charger.reported.awaitedStarts).toBeUndefined();
    });

    it.each<[string, Situation]>([
      ['before the CALL was sent', overtakenBy({}, [1, 3])],
      ['by an older connection', overtakenBy({}, [0, 9])],
      ['after the result', overtakenBy({}, [1, 6])],
      ['at another socket', overtakenBy({ socketId: 2 })],
      ['with another tag', overtakenBy({ idTagKey: 'other' })],
      ['by another command', overtakenBy({ commandId: 'command-2' })],
      ['long ago, and was reported just then', overtakenBy({ startTime: secondsBefore(61) })],
      ['and is not stored yet', { ...overtakenBy(), sessions: [] }],
      ['where the gateway does not know when the CALL was sent', { ...overtakenBy(), ...BY_COMMAND }],
    ])('is not correlated with the session that began %s', (_, situation) => {
      const { charger, before, rows } = start({ connectorId: 1 }, situation);
      expect(rows.correlations).toEqual([]);
      expect(charger.reported.ongoing).toBe(before.reported.ongoing);
      expect(charger.reported.awaitedStarts).toEqual([awaited()]);
    });
  });
});

describe('the result of a RemoteStopTransaction', () => {
  const stop = (situation: Situation, status = 'Accepted') =>
    handle(remoteStopOutcome, answered<'RemoteStopTransaction'>({ transactionId: 7 }, { status }), situation);
  const having = (part: Partial<Session>, reported: Partial<Charger['reported']> = {}): Situation => ({
    ...BY_COMMAND,
    sessions: [sessionWith(part)],
    reported,
  });
  const ended = (part: Partial<Session> = {}): Situation =>
    having({ state: 'ended', endTime: secondsBefore(5), stopReason: 'Remote', ...part });
  const AWAITED = { commandId: 'command-1', transactionId: 7, at: RECEIVED_AT };

  it.each<[string, Partial<Session>]>([
    ['ongoing', {}],
    ['refused', { state: 'refused', verdict: 'unknown' }],
    ['superseded', { state: 'superseded' }],
  ])('awaits the stop of a session that is %s', (_, part) => {
    const { charger, rows } = stop(having(part));
    expect(charger.reported.awaitedStops).toEqual([AWAITED]);
    expect(rows.correlations).toEqual([]);
  });

  it('awaits a stop beside those before it', () => {
    const other = { ...AWAITED, commandId: 'command-2', transactionId: 8 };
    expect(stop(having({}, { awaitedStops: [other] })).charger.reported.awaitedStops).toEqual([other, AWAITED]);
  });

  it.each<[string, Partial<Session>]>([
    ['just before', {}],
    ['a minute ago', { endTime: secondsBefore(60) }],
    ['by a clock that is a minute ahead', { endTime: secondsBefore(-60) }],
  ])('is correlated with a remote stop that the charger reported %s', (_, part) => {
    const { charger, before, rows, lookups } = stop(ended(part));
    expect(rows.correlations).toEqual([{ sessionId: 'session-1', stopCommandId: 'command-1' }]);
    expect(lookups.session('session-1')?.stopCommandId).toBe('command-1');
    expect(charger).toBe(before);
  });

  it.each([
    ['that the charger rejected', stop(having({}), 'Rejected')],
    ['without a command of ours', stop({ ...having({}), report: {} })],
    ['of an unknown session', stop(BY_COMMAND)],
    ['of a session of another charger', stop(having({ incarnationId: 'B-1' }))],
    ['of a session that ended for another reason', stop(ended({ stopReason: 'EVDisconnected' }))],
    ['of a session that ended long before', stop(ended({ endTime: secondsBefore(61) }))],
    ['of a session that another command ended', stop(ended({ stopCommandId: 'command-2' }))],
    [
      'without a response',
      handle(remoteStopOutcome, unanswered<'RemoteStopTransaction'>({ transactionId: 7 }), having({})),
    ],
    [
      'with an invalid request',
      handle(remoteStopOutcome, answered<'RemoteStopTransaction'>(undefined, { status: 'Accepted' }), having({})),
    ],
  ])('changes nothing for a remote stop %s', (_, { charger, before, rows }) => {
    expect(charger).toBe(before);
    expect(rows.correlations).toEqual([]);
  });
});
