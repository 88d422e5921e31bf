import { createFakeClock, eventually } from '@busbar/testing';
import { createRateLimiter, type RateLimiter, type SharedCount } from './rate-limit';

const taken = (limiter: RateLimiter, times: number, key = 'a'): number =>
  Array.from({ length: times }, () => limiter.take(key)).filter(({ isAllowed }) => isAllowed).length;

/** What all processes share; `settle` is when everything told so far has been heard. */
function createCount(): SharedCount & { writes: number; isAway: boolean; settle(): Promise<void> } {
  const sums = new Map<string, number>();
  return {
    writes: 0,
    isAway: false,
    add(key, by) {
      this.writes += 1;
      if (this.isAway) return Promise.reject(new Error('away'));
      const sum = (sums.get(key) ?? 0) + by;
      sums.set(key, sum);
      return Promise.resolve(sum);
    },
    settle: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

describe('the rate limit', () => {
  it('lets a burst of twice the rate through, then what comes back each second', () => {
    const clock = createFakeClock();
    const limiter = createRateLimiter({ perSecond: 100 }, clock);
    expect(taken(limiter, 300)).toBe(200);
    clock.advance(1_000);
    expect(taken(limiter, 300)).toBe(100);
    clock.advance(60_000);
    expect(taken(limiter, 300)).toBe(200);
  });

  it('keeps keys apart and says how many seconds to wait', () => {
    const limiter = createRateLimiter({ perSecond: 0.25, burst: 1 }, createFakeClock());
    expect(limiter.take('a')).toMatchObject({ isAllowed: true, waitS: 0 });
    expect(limiter.take('b').isAllowed).toBe(true);
    expect(limiter.take('a')).toMatchObject({ isAllowed: false, waitS: 4 });
  });

  it('tells its policy, what is left and when all is back', () => {
    const clock = createFakeClock();
    const limiter = createRateLimiter({ perSecond: 100 }, clock);
    expect(limiter.policy).toBe('"key";q=200;w=2');
    expect(limiter.take('a')).toEqual({ isAllowed: true, remaining: 199, resetS: 1, waitS: 0 });
    taken(limiter, 150);
    expect(limiter.take('a')).toEqual({ isAllowed: true, remaining: 48, resetS: 2, waitS: 0 });
    clock.advance(500);
    expect(limiter.take('a')).toMatchObject({ remaining: 97 });
  });

  it('refuses no longer than it takes for one token, however often it is asked meanwhile', () => {
    const clock = createFakeClock();
    const limiter = createRateLimiter({ perSecond: 1, burst: 1 }, clock);
    limiter.take('a');
    for (let i = 0; i < 10; i += 1) {
      expect(limiter.take('a').waitS).toBe(1);
      clock.advance(99);
    }
    clock.advance(11);
    expect(limiter.take('a').isAllowed).toBe(true);
  });

  it('forgets the key that was unused for longest when there are too many', () => {
    const limiter = createRateLimiter({ perSecond: 1, burst: 1, maxKeys: 2 }, createFakeClock());
    limiter.take('a');
    limiter.take('b');
    limiter.take('a');
    limiter.take('c');
    expect(limiter.take('a').isAllowed).toBe(false);
    expect(limiter.take('b').isAllowed).toBe(true);
  });
});

describe('the rate limit over several processes', () => {
  /** Each second every process is asked as often as it likes, ten times spread over the second. */
  async function grantedIn(seconds: number, processes: number, count = createCount()): Promise<number> {
    const clock = createFakeClock();
    const limiters = Array.from({ length: processes }, () =>
      createRateLimiter({ perSecond: 100, shared: count }, clock),
    );
    let granted = 0;
    for (let step = 0; step < seconds * 10; step += 1) {
      for (const limiter of limiters) granted += taken(limiter, 100);
      await count.settle();
      clock.advance(100);
    }
    return granted;
  }

  it('holds for all of them together, but for the first burst of each', async () => {
    const seconds = 60;
    const alone = await grantedIn(seconds, 1);
    expect(alone).toBeLessThanOrEqual(200 + seconds * 100);
    const together = await grantedIn(seconds, 4);
    expect(together).toBeLessThanOrEqual(4 * 200 + seconds * 100 * 1.1);
    expect(together).toBeGreaterThan(seconds * 100 * 0.8);
  });

  it.each([
    [2, 90],
    [4, 40],
  ])(
    'holds for %s that each are asked evenly, %s times a second, where each alone would allow it',
    async (processes, demand) => {
      const clock = createFakeClock();
      const count = createCount();
      const limiters = Array.from({ length: processes }, () =>
        createRateLimiter({ perSecond: 100, shared: count }, clock),
      );
      const seconds = 60;
      let granted = 0;
      for (let n = 0; n < seconds * demand; n += 1) {
        for (const limiter of limiters) granted += taken(limiter, 1);
        await count.settle();
        clock.advance(1_000 / demand);
      }
      expect(granted).toBeLessThanOrEqual(processes * 200 + seconds * 100 * 1.1);
      expect(granted).toBeGreaterThan(seconds * 100 * 0.8);
    },
  );

  it('costs one write for 25 requests, and none for a key that is seldom used', async () => {
    const count = createCount();
    const clock = createFakeClock();
    const limiter = createRateLimiter({ perSecond: 100, shared: count }, clock);
    for (let i = 0; i < 100; i += 1) {
      limiter.take('seldom');
      clock.advance(100);
    }
    expect(count.writes).toBe(0);
    for (let i = 0; i < 200; i += 1) {
      limiter.take('often');
      await count.settle();
    }
    expect(count.writes).toBe(8);
  });

  it('does not hold against a process what others used while its own bucket was full', async () => {
    const count = createCount();
    const clock = createFakeClock();
    const [one, other] = [0, 1].map(() => createRateLimiter({ perSecond: 100, shared: count }, clock));
    if (one === undefined || other === undefined) throw new Error('two were made');
    taken(one, 25);
    await count.settle();
    for (let second = 0; second < 60; second += 1) {
      taken(other, 50);
      await count.settle();
      clock.advance(1_000);
    }
    expect(taken(one, 25)).toBe(25);
    await count.settle();
    expect(one.take('a').remaining).toBeGreaterThan(150);
  });

  it('limits by what it knows while the store is away, and tells what it took when it is back', async () => {
    const count = createCount();
    count.isAway = true;
    expect(await grantedIn(10, 1, count)).toBeLessThanOrEqual(200 + 10 * 100);
    const clock = createFakeClock();
    const limiter = createRateLimiter({ perSecond: 100, shared: count }, clock);
    taken(limiter, 30);
    await count.settle();
    count.isAway = false;
    limiter.take('a');
    await eventually(async () => (await count.add('a', 0)) === 31);
  });
});
