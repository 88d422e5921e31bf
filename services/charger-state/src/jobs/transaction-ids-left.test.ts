import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { createTransactionIdsLeft } from './transaction-ids-left';

it('shows how many transaction ids are left, and logs each threshold once', async () => {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const shown: number[] = [];
  const lefts = [2_000_000_000, 1_000_000_000, 999_999_999, 500_000_000, 200_000_000, 199_999_999, 20_000_000];
  const reports = { transactionIdsLeft: () => Promise.resolve(lefts[shown.length] ?? 0) };
  const job = createTransactionIdsLeft({ reports, clock, logger, onLeft: (left) => shown.push(left) });
  await job.start();
  for (let n = 1; n <= lefts.length; n += 1) {
    await eventually(() => shown.length === n);
    clock.advance(60_000);
  }
  await job.stop();
  expect(shown.slice(0, lefts.length)).toEqual(lefts);
  const levels = logger.lines.map(({ level, fields }) => [level, fields.left]);
  expect(levels.slice(0, 4)).toEqual([
    ['warn', 1_000_000_000],
    ['warn', 500_000_000],
    ['error', 200_000_000],
    ['error', 20_000_000],
  ]);
});
