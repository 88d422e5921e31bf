import { attemptOutcome, type AttemptOutcome } from './attempt-outcome';

it.each<[AttemptOutcome, (number | null)[]]>([
  ['delivered', [200, 201, 202, 204, 299]],
  ['webhook_failed', [null, 300, 301, 302, 304, 307, 308, 399, 401, 403, 404, 407, 408, 425, 429, 502, 503, 504]],
  ['webhook_gone', [410]],
  ['event_refused', [199, 400, 402, 405, 406, 409, 411, 413, 415, 418, 422, 451, 500, 501, 505, 599]],
])('means %s: %j', (expected, statuses) => {
  expect(statuses.map(attemptOutcome)).toEqual(statuses.map(() => expected));
});
