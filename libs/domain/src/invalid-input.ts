import { AppError } from '@busbar/core';

/** One invalid value: a JSON pointer into the body, or `?name` and `:name` for query and path. */
export interface InputIssue {
  readonly path: string;
  /** The requirement, to be read after the name: `must be before to`. */
  readonly message: string;
}

/** `invalid_request` for a rule that no schema expresses, naming each invalid value. */
export function invalidInput(message: string, ...issues: readonly InputIssue[]): AppError {
  return new AppError('invalid_request', message, { details: { issues } });
}
