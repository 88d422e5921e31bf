import type { AttemptOutcome } from './attempt-outcome';
import { afterAttempt, HEALTHY, probedEvent, UNLIMITED, type Attempt, type WebhookHealth } from './webhook-health';

const NOW = Date.parse('2026-01-31T12:00:00Z');
const HOUR = 3_600_000;

function attempt(outcome: AttemptOutcome, atMs: number, eventId = 'a'): Attempt {
  return { eventId, outcome, startedMs: atMs, firstStartedMs: atMs, endedMs: atMs };
}
const after = (health: WebhookHealth, each: Attempt): WebhookHealth => afterAttempt(health, each, 0.5);
/** At the time of the next probe. */
const probe = (health: WebhookHealth, outcome: AttemptOutcome, eventId?: string): WebhookHealth =>
  after(health, attempt(outcome, health.nextProbeMs ?? Number.NaN, eventId));
const failed = (): WebhookHealth => after(HEALTHY, attempt('webhook_failed', NOW));
/** After so many different events were refused in a row. */
function refusing(count: number): WebhookHealth {
  const ids = Array.from({ length: count }, (_, n) => `e${String(n)}`);
  return ids.reduce((health, id, n) => after(health, attempt('event_refused', NOW + n, id)), HEALTHY);
}

it('fails at the first failure, and probes after 5 s', () => {
  expect(failed()).toMatchObject({ status: 'failing', failingSinceMs: NOW, failures: 1, nextProbeMs: NOW + 5_000 });
});

it('waits longer after each probe that fails', () => {
  const waits = [failed()];
  for (let n = 0; n < 5; n += 1) waits.push(probe(waits.at(-1) ?? HEALTHY, 'webhook_failed'));
  const times = waits.map(({ nextProbeMs }) => nextProbeMs ?? 0);
  expect(times.map((time, n) => (time - (times[n - 1] ?? NOW)) / 1_000)).toEqual([5, 30, 120, 300, 600, 600]);
});

it('multiplies waits and limits by the scale of time', () => {
  const scaled = (health: WebhookHealth, atMs: number) =>
    afterAttempt(health, attempt('webhook_failed', atMs), 0.5, 0.001);
  expect(scaled(HEALTHY, NOW).nextProbeMs).toBe(NOW + 5);
  expect(scaled(scaled(HEALTHY, NOW), NOW + 72 * 3_600)).toMatchObject({ status: 'disabled' });
});

it('is disabled after 72 hours without a success, also where it refused single events between its failures', () => {
  const refused = after(failed(), attempt('event_refused', NOW + 5_000));
  expect(refused).toMatchObject({ status: 'active', failingSinceMs: null });
  const later = after(refused, attempt('webhook_failed', NOW + 71 * HOUR));
  expect(later).toMatchObject({ status: 'failing', failingSinceMs: NOW + 71 * HOUR });
  expect(probe({ ...later, nextProbeMs: NOW + 72 * HOUR }, 'webhook_failed')).toMatchObject({
    status: 'disabled',
    statusReason: 'no_success_72h',
  });
  const succeeded = probe(later, 'delivered');
  expect(after(succeeded, attempt('webhook_failed', NOW + 73 * HOUR))).toMatchObject({ status: 'failing' });
});

it('respects Retry-After', () => {
  const asked = { ...attempt('webhook_failed', NOW), retryAfterMs: 90_000 };
  expect(after(HEALTHY, asked).nextProbeMs).toBe(NOW + 90_000);
});

it.each<AttemptOutcome>(['webhook_failed', 'event_refused'])(
  'learns nothing from an attempt that was in flight when it failed: %s',
  (outcome) => {
    const health = failed();
    expect(after(health, { ...attempt(outcome, NOW + 4_999), endedMs: NOW + 60_000 })).toEqual(health);
  },
);

it('is active again after any success, with one delivery at once, and twice as many after each further one', () => {
  let health = after(failed(), attempt('delivered', NOW + 1));
  expect(health).toMatchObject({ status: 'active', failures: 0, failingSinceMs: null, nextProbeMs: null });
  const concurrency = [health.concurrency];
  for (let n = 2; n <= 7; n += 1) concurrency.push((health = after(health, attempt('delivered', NOW + n))).concurrency);
  expect(concurrency).toEqual([1, 2, 4, 8, 16, 32, UNLIMITED]);
});

it('limits no deliveries while it succeeds', () => {
  expect(after(HEALTHY, attempt('delivered', NOW))).toEqual({ ...HEALTHY, lastSuccessMs: NOW });
});

it.each([
  [71, 'failing', null],
  [72, 'disabled', 'no_success_72h'],
])('is after %i h without a success %s', (hours, status, statusReason) => {
  const health = after(failed(), attempt('webhook_failed', NOW + hours * HOUR));
  expect(health).toMatchObject({ status, statusReason, failingSinceMs: NOW });
});

it('is disabled at once by 410, and stays so', () => {
  const gone = after(HEALTHY, attempt('webhook_gone', NOW));
  expect(gone).toMatchObject({ status: 'disabled', statusReason: 'gone', nextProbeMs: null });
  for (const outcome of ['delivered', 'webhook_failed', 'event_refused'] as const)
    expect(after(gone, attempt(outcome, NOW + 1))).toBe(gone);
});

describe('refused events', () => {
  it('stay the events’ own matter up to the 19th', () => {
    expect(refusing(19)).toMatchObject({ status: 'active', failures: 0, concurrency: UNLIMITED });
  });

  it('are a failure of the webhook from the 20th in a row', () => {
    expect(refusing(20)).toMatchObject({ status: 'failing', failures: 1, nextProbeMs: NOW + 19 + 5_000 });
  });

  it('count once each, however often they are tried', () => {
    const again = Array.from({ length: 50 }).reduce<WebhookHealth>(
      (health, _, n) => after(health, attempt('event_refused', NOW + n)),
      HEALTHY,
    );
    expect(again).toMatchObject({ status: 'active', refused: ['a'] });
  });

  it('begin anew after a success', () => {
    const health = after(refusing(19), attempt('delivered', NOW + 100));
    expect(after(health, attempt('event_refused', NOW + 101, 'b'))).toMatchObject({ status: 'active', refused: ['b'] });
  });

  it('do not count when they were first tried before the last success', () => {
    const health = after(HEALTHY, attempt('delivered', NOW + 100));
    const older = { ...attempt('event_refused', NOW + 200), firstStartedMs: NOW };
    expect(after(health, older).refused).toEqual([]);
  });

  it('are probed in turn, since one of them may never be accepted', () => {
    let health = refusing(20);
    const probed: (string | undefined)[] = [];
    for (let n = 0; n < 21; n += 1) {
      probed.push(probedEvent(health));
      health = probe(health, 'event_refused', probedEvent(health));
    }
    expect(probed).toEqual([...Array.from({ length: 20 }, (_, n) => `e${String(n)}`), 'e0']);
    expect(health).toMatchObject({ status: 'failing', failures: 22 });
  });

  it('end a failure of the connection: the receiver answers', () => {
    const health = failed();
    expect(probedEvent(health)).toBeUndefined();
    expect(probe(health, 'event_refused', 'old')).toMatchObject({ status: 'active', concurrency: 1, refused: ['old'] });
  });

  it('are probed oldest first again when the connection fails meanwhile', () => {
    const health = probe(refusing(20), 'webhook_failed');
    expect([health.status, probedEvent(health)]).toEqual(['failing', undefined]);
  });
});
