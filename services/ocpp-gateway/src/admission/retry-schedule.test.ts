import { createFakeClock } from '@busbar/testing';
import { createRetrySchedule } from './retry-schedule';

const secondsOf = (next: () => number, count: number): number[] =>
  Array.from({ length: count }, () => Math.ceil(next() / 1_000));

describe('the schedule of retries', () => {
  it('is two to four seconds for a thousand chargers', () => {
    const { nextMs } = createRetrySchedule(createFakeClock());
    const waits = secondsOf(nextMs, 1_000);
    expect([Math.min(...waits), Math.max(...waits)]).toEqual([3, 4]);
  });

  it('lets at most five hundred retry in a second', () => {
    const { nextMs } = createRetrySchedule(createFakeClock());
    const waits = secondsOf(nextMs, 6_000);
    for (let second = 0; second <= 15; second += 1) {
      expect(waits.filter((wait) => wait === second).length).toBeLessThanOrEqual(500);
    }
  });

  it('never exceeds fifteen seconds', () => {
    const { nextMs } = createRetrySchedule(createFakeClock());
    expect(Math.max(...secondsOf(nextMs, 20_000))).toBe(15);
  });

  it('begins anew when the rejected chargers have had time to return', () => {
    const clock = createFakeClock();
    const { nextMs } = createRetrySchedule(clock);
    const first = nextMs();
    for (let i = 0; i < 6_000; i += 1) nextMs();
    clock.advance(15_000);
    expect(nextMs()).toBe(first);
  });
});
