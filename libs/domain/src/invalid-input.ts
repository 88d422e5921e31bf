import { AppError } from '@busbar/core';

/** One invalid value. */
export interface InputIssue {
  /** The name of the field; in a list with its place: `sockets/0/id`. */
  readonly field: string;
  /** The requirement, to be read after the name: `must be before to`. */
  readonly message: string;
}

/** `invalid_request` for a rule that no schema expresses, naming each invalid value. */
export function invalidInput(message: string, ...issues: readonly InputIssue[]): AppError {
  return new AppError('invalid_request', message, { details: { issues } });
}
