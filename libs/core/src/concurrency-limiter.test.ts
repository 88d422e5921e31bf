import { setImmediate as turn } from 'node:timers/promises';
import { createFakeClock } from '@busbar/testing';
import { createConcurrencyLimiter, type ConcurrencyLimiter } from './concurrency-limiter';

describe('a concurrency limiter', () => {
  /** Work that the test completes. */
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
      void limiter.run(work).then((result) => (results[i] = result));
    };
    const end = async (i: number) => {
      ends[i]?.();
      await turn();
    };
    return { begun, results, add, end };
  }

  it('runs as many as its concurrency, queues the next in order, and rejects what exceeds the queue', async () => {
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

  it('starts the next work after a failure', async () => {
    const limiter = createConcurrencyLimiter({ concurrency: 1, maxQueue: 1 });
    const failed = limiter.run(() => Promise.reject(new Error('no')));
    const next = limiter.run(() => Promise.resolve('done'));
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('done');
  });

  it('rejects work that waited too long, and never starts it', async () => {
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

  it('skips work whose result nobody waits for', async () => {
    const limiter = createConcurrencyLimiter({ concurrency: 1, maxQueue: 5 });
    let end = (): void => undefined;
    const first = limiter.run(() => new Promise<void>((resolve) => (end = resolve)));
    const abandoned = limiter.run(
      () => Promise.resolve('done'),
      () => false,
    );
    const last = limiter.run(() => Promise.resolve('done'));
    expect(limiter.queued()).toBe(2);
    end();
    await first;
    expect([await abandoned, await last]).toEqual(['busy', 'done']);
    expect(limiter.queued()).toBe(0);
  });
});
