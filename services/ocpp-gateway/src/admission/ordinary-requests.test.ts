import type { IncomingMessage } from 'node:http';
import { createOrdinaryRequests } from './ordinary-requests';
import type { RejectedAttempt } from './rejected-attempts';

it('counts and reports an upgrade that the listener has rejected', () => {
  const results: string[] = [];
  const rejected: RejectedAttempt[] = [];
  const upgrades = { inc: ({ result }: { result: string }) => void results.push(result) };
  const requests = createOrdinaryRequests({
    strict: false,
    metrics: { upgrades },
    onRejected: (attempt) => void rejected.push(attempt),
  });
  const request = { method: 'GET', url: '/ocpp/A', headers: { upgrade: 'websocket' } } as unknown as IncomingMessage;
  const from = { address: '203.0.113.7' };
  requests.handleRefused(request, { code: 'too_many_connections', requestId: 'r', from });
  expect(results).toEqual(['too_many_connections']);
  expect(rejected).toEqual([{ request, reason: 'too_many_connections', requestId: 'r', from }]);
});
