import type { Session } from '@busbar/domain/sessions';
import { handle, secondsBefore } from '../../testing/handler-situation';
import type { ResponseOf } from './route';
import { transactionEvent } from './transaction-event';
import { transactionStatusOutcome } from './transaction-status';

/** A session in progress at connector 1 of EVSE 1, where nobody has reported a status. */
function begun() {
  const result = handle(
    transactionEvent,
    {
      eventType: 'Started',
      seqNo: 0,
      timestamp: secondsBefore(3_600),
      triggerReason: 'CablePluggedIn',
      evse: { id: 1, connectorId: 1 },
      transactionInfo: { transactionId: 'T-1', chargingState: 'Charging' },
    },
    {},
  );
  const session = result.rows.transactions[0]?.session ?? result.rows.sessions[0];
  return { charger: result.charger, sessions: [session as Session] };
}

function answered(response: ResponseOf<'GetTransactionStatus'> | undefined, transactionId = 'T-1') {
  const { charger, sessions } = begun();
  const result =
    response === undefined
      ? { outcome: 'timeout' as const }
      : { outcome: 'answered' as const, payload: { ...response } };
  const request = transactionId === '' ? {} : { transactionId };
  const payload = { result, request, response, status: '' };
  return {
    sessions,
    shown: charger,
    ...handle(transactionStatusOutcome, payload, { reported: charger.reported, sessions }),
  };
}

it('146. supersedes a session that its charger no longer has, without messages that wait', () => {
  const { charger, rows, emitted, sessions, lookups } = answered({ ongoingIndicator: false, messagesInQueue: false });
  expect(charger.reported.ongoing).toEqual({});
  expect(charger.reported.sockets['1']).toMatchObject({ state: 'Finishing' });
  expect(rows.superseded).toEqual([sessions[0]?.sessionId]);
  expect(lookups.session(String(sessions[0]?.sessionId))).toMatchObject({ state: 'superseded' });
  expect(emitted.map(({ type }) => type)).toEqual(['session.ended', 'socket.state_changed']);
  expect(emitted[0]).toMatchObject({ data: { superseded: true } });
});

it.each<[string, ResponseOf<'GetTransactionStatus'> | undefined, string]>([
  ['has it', { ongoingIndicator: true, messagesInQueue: false }, 'T-1'],
  ['has messages that wait', { ongoingIndicator: false, messagesInQueue: true }, 'T-1'],
  ['does not say', { messagesInQueue: false }, 'T-1'],
  ['does not answer', undefined, 'T-1'],
  ['was asked about another', { ongoingIndicator: false, messagesInQueue: false }, 'T-2'],
  ['was asked about none', { ongoingIndicator: false, messagesInQueue: false }, ''],
])('146. leaves a session as it is where its charger %s', (_title, response, transactionId) => {
  const { charger, shown, rows, emitted } = answered(response, transactionId);
  expect(charger.reported).toEqual(shown.reported);
  expect([rows.superseded, emitted]).toEqual([[], []]);
});
