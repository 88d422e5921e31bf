import { createFakeClock } from '@busbar/testing';
import type { Clock } from './clock';
import { withDeadline } from './deadline';

const late = (ms: number): Error => new Error(`late after ${String(ms)} ms`);

/** A clock that is moved by hand, and shows the timers that are neither over nor cancelled. */
function countingClock() {
  const clock = createFakeClock();
  let open = 0;
  const after: Clock['after'] = (ms, run) => {
    open += 1;
    const timer = clock.after(ms, run);
    return {
      cancel() {
        open -= 1;
        timer.cancel();
      },
    };
  };
  return { after, advance: (ms: number) => clock.advance(ms), openTimers: () => open };
}

/** Work that the test ends. */
function openWork() {
  let resolve: (result: string) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const work = new Promise<string>((onResult, onError) => {
    resolve = onResult;
    reject = onError;
  });
  return { work, resolve, reject };
}

describe('work with a deadline', () => {
  it('has the result of the work, and leaves no timer', async () => {
    const clock = countingClock();
    const { work, resolve } = openWork();
    const waiting = withDeadline(clock, 100, work, late);
    clock.advance(99);
    resolve('done');
    await expect(waiting).resolves.toBe('done');
    expect(clock.openTimers()).toBe(0);
  });

  it('rejects with the error of the work, and leaves no timer', async () => {
    const clock = countingClock();
    const failure = new Error('broken');
    await expect(withDeadline(clock, 100, Promise.reject(failure), late)).rejects.toBe(failure);
    expect(clock.openTimers()).toBe(0);
  });

  it('rejects with the error of the deadline where the work takes longer', async () => {
    const clock = countingClock();
    const waiting = withDeadline(clock, 100, openWork().work, late);
    clock.advance(100);
    await expect(waiting).rejects.toThrow('late after 100 ms');
  });

  it.each(['a result', 'a rejection'] as const)('drops %s after the deadline', async (end) => {
    const clock = countingClock();
    const { work, resolve, reject } = openWork();
    const waiting = withDeadline(clock, 100, work, late);
    clock.advance(100);
    if (end === 'a result') resolve('done');
    else reject(new Error('broken'));
    await expect(waiting).rejects.toThrow('late after 100 ms');
    expect(clock.openTimers()).toBe(0);
  });
});
