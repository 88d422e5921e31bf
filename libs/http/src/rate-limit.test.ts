import { createFakeClock } from '@busbar/testing';
import { createRateLimiter } from './rate-limit';

const taken = (take: () => number | undefined, times: number): number =>
  Array.from({ length: times }, take).filter((wait) => wait === undefined).length;

describe('the rate limit', () => {
  it('lets a burst of twice the rate through, then what comes back each second', () => {
    const clock = createFakeClock();
    const limiter = createRateLimiter({ perSecond: 100 }, clock);
    expect(taken(() => limiter.take('a'), 300)).toBe(200);
    clock.advance(1_000);
    expect(taken(() => limiter.take('a'), 300)).toBe(100);
    clock.advance(60_000);
    expect(taken(() => limiter.take('a'), 300)).toBe(200);
  });

  it('keeps keys apart and says how many seconds to wait', () => {
    const limiter = createRateLimiter({ perSecond: 0.25, burst: 1 }, createFakeClock());
    expect(limiter.take('a')).toBeUndefined();
    expect(limiter.take('b')).toBeUndefined();
    expect(limiter.take('a')).toBe(4);
  });

  it('refuses no longer than it takes for one token, however often it is asked meanwhile', () => {
    const clock = createFakeClock();
    const limiter = createRateLimiter({ perSecond: 1, burst: 1 }, clock);
    limiter.take('a');
    for (let i = 0; i < 10; i += 1) {
      expect(limiter.take('a')).toBe(1);
      clock.advance(99);
    }
    clock.advance(11);
    expect(limiter.take('a')).toBeUndefined();
  });

  it('forgets the key that was unused for longest when there are too many', () => {
    const limiter = createRateLimiter({ perSecond: 1, burst: 1, maxKeys: 2 }, createFakeClock());
    limiter.take('a');
    limiter.take('b');
    limiter.take('a');
    limiter.take('c');
    expect(limiter.take('a')).toBe(1);
    expect(limiter.take('b')).toBeUndefined();
  });
});
