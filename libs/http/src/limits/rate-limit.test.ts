import { createFakeClock } from '@busbar/testing';
import { createRateLimiter, rateLimitItem, type RateLimiter, type RateLimitOptions } from './rate-limit';

const open = (options: RateLimitOptions, clock = createFakeClock()): RateLimiter => createRateLimiter(options, clock);

const taken = (limiter: RateLimiter, times: number, key = 'a'): number =>
  Array.from({ length: times }, () => limiter.take(key)).filter(({ isAllowed }) => isAllowed).length;

describe('a rate limiter', () => {
  it('allows a burst of twice the rate, then the rate', () => {
    const clock = createFakeClock();
    const limiter = open({ perSecond: 100 }, clock);
    expect(taken(limiter, 300)).toBe(200);
    clock.advance(1_000);
    expect(taken(limiter, 300)).toBe(100);
    clock.advance(60_000);
    expect(taken(limiter, 300)).toBe(200);
  });

  it('separates keys and returns the seconds to wait', () => {
    const limiter = open({ perSecond: 0.25, burst: 1 });
    expect(limiter.take('a')).toMatchObject({ isAllowed: true, waitS: 0 });
    expect(limiter.take('b').isAllowed).toBe(true);
    expect(limiter.take('a')).toMatchObject({ isAllowed: false, waitS: 4 });
  });

  it('returns its policy, the remaining tokens and the seconds until full', () => {
    const clock = createFakeClock();
    const limiter = open({ perSecond: 100 }, clock);
    expect(limiter.policy).toBe('"key";q=200;w=2');
    expect(limiter.take('a')).toEqual({ isAllowed: true, remaining: 199, resetS: 1, waitS: 0 });
    taken(limiter, 150);
    const allowance = limiter.take('a');
    expect(allowance).toEqual({ isAllowed: true, remaining: 48, resetS: 2, waitS: 0 });
    expect(rateLimitItem('key', allowance)).toBe('"key";r=48;t=2');
    clock.advance(500);
    expect(limiter.take('a')).toMatchObject({ remaining: 97 });
  });

  it('does not extend the wait by rejected requests', () => {
    const clock = createFakeClock();
    const limiter = open({ perSecond: 1, burst: 1 }, clock);
    limiter.take('a');
    for (let i = 0; i < 10; i += 1) {
      expect(limiter.take('a').waitS).toBe(1);
      clock.advance(99);
    }
    clock.advance(11);
    expect(limiter.take('a').isAllowed).toBe(true);
  });

  it('accepts a returned token up to the burst', () => {
    const limiter = open({ perSecond: 1, burst: 2 });
    limiter.giveBack('a');
    expect(taken(limiter, 3)).toBe(2);
    limiter.giveBack('a');
    expect(taken(limiter, 3)).toBe(1);
  });

  it('evicts the least recently used key above its limit', () => {
    const limiter = open({ perSecond: 1, burst: 1, maxKeys: 2 });
    limiter.take('a');
    limiter.take('b');
    limiter.take('a');
    limiter.take('c');
    expect(limiter.take('a').isAllowed).toBe(false);
    expect(limiter.take('b').isAllowed).toBe(true);
  });
});
