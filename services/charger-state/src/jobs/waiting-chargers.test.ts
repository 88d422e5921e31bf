import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { createWaitingLook } from './waiting-chargers';

it('announces chargers again whose events were appended, or that were deleted, five seconds ago', async () => {
  const clock = createFakeClock(new Date('2026-01-01T12:00:00.000Z'));
  const asked: string[] = [];
  const announced: string[] = [];
  const lags: number[] = [];
  const answers = [[], [{ chargerId: 'A', incarnationId: 'A-1', at: '2026-01-01T11:59:00.000Z' }]];
  const deleted = { chargerId: 'B', incarnationId: 'B-1', at: '2026-01-01T11:59:30.000Z' };
  const job = createWaitingLook({
    waiting: {
      before(at) {
        asked.push(at);
        return Promise.resolve(answers[asked.length - 1] ?? []);
      },
    },
    deleted: { before: () => Promise.resolve(announced.length === 0 && asked.length > 1 ? [deleted] : []) },
    onLag: (seconds) => lags.push(seconds),
    announce: (chargers) => announced.push(...chargers.map(({ chargerId }) => chargerId)),
    clock,
    logger: createRecordingLogger(),
  });
  await job.start();
  // An interval that ends during a run is skipped.
  await eventually(() => {
    clock.advance(2_500);
    return announced.length > 0;
  });
  await job.stop();
  expect(asked[0]).toBe('2026-01-01T11:59:57.500Z');
  expect(announced.slice(0, 2)).toEqual(['A', 'B']);
  expect(lags[0]).toBe(0);
  expect(lags[1]).toBeGreaterThanOrEqual(60);
});
