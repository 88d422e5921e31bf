import { setImmediate as turn } from 'node:timers/promises';
import { createFakeClock } from '@busbar/testing';
import { createConcurrencyLimiter, type ConcurrencyLimiter } from './concurrency-limiter';

describe('a lane', () => {
  /** Work that ends when it is told to, in the order in which it was given. */
  function workIn(limiter: ConcurrencyLimiter) {
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const results: string[] = [];
    const add = (i: number) => {
      const work = async (): Promise<string> => {
        begun.push(i);
        await new Promise<void>((resolve) => (ends[i] = resolve));
        return 'done';
      };
      void limiter(work).then((result) => (results[i] = result));
    };
    const end = async (i: number) => {
      ends[i]?.();
      await turn();
    };
    return { begun, results, add, end };
  }

  it('does a number at once, the others in their order, and none beyond those that may wait', async () => {
    const { begun, results, add, end } = workIn(createConcurrencyLimiter({ concurrency: 2, maxQueue: 2 }));
    for (const i of [0, 1, 2, 3, 4]) add(i);
    await turn();
    expect(begun).toEqual([0, 1]);
    expect(results[4]).toBe('busy');
    await end(1);
    expect(begun).toEqual([0, 1, 2]);
    await end(0);
    await end(2);
    await end(3);
    expect(begun).toEqual([0, 1, 2, 3]);
    expect(results).toEqual(['done', 'done', 'done', 'done', 'busy']);
    add(5);
    add(6);
    await turn();
    expect(begun).toEqual([0, 1, 2, 3, 5, 6]);
  });

  it('hands the place on when work fails', async () => {
    const limiter = createConcurrencyLimiter({ concurrency: 1, maxQueue: 1 });
    const failed = limiter(() => Promise.reject(new Error('no')));
    const next = limiter(() => Promise.resolve('done'));
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('done');
  });

  it('lets nobody wait longer than it says', async () => {
    const clock = createFakeClock();
    const { begun, results, add, end } = workIn(
      createConcurrencyLimiter({ concurrency: 1, maxQueue: 5, wait: { ms: 100, clock } }),
    );
    for (const i of [0, 1]) add(i);
    clock.advance(60);
    add(2);
    clock.advance(40);
    await turn();
    expect(results[1]).toBe('busy');
    await end(0);
    expect(begun).toEqual([0, 2]);
    clock.advance(1_000);
    await end(2);
    expect(results).toEqual(['done', 'busy', 'done']);
  });
});
