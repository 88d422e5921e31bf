import { AppError, type ErrorCode } from '@busbar/core';

/** One thing wrong with a request. */
export interface Issue {
  /** A JSON pointer into the body, or `?name` and `:name` for a parameter of the query or the path. */
  readonly path: string;
  readonly message: string;
  /** Where this value has an error code of its own. */
  readonly code?: ErrorCode;
}

/** More are not told: they help nobody and would make the answer larger than the request. */
const MAX_REPORTED = 50;

/** One error for all that is wrong. A value's own code goes before the general one, the first of several wins. */
export function refusalOf(issues: readonly Issue[]): AppError {
  const reported = issues.slice(0, MAX_REPORTED);
  const code = issues.find((issue) => issue.code !== undefined)?.code ?? 'invalid_request';
  const leading = issues.find((issue) => issue.code === code) ?? issues[0];
  const message = leading === undefined ? 'The request is invalid.' : sentence(leading);
  return new AppError(code, message, {
    details: { issues: reported.map(({ path, message: text }) => ({ path, message: text })) },
  });
}

/** The issues that an error carries, as `refusalOf` put them there. */
export function issuesOf(error: AppError): readonly { readonly path: string; readonly message: string }[] {
  const { issues } = error.details;
  return Array.isArray(issues) ? (issues as Issue[]) : [];
}

function sentence({ path, message }: Issue): string {
  return path === '' ? `The body ${message}.` : `${path.replace(/^[/?:]/, '')} ${message}.`;
}
