import { createFakeClock } from '@busbar/testing';
import { createTicker } from './ticker';

describe('a ticker', () => {
  it('runs its work at each interval, and once for each although it was started twice', () => {
    const clock = createFakeClock();
    let runs = 0;
    const ticker = createTicker(clock, 1_000, () => (runs += 1));
    ticker.start();
    ticker.start();
    expect(runs).toBe(0);
    clock.advance(3_000);
    expect(runs).toBe(3);
  });

  it('runs nothing while it is stopped, and continues when it is started again', () => {
    const clock = createFakeClock();
    let runs = 0;
    const ticker = createTicker(clock, 1_000, () => (runs += 1));
    expect(ticker.running()).toBe(false);
    ticker.start();
    expect(ticker.running()).toBe(true);
    ticker.stop();
    ticker.stop();
    clock.advance(3_000);
    expect([runs, ticker.running()]).toEqual([0, false]);
    ticker.start();
    clock.advance(1_000);
    expect(runs).toBe(1);
  });
});
