import type { Session } from '@busbar/domain/sessions';
import { handle, secondsBefore, type Situation } from '../../testing/handler-situation';
import { remoteStartOutcome, remoteStopOutcome } from './remote-commands';
import { transactionEvent } from './transaction-event';

const IDLE = { idToken: 'TAG', type: 'Central' };
const REPORT = { commandId: 'command-1' };

const started = (parts: object, situation: Situation = {}) =>
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

it('does not await the start of a command that the charger rejected', () => {
  expect(accepted({}, { status: 'Rejected' }).charger.reported.awaitedStarts).toBeUndefined();
});

it('146. correlates an end with the remote stop that caused it, before or after its response', () => {
  const begun = started({});
  const session = sessionIn(begun);
  const { charger } = stopped(session, { reported: begun.charger.reported });
  expect(charger.reported.awaitedStops).toMatchObject([{ commandId: 'command-1', transactionId: 77 }]);
  const end = (reported: Situation['reported']) =>
    handle(
      transactionEvent,
      {
        eventType: 'Ended',
        seqNo: 1,
        timestamp: secondsBefore(1),
        triggerReason: 'RemoteStop',
        transactionInfo: { transactionId: 'T-1' },
      },
      { sessions: [session], ...(reported === undefined ? {} : { reported }) },
    );
  expect(sessionIn(end(charger.reported))).toMatchObject({ stopCommandId: 'command-1', stopReason: 'Remote' });
  const first = sessionIn(end(begun.charger.reported));
  expect(stopped(first, {}).rows.correlations).toEqual([{ sessionId: session.sessionId, stopCommandId: 'command-1' }]);
  expect(stopped(session, {}, 'Rejected').charger.reported.awaitedStops).toBeUndefined();
});
