import { AppError } from '@busbar/core';
import type { DeliveryAttempt } from '@busbar/domain/webhooks';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { createAttemptLog } from './attempt-log';

function attempt(n: number): DeliveryAttempt {
  return { id: String(n), webhookId: 'wh_1' } as DeliveryAttempt;
}

async function open() {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const written: (readonly DeliveryAttempt[])[] = [];
  const state = { isCut: false, dropped: 0 };
  const append = (batch: readonly DeliveryAttempt[]) => {
    if (state.isCut) return Promise.reject(new AppError('unavailable', 'The store is unavailable.'));
    written.push(batch);
    return Promise.resolve();
  };
  const onDropped = (count: number) => void (state.dropped += count);
  const log = createAttemptLog({ log: { append }, clock, logger, onDropped });
  await log.start();
  const settle = async () => {
    for (let n = 0; n < 50; n += 1) await Promise.resolve();
  };
  return { clock, logger, log, written, state, settle };
}

it('writes attempts in bulk, twice a second', async () => {
  const { clock, log, written, settle } = await open();
  for (let n = 0; n < 10; n += 1) log.add(attempt(n));
  expect(written).toEqual([]);
  clock.advance(500);
  await settle();
  expect(written.map(({ length }) => length)).toEqual([10]);
  clock.advance(500);
  await settle();
  expect(written).toHaveLength(1);
});

it('does not wait for the timer with many', async () => {
  const { log, written, settle } = await open();
  for (let n = 0; n < 1_200; n += 1) log.add(attempt(n));
  await settle();
  expect(written.flat()).toHaveLength(1_200);
});

it('keeps 5,000 while the store is unavailable, drops older ones, and warns once', async () => {
  const { clock, logger, log, written, state, settle } = await open();
  state.isCut = true;
  for (let n = 0; n < 5_100; n += 1) log.add(attempt(n));
  clock.advance(500);
  await settle();
  clock.advance(500);
  await settle();
  expect(state.dropped).toBe(100);
  expect(logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  state.isCut = false;
  clock.advance(500);
  await settle();
  expect(written.flat().map(({ id }) => id)).toEqual(Array.from({ length: 5_000 }, (_, n) => String(n + 100)));
});

it('writes what is left at a stop', async () => {
  const { log, written } = await open();
  log.add(attempt(1));
  await log.stop();
  expect(written.flat()).toHaveLength(1);
});
