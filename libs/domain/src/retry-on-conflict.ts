import { AppError } from '@busbar/core';

const RETRY_AFTER_S = 1;

/** For a change that lost every attempt to other callers: nothing was changed, and a retry may succeed. */
export function conflictError(what: string): AppError {
  return new AppError('conflict', `${what} Try again.`, { details: { retryAfterS: RETRY_AFTER_S } });
}

/** An attempt is lost only to another caller's change, so this many mean heavy contention. */
export const MAX_ATTEMPTS = 100;

/** Repeats an attempt until it returns a value. Throws `conflictError` when all attempts are lost (undefined). */
export async function retryOnConflict<T>(lost: string, attempt: () => Promise<T | undefined>): Promise<T> {
  for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
    const done = await attempt();
    if (done !== undefined) return done;
  }
  throw conflictError(lost);
}
