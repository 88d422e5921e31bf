import { eventually } from '@busbar/testing';
import { behave, driverTags } from './behaviours';
import { openCharger } from './testing/open-charger';

jest.mock('node:timers/promises', () => ({
  // Yields, so that the loop of a driver does not keep everything else from running.
  setTimeout: (_ms: number, value: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((resolve, reject) =>
      setImmediate(() => (signal.aborted ? reject(new Error('aborted')) : resolve(value))),
    ),
}));

it.each([
  [1, 10, 'SIMTAG10'],
  [30, 30, 'SIMTAG30'],
  [20_000, 1000, 'SIMTAG1000'],
])('has for %i sockets %i tags', (sockets, count, last) => {
  const tags = driverTags(sockets);
  expect(new Set(tags).size).toBe(count);
  expect(tags.at(-1)).toBe(last);
});

async function driven(status: 'Invalid' | 'ConcurrentTx' | 'Accepted') {
  const { charger, answers } = await openCharger();
  answers['Authorize'] = { idTagInfo: { status } };
  const failures: string[] = [];
  const starts: string[] = [];
  let drain: () => void = () => undefined;
  const drained = new Promise<void>((resolve) => (drain = resolve));
  const stop = new AbortController();
  const { sessions } = charger;
  const watched = {
    ...charger,
    start: () => undefined,
    drained: () => drained,
    sessions: {
      ...sessions,
      start: (request: Parameters<typeof sessions.start>[0]) => {
        starts.push(request.idTag);
        return sessions.start(request);
      },
    },
  };
  const onFailure = (_chargerId: string, reason: string): void => void failures.push(reason);
  const ended = behave('day', { chargers: [watched], onFailure, stop: stop.signal });
  const end = async (): Promise<void> => {
    stop.abort();
    drain();
    await ended;
  };
  return { charger, failures, starts, drain, end };
}

it('keeps the tag of a driver until the service knows the end of the session', async () => {
  const { charger, starts, drain, end } = await driven('Accepted');
  // Both sockets: begun, ended, and their ends not delivered.
  await eventually(() => starts.length === 2 && charger.state.sockets.every(({ session }) => session === undefined));
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(starts).toEqual(['SIMTAG1', 'SIMTAG2']);
  drain();
  await eventually(() => starts.length >= 3);
  await end();
});

it.each([
  ['Invalid', 'the tag SIMTAG1 is Invalid: create the tag, or add --register'],
  ['ConcurrentTx', 'the tag SIMTAG1 is ConcurrentTx'],
] as const)('explains a tag that is %s', async (status, text) => {
  const { failures, end } = await driven(status);
  expect(await eventually(() => failures[0])).toBe(text);
  await end();
});
