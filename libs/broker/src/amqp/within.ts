import { AppError, type Clock } from '@busbar/core';

/** The promise's result, or a rejection with AppError `unavailable` after `ms`. A later result is dropped. */
export function within<T>(clock: Clock, ms: number, what: string, promise: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = clock.after(ms, () => {
      reject(new AppError('unavailable', `RabbitMQ did not answer within ${String(ms)} ms: ${what}.`));
    });
    promise.then(resolve, reject).finally(() => timer.cancel());
  });
}
