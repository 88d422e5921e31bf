import { AppError, isAppError, messageOf } from '@busbar/core';
import type { ErrorText } from './protocol';

/** Serializes an error for another thread. */
export function errorText(error: unknown): ErrorText {
  if (!isAppError(error)) return { code: 'internal', message: messageOf(error) };
  const { code, message, details, cause } = error;
  return { code, message, details, ...(cause === undefined ? {} : { cause: messageOf(cause) }) };
}

/** The inverse, as far as a text allows. */
export function errorOf({ code, message, details, cause }: ErrorText): AppError {
  return new AppError(code, message, {
    ...(details === undefined ? {} : { details }),
    ...(cause === undefined ? {} : { cause: new Error(cause) }),
  });
}
