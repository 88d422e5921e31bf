// How often a message may fail by its own fault, and what an error of the store has to do with that: nothing.
import type { Broker } from '@busbar/broker';
import type { DeadLetter, ReportEnvelope } from '@busbar/contracts';
import { AppError, systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { applyWithRetry } from './apply-with-retry';
import { createDeadLetters } from './dead-letters';

const OWN_FAULT = new TypeError('no handler can read it');
const UNAVAILABLE = new AppError('unavailable', 'the store is away');

const report = (id: string): ReportEnvelope => ({
  ...{
    v: 1,
    id,
    kind: 'report',
    chargerId: 'A',
    incarnationId: 'i',
    connectionId: 'c',
    gatewayId: 'g',
    order: 1,
    seq: 1,
  },
  ...{ ocppVersion: 'ocpp1.6', receivedAt: '2026-01-01T00:00:00.000Z', action: 'MeterValues', messageId: 'm' },
  ...{ payload: {}, raw: '[]' },
});

/** A message `bad` that fails with each of these in turn, and then is applied; every other one is applied at once. */
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
      keep: () => Promise.resolve(),
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
  const apply = (reports: readonly ReportEnvelope[]): Promise<readonly string[]> => {
    const ids = reports.map(({ id }) => id);
    attempts.push(ids);
    const error = ids.includes('bad') ? left.shift() : undefined;
    return error === undefined ? Promise.resolve(ids) : Promise.reject(error);
  };
  const run = (...ids: readonly string[]) => applyWithRetry(ids.map(report), { apply, deadLetter });
  return { run, attempts, letters, counted, logger };
}

const times = (n: number, error: Error): Error[] => Array.from({ length: n }, () => error);

it('a message that fails four times and is then applied is not buried', async () => {
  const { run, attempts, letters, counted, logger } = openWorld(...times(4, OWN_FAULT));
  expect(await run('bad')).toEqual(['bad']);
  expect(attempts).toHaveLength(5);
  expect([letters, counted, logger.lines]).toEqual([[], [], []]);
});

it('a message that fails five times is buried once, counted, and logged with its id', async () => {
  const { run, attempts, letters, counted, logger } = openWorld(...times(5, OWN_FAULT));
  expect(await run('bad')).toEqual([]);
  expect(attempts).toHaveLength(5);
  expect(letters).toMatchObject([{ report: { id: 'bad' }, reason: 'no handler can read it' }]);
  expect(counted).toEqual(['failed']);
  expect(logger.lines).toMatchObject([{ level: 'error', fields: { correlationId: 'bad', err: OWN_FAULT } }]);
});

it.each([0, 1, 4])('the store that goes away after %i failures is no fault of the message', async (failures) => {
  const { run, attempts, letters, counted } = openWorld(...times(failures, OWN_FAULT), UNAVAILABLE);
  await expect(run('bad')).rejects.toBe(UNAVAILABLE);
  expect(attempts).toHaveLength(failures + 1);
  expect([letters, counted]).toEqual([[], []]);
});

it('a batch is halved until the message stands alone, and has five attempts of its own there', async () => {
  // Once with all four, once with its half.
  const { run, attempts, letters } = openWorld(...times(2 + 4, OWN_FAULT));
  expect(await run('a', 'b', 'bad', 'c')).toEqual(['a', 'b', 'bad', 'c']);
  expect(attempts.filter((ids) => ids.join() === 'bad')).toHaveLength(5);
  expect(letters).toEqual([]);
});

it('a batch whose halves meet the store away is given back whole', async () => {
  const { run, letters } = openWorld(OWN_FAULT, UNAVAILABLE);
  await expect(run('a', 'bad')).rejects.toBe(UNAVAILABLE);
  expect(letters).toEqual([]);
});
