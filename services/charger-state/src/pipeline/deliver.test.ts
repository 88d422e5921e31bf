// A message may fail five times by its own fault; errors of the store do not count.
import type { Broker } from '@busbar/broker';
import type { DeadLetter } from '@busbar/contracts';
import { AppError, systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createDeadLetters } from './dead-letters';
import { createPartitionHandler } from './deliver';
import { newReport } from '../testing/report';

const OWN_FAULT = new TypeError('no handler can read it');
const UNAVAILABLE = new AppError('unavailable', 'the store is unavailable');

const report = (id: string) => newReport({ id, action: 'MeterValues' });

/** The message `bad` fails with each of these errors in turn, and then is applied. Other messages are applied. */
function openWorld(...errors: readonly Error[]) {
  const left = [...errors];
  const letters: DeadLetter[] = [];
  const counted: string[] = [];
  const logger = createRecordingLogger();
  const enqueue: Broker['enqueue'] = (_channel, _partition, body, done) => {
    letters.push(body as DeadLetter);
    setImmediate(done, undefined);
  };
  const { deadLetter } = createDeadLetters({
    broker: { enqueue } as unknown as Broker,
    store: {
      insert: () => Promise.resolve(),
      list: () => Promise.resolve([]),
      find: () => Promise.resolve(undefined),
      drop: () => Promise.resolve(false),
      count: () => Promise.resolve(0),
    },
    clock: systemClock,
    logger,
    onDeadLettered: (kind) => counted.push(kind),
  });
  const attempts: string[][] = [];
  const followed: string[] = [];
  const handle = createPartitionHandler({
    applyIn: () => (reports) => {
      const ids = reports.map(({ id }) => id);
      attempts.push(ids);
      const error = ids.includes('bad') ? left.shift() : undefined;
      const applied = reports.map((each) => ({ report: each, charger: undefined, isNew: true }));
      return error === undefined ? Promise.resolve(applied) : Promise.reject(error);
    },
    deadLetter,
    deadLetterBody: () => Promise.resolve(),
    follow: (applied) => followed.push(...applied.map(({ report: { id } }) => id)),
  });
  const run = async (...ids: readonly string[]) => {
    await handle([{ body: { reports: ids.map(report) } }] as never, 0);
    return followed;
  };
  return { run, attempts, letters, counted, logger };
}

const times = (n: number, error: Error): Error[] => Array.from({ length: n }, () => error);

it('applies a message that fails four times', async () => {
  const { run, attempts, letters, counted, logger } = openWorld(...times(4, OWN_FAULT));
  expect(await run('bad')).toEqual(['bad']);
  expect(attempts).toHaveLength(5);
  expect([letters, counted, logger.lines]).toEqual([[], [], []]);
});

it('dead-letters a message that fails five times: once, counted, and logged with its id', async () => {
  const { run, attempts, letters, counted, logger } = openWorld(...times(5, OWN_FAULT));
  expect(await run('bad')).toEqual([]);
  expect(attempts).toHaveLength(5);
  expect(letters).toMatchObject([{ report: { id: 'bad' }, reason: 'no handler can read it' }]);
  expect(counted).toEqual(['failed']);
  expect(logger.lines).toMatchObject([{ level: 'error', fields: { correlationId: 'bad', err: OWN_FAULT } }]);
});

it.each([0, 1, 4])('counts no failure when the store becomes unavailable after %i failures', async (failures) => {
  const { run, attempts, letters, counted } = openWorld(...times(failures, OWN_FAULT), UNAVAILABLE);
  await expect(run('bad')).rejects.toBe(UNAVAILABLE);
  expect(attempts).toHaveLength(failures + 1);
  expect([letters, counted]).toEqual([[], []]);
});

it('halves a batch until the message that fails is alone, and tries that five times', async () => {
  // Once with all four, once with its half.
  const { run, attempts, letters } = openWorld(...times(2 + 4, OWN_FAULT));
  expect(await run('a', 'b', 'bad', 'c')).toEqual(['a', 'b', 'bad', 'c']);
  expect(attempts.filter((ids) => ids.join() === 'bad')).toHaveLength(5);
  expect(letters).toEqual([]);
});

it('rejects the whole batch when the store is unavailable for one half', async () => {
  const { run, letters } = openWorld(OWN_FAULT, UNAVAILABLE);
  await expect(run('a', 'bad')).rejects.toBe(UNAVAILABLE);
  expect(letters).toEqual([]);
});

it('applies the reports of a charger in order, in chunks within their limits', async () => {
  const chunks: string[][] = [];
  const handle = createPartitionHandler({
    applyIn: () => (reports) => {
      chunks.push(reports.map(({ id }) => id));
      return Promise.resolve([]);
    },
    deadLetter: () => Promise.resolve(),
    deadLetterBody: () => Promise.resolve(),
    follow: () => undefined,
    limits: { reports: 2, characters: 1_000 },
  });
  const reports = ['1', '2', '3', '4', '5'].map(report);
  await handle([{ body: { reports } }] as never, 0);
  expect(chunks).toEqual([['1', '2'], ['3', '4'], ['5']]);
});
