import type { RequestOutcome } from '@busbar/broker';
import type { ConnectionAttempt, ConnectionAttemptsStored } from '@busbar/contracts';
import { createFakeClock, eventually } from '@busbar/testing';
import { createAttemptReporter, type AttemptReporterDeps } from './attempt-reporter';

type Outcome = RequestOutcome<ConnectionAttemptsStored>;

const STORED: Outcome = { outcome: 'answered', answer: { stored: 1 } };

function attempt(n: number): ConnectionAttempt {
  const chargerId = `NEW_${String(n)}`;
  const common = { remoteAddress: null, reason: 'unknown_charger', protocols: [], requestId: 'r', count: 1 };
  return { id: String(n), chargerId, at: '2026-01-01T00:00:00.000Z', ...common };
}

/** An attempt with a network of its own: only the limit of all attempts applies. */
function strangerOf(n: number) {
  return { network: `network ${String(n)}`, isKnown: false };
}

/** A reporter, and the ids that each request carried. `outcomes`: of the requests in turn; `STORED` when they are used up. */
function openReporter(...outcomes: (Outcome | Promise<Outcome>)[]) {
  const clock = createFakeClock();
  const requests: string[][] = [];
  let dropped = 0;
  const broker = {
    ready: () => true,
    request: (_channel: unknown, _key: string, body: { attempts: readonly ConnectionAttempt[] }) => {
      requests.push(body.attempts.map(({ id }) => id));
      return Promise.resolve(outcomes.shift() ?? STORED);
    },
  } as unknown as AttemptReporterDeps['broker'];
  const reporter = createAttemptReporter({ broker, clock, onDropped: (count) => (dropped += count) });
  reporter.start();
  return { reporter, clock, requests, dropped: () => dropped };
}

/** A second passes, and whatever was asked in it is over. */
async function tick({ clock }: ReturnType<typeof openReporter>): Promise<void> {
  clock.advance(1_000);
  await new Promise((resolve) => setImmediate(resolve));
}

it('sends no empty batch', async () => {
  const world = openReporter();
  await tick(world);
  expect(world.requests).toEqual([]);
});

it('retries attempts that were not stored, with the same ids', async () => {
  const world = openReporter({ outcome: 'nobody' }, { outcome: 'timeout' });
  world.reporter.add(attempt(1), strangerOf(1));
  for (let n = 0; n < 4; n += 1) await tick(world);
  expect(world.requests).toEqual([['1'], ['1'], ['1']]);
});

it('sends batches of limited size, one request at a time', async () => {
  let answer: (outcome: Outcome) => void = () => undefined;
  const world = openReporter(new Promise((resolve) => (answer = resolve)));
  for (let n = 0; n < 150; n += 1) world.reporter.add(attempt(n), strangerOf(n));
  await tick(world);
  await tick(world);
  expect(world.requests.map((ids) => ids.length)).toEqual([100]);
  answer(STORED);
  await eventually(async () => {
    await tick(world);
    return world.requests.length > 1;
  });
  expect(world.requests[1]?.length).toBe(50);
});

it('drops and counts the oldest attempts above its limit', async () => {
  const world = openReporter();
  for (let n = 0; n < 2_003; n += 1) world.reporter.add(attempt(n), strangerOf(n));
  expect(world.dropped()).toBe(3);
  await tick(world);
  expect(world.requests[0]?.[0]).toBe('3');
});

it('keeps a known charger of another network while one network fills its share', async () => {
  const world = openReporter();
  for (let n = 0; n < 5_000; n += 1) world.reporter.add(attempt(n), strangerOf(0));
  world.reporter.add(attempt(5_000), { network: 'other', isKnown: true });
  expect(world.dropped()).toBe(4_800);
  for (let n = 0; n < 3; n += 1) await tick(world);
  expect(world.requests.map((ids) => ids.length)).toEqual([100, 100, 1]);
  expect(world.requests.at(-1)).toEqual(['5000']);
});

it('keeps a known charger while many networks fill the rest', async () => {
  const world = openReporter();
  world.reporter.add(attempt(0), { network: 'other', isKnown: true });
  for (let n = 1; n < 5_000; n += 1) world.reporter.add(attempt(n), strangerOf(n));
  await tick(world);
  expect(world.requests[0]?.[0]).toBe('0');
});

it('sends a last batch when it stops', async () => {
  const world = openReporter();
  world.reporter.add(attempt(1), strangerOf(1));
  await world.reporter.stop();
  expect(world.requests).toEqual([['1']]);
});
