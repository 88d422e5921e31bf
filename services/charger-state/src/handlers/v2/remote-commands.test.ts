import type { Charger } from '@busbar/domain/chargers';
import type { Session } from '@busbar/domain/sessions';
import { handle, secondsBefore, type Situation } from '../../testing/handler-situation';
import { authorize } from './authorize';
import { remoteStartOutcome, remoteStopOutcome } from './remote-commands';
import { transactionEvent } from './transaction-event';

const IDLE = { idToken: 'TAG', type: 'Central' };
const REPORT = { commandId: 'command-1' };

const started = (parts: object, situation: Situation = {}, fields: object = {}) =>
  handle(
    transactionEvent,
    {
      eventType: 'Started',
      seqNo: 0,
      timestamp: secondsBefore(5),
      triggerReason: 'RemoteStart',
      evse: { id: 1, connectorId: 1 },
      idToken: IDLE,
      transactionInfo: { transactionId: 'T-1', ...parts },
      ...fields,
    },
    { openCharging: true, ...situation },
  );

const answered = (response: object) => ({ outcome: 'answered' as const, payload: { ...response } });

function accepted(situation: Situation, response: { readonly status: string; readonly transactionId?: string }) {
  const request = { idToken: IDLE, remoteStartId: 4_711, evseId: 1 };
  const payload = { result: answered(response), request, response, status: response.status };
  return handle(remoteStartOutcome, payload, { ...situation, report: REPORT });
}

function stopped(session: Session, situation: Situation, status = 'Accepted') {
  const response = { status };
  const payload = { result: answered(response), request: { transactionId: 'T-1' }, response, status };
  return handle(remoteStopOutcome, payload, { ...situation, sessions: [session], report: REPORT });
}

/** The session as its rows store it. */
function sessionIn({ rows }: ReturnType<typeof started>): Session {
  const session = rows.transactions[0]?.session ?? rows.sessions[0];
  if (session === undefined) throw new Error('no session');
  return session;
}

it('146. correlates a session with the remote start whose id it names', () => {
  const { charger } = accepted({}, { status: 'Accepted' });
  const result = started({ remoteStartId: 4_711 }, { reported: charger.reported });
  expect(sessionIn(result)).toMatchObject({
    commandId: 'command-1',
    startedBy: 'remote',
    authorizedBy: 'remote_start',
  });
  expect(result.charger.reported.awaitedStarts).toEqual([]);
  expect(result.charger.reported.ongoing['1']).toMatchObject({ commandId: 'command-1' });
});

it('146. does not correlate a session with a remote start of another tag', () => {
  const { charger } = accepted({}, { status: 'Accepted' });
  const idToken = { idToken: 'OTHER', type: 'Central' };
  const other = handle(
    transactionEvent,
    {
      eventType: 'Started',
      seqNo: 0,
      timestamp: secondsBefore(5),
      triggerReason: 'Authorized',
      idToken,
      transactionInfo: { transactionId: 'T-2' },
    },
    { openCharging: true, reported: charger.reported },
  );
  expect(sessionIn(other).commandId).toBeUndefined();
});

it.each([
  ['before its response', { remoteStartId: 4_711 }, { status: 'Accepted' }],
  ['with the cable before the command', {}, { status: 'Accepted', transactionId: 'T-1' }],
])('146. correlates a session that began %s', (_title, info, response) => {
  const begun = started(info);
  const sessions = [sessionIn(begun)];
  const { rows, charger } = accepted({ reported: begun.charger.reported, sessions }, response);
  expect(rows.correlations).toEqual([{ sessionId: sessions[0]?.sessionId, commandId: 'command-1' }]);
  expect(charger.reported.ongoing['1']).toMatchObject({ commandId: 'command-1' });
  expect(charger.reported.awaitedStarts).toBeUndefined();
});

describe('a remote start of a token that the client does not have', () => {
  const CLOSED = { openCharging: false };
  const ORDER = { commandId: 'command-1', idTagKey: 'tag', socketId: 1, remoteStartId: 4_711, at: secondsBefore(60) };
  const ordered = (over: object = {}): Situation => ({
    ...CLOSED,
    reported: { awaitedStarts: [{ ...ORDER, ...over }] },
  });
  const pendingStart = { rfidTag: 'TAG', socketId: 1, remoteStartId: 4_711 };

  it.each<[string, object, object, Situation]>([
    ['that the transaction names', { remoteStartId: 4_711 }, {}, ordered()],
    ['at another connector of its EVSE', { remoteStartId: 4_711 }, { evse: { id: 1, connectorId: 2 } }, ordered()],
    ['without an EVSE yet', { remoteStartId: 4_711 }, { evse: undefined }, ordered()],
    ['whose transaction began hours before', { remoteStartId: 4_711 }, { timestamp: secondsBefore(7_200) }, ordered()],
    ['that has no response yet', { remoteStartId: 4_711 }, {}, { ...CLOSED, report: { pendingStart } }],
    ['that it does not name, at its EVSE', {}, { evse: { id: 1, connectorId: 2 } }, ordered()],
  ])('146. is accepted %s', (_title, info, parts, situation) => {
    const result = started(info, situation, parts);
    expect(result.answer).toEqual({ idTokenInfo: { status: 'Accepted' } });
    expect(sessionIn(result)).toMatchObject({ state: 'ongoing', authorizedBy: 'remote_start' });
  });

  it.each<[string, object, object, Situation]>([
    ['at another EVSE, without its id', {}, { evse: { id: 2, connectorId: 1 } }, ordered()],
    ['with another token', { remoteStartId: 4_711 }, {}, ordered({ idTagKey: 'other' })],
    ['later than the connection timeout, without its id', {}, {}, ordered({ at: secondsBefore(660) })],
  ])('146. is refused %s', (_title, info, parts, situation) => {
    expect(started(info, situation, parts).answer).toEqual({ idTokenInfo: { status: 'Unknown' } });
  });

  it.each(['ConnectionTimeOut', 'TxCtrlr.EVConnectionTimeOut'])('148. waits as long as %s says', (configName) => {
    const configuration = [{ configName, configValue: '900', canBeChanged: true }];
    const { reported } = ordered({ at: secondsBefore(660) });
    const result = started({}, { ...CLOSED, reported: { ...reported, configuration } });
    expect(result.answer).toEqual({ idTokenInfo: { status: 'Accepted' } });
  });

  it('146. is accepted where the cable was there first, and the response names the transaction', () => {
    const begun = started({}, CLOSED, { idToken: undefined, timestamp: secondsBefore(3_600) });
    const sessions = [sessionIn(begun)];
    const { charger, rows } = accepted(
      { reported: begun.charger.reported, sessions },
      { status: 'Accepted', transactionId: 'T-1' },
    );
    const correlated = sessions.map((session) => ({ ...session, ...rows.correlations[0] }));
    const token = started(
      {},
      { ...CLOSED, reported: charger.reported, sessions: correlated },
      { eventType: 'Updated', seqNo: 1 },
    );
    expect(token.answer).toEqual({ idTokenInfo: { status: 'Accepted' } });
    expect(token.charger.reported.awaitedStarts).toEqual([]);
  });

  it('146. is correlated where a later event names it', () => {
    const begun = started({}, CLOSED, { idToken: undefined });
    const reported = { ...begun.charger.reported, ...ordered().reported };
    const named = started(
      { remoteStartId: 4_711 },
      { ...CLOSED, reported, sessions: [sessionIn(begun)] },
      { eventType: 'Updated', seqNo: 1 },
    );
    expect(sessionIn(named)).toMatchObject({ commandId: 'command-1', startedBy: 'remote' });
  });

  it('146. is correlated where its response named a transaction whose first event comes later', () => {
    const { charger } = accepted({}, { status: 'Accepted', transactionId: 'T-1' });
    const begun = started({}, { ...CLOSED, reported: charger.reported });
    expect(sessionIn(begun)).toMatchObject({
      commandId: 'command-1',
      startedBy: 'remote',
      authorizedBy: 'remote_start',
    });
  });

  it('146. is the cause of no session that does not name it', () => {
    const local = started({}, ordered());
    expect(sessionIn(local)).toMatchObject({ startedBy: 'local' });
    expect(sessionIn(local).commandId).toBeUndefined();
    expect(local.charger.reported.awaitedStarts).toHaveLength(1);
  });

  it.each<[string, Situation]>([
    ['that the charger accepted', ordered()],
    ['that has no response yet', { ...CLOSED, report: { pendingStart } }],
  ])('128. authorizes its token before the start, by an order %s', (_title, situation) => {
    expect(handle(authorize, { idToken: IDLE }, situation).answer).toMatchObject({
      idTokenInfo: { status: 'Accepted' },
    });
    expect(handle(authorize, { idToken: IDLE }, CLOSED).answer).toMatchObject({ idTokenInfo: { status: 'Unknown' } });
  });
});

it('does not await the start of a command that the charger rejected', () => {
  expect(accepted({}, { status: 'Rejected' }).charger.reported.awaitedStarts).toBeUndefined();
});

it.each<[string, object, readonly (readonly [eventType: 'Updated' | 'Ended', triggerReason: string])[], string]>([
  ['by its trigger', {}, [['Ended', 'RemoteStop']], 'Remote'],
  ['by its reason', { stoppedReason: 'Remote' }, [['Ended', 'EVCommunicationLost']], 'Remote'],
  ['by its trigger, where the reason is another', { stoppedReason: 'Local' }, [['Ended', 'RemoteStop']], 'Local'],
  [
    'by the trigger of an event before it',
    { stoppedReason: 'EVDisconnected' },
    [
      ['Updated', 'RemoteStop'],
      ['Ended', 'EVCommunicationLost'],
    ],
    'EVDisconnected',
  ],
])('146. correlates an end with the remote stop that caused it %s, before or after its response', (...row) => {
  const [, info, events, stopReason] = row;
  const begun = started({});
  const session = sessionIn(begun);
  const { charger } = stopped(session, { reported: begun.charger.reported });
  expect(charger.reported.awaitedStops).toMatchObject([{ commandId: 'command-1', transactionId: 77 }]);
  const end = (reported: Charger['reported']) =>
    events.reduce(
      (before, [eventType, triggerReason], n) => {
        const transactionInfo = { transactionId: 'T-1', ...(eventType === 'Ended' && info) };
        const timestamp = secondsBefore(9 - n);
        const payload = { eventType, seqNo: n + 1, timestamp, triggerReason, transactionInfo } as const;
        const result = handle(transactionEvent, payload, { sessions: [before.session], reported: before.reported });
        return { session: sessionIn(result), reported: result.charger.reported };
      },
      { session, reported },
    ).session;
  expect(end(charger.reported)).toMatchObject({ stopCommandId: 'command-1', stopReason });
  const first = end(begun.charger.reported);
  expect(stopped(first, {}).rows.correlations).toEqual([{ sessionId: session.sessionId, stopCommandId: 'command-1' }]);
  expect(stopped(session, {}, 'Rejected').charger.reported.awaitedStops).toBeUndefined();
});
