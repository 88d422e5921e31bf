import type { IncomingMessage } from 'node:http';
import { createOrdinaryRequests } from './ordinary-requests';
import type { RejectedAttempt } from './rejected-attempts';

it.each([
  ['counts and reports an upgrade that the listener has rejected', '/ocpp/A', 1],
  ['ignores a rejected upgrade to another path of a shared port', '/v2/chargers', 0],
])('%s', (_title, url, count) => {
  const results: string[] = [];
  const rejected: RejectedAttempt[] = [];
  const upgrades = { inc: ({ result }: { result: string }) => void results.push(result) };
  const requests = createOrdinaryRequests({
    strict: false,
    metrics: { upgrades },
    onRejected: (attempt) => void rejected.push(attempt),
  });
  const request = { method: 'GET', url, headers: { upgrade: 'websocket' } } as unknown as IncomingMessage;
  const from = { address: '203.0.113.7' };
  requests.handleRefused(request, { code: 'too_many_sockets', requestId: 'r', from });
  expect(results).toEqual(Array<string>(count).fill('too_many_sockets'));
  const report = { request, reason: 'too_many_sockets', requestId: 'r', from };
  expect(rejected).toEqual(Array<typeof report>(count).fill(report));
});
