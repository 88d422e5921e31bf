import { AppError } from '@busbar/core';

/** One value that a rule refuses: a JSON pointer into the body, or `?name` and `:name` of the query and the path. */
export interface InputIssue {
  readonly path: string;
  /** What must be, read after the name: `must be before to`. */
  readonly message: string;
}

/** `invalid_request` for what no schema can say, naming each value that it is about. */
export function invalidInput(message: string, ...issues: readonly InputIssue[]): AppError {
  return new AppError('invalid_request', message, { details: { issues } });
}
