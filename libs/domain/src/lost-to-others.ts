import { AppError } from '@busbar/core';

const RETRY_AFTER_S = 1;

/** Of a change that lost every one of its rounds to other callers: nothing was done, and a moment later it may be. */
export function lostToOthers(what: string): AppError {
  return new AppError('conflict', `${what} Try again.`, { details: { retryAfterS: RETRY_AFTER_S } });
}
