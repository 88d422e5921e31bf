import { AppError } from '@busbar/core';

const RETRY_AFTER_S = 1;

/** Of a change that lost every one of its rounds to other callers: nothing was done, and a moment later it may be. */
export function conflictError(what: string): AppError {
  return new AppError('conflict', `${what} Try again.`, { details: { retryAfterS: RETRY_AFTER_S } });
}

/** A round is lost only to a change that another made meanwhile: whoever loses so many stands in a crowd. */
export const MAX_ATTEMPTS = 100;

/** Tries until an attempt gives something. Throws `lostToOthers` where each of them was lost (gave undefined). */
export async function retryOnConflict<T>(lost: string, attempt: () => Promise<T | undefined>): Promise<T> {
  for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
    const done = await attempt();
    if (done !== undefined) return done;
  }
  throw conflictError(lost);
}
