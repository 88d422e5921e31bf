import { createFakeClock, eventually } from '@busbar/testing';
import { createAdmissionLimiter } from './admission-limiter';

const wanted = () => true;

/** Work that ends when the test says so. */
function pieces() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    work: (name: string) => () =>
      new Promise<string>((resolve) => {
        begun.push(name);
        ends.set(name, () => resolve(name));
      }),
    end: (name: string) => ends.get(name)?.(),
  };
}

describe('turns', () => {
  it('are taken in the order of arrival, so many at once', async () => {
    const { begun, work, end } = pieces();
    const turns = createAdmissionLimiter(createFakeClock(), { atOnce: 2, maxQueue: 10, maxWaitMs: 1_000 });
    const results = ['a', 'b', 'c', 'd'].map((name) => turns.take(work(name), wanted));
    expect(begun).toEqual(['a', 'b']);
    end('b');
    await eventually(() => begun.includes('c'));
    expect(begun).toEqual(['a', 'b', 'c']);
    for (const name of ['a', 'c']) end(name);
    await eventually(() => begun.includes('d'));
    end('d');
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
    expect(turns.waiting()).toBe(0);
  });

  it('are refused at once to what finds the line full', async () => {
    const { work } = pieces();
    const turns = createAdmissionLimiter(createFakeClock(), { atOnce: 1, maxQueue: 1, maxWaitMs: 1_000 });
    void turns.take(work('a'), wanted);
    void turns.take(work('b'), wanted);
    expect(await turns.take(work('c'), wanted)).toBeUndefined();
    expect(turns.waiting()).toBe(1);
  });

  it('are given up by what waited too long, and that is never begun', async () => {
    const { begun, work, end } = pieces();
    const clock = createFakeClock();
    const turns = createAdmissionLimiter(clock, { atOnce: 1, maxQueue: 5, maxWaitMs: 1_000 });
    const first = turns.take(work('a'), wanted);
    const late = turns.take(work('b'), wanted);
    clock.advance(1_000);
    expect(await late).toBeUndefined();
    end('a');
    await first;
    expect(begun).toEqual(['a']);
  });

  it('pass over what nobody waits for any more', async () => {
    const { begun, work, end } = pieces();
    const turns = createAdmissionLimiter(createFakeClock(), { atOnce: 1, maxQueue: 5, maxWaitMs: 1_000 });
    void turns.take(work('a'), wanted);
    const gone = turns.take(work('b'), () => false);
    const last = turns.take(work('c'), wanted);
    end('a');
    expect(await gone).toBeUndefined();
    await eventually(() => begun.includes('c'));
    end('c');
    expect(await last).toBe('c');
    expect(begun).toEqual(['a', 'c']);
  });

  it('go on after work that failed', async () => {
    const turns = createAdmissionLimiter(createFakeClock(), { atOnce: 1, maxQueue: 5, maxWaitMs: 1_000 });
    const failed = turns.take(() => Promise.reject(new Error('no')), wanted);
    const next = turns.take(() => Promise.resolve('yes'), wanted);
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
