import type { Clock } from './clock';

/**
 * Waits for work at most `ms`: resolves or rejects as the work does, or rejects with the error of `late`. The work itself
 * continues after that, and its later result is dropped, also a rejection.
 */
export function withDeadline<T>(
  clock: Pick<Clock, 'after'>,
  ms: number,
  work: Promise<T>,
  late: (ms: number) => Error,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = clock.after(ms, () => reject(late(ms)));
    work.then(resolve, reject).finally(() => timer.cancel());
  });
}
