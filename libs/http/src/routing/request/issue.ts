import { AppError, type ErrorCode } from '@busbar/core';

/** One error of a request. */
export interface Issue {
  /** A JSON pointer into the body, or `?name` and `:name` for a parameter of the query or the path. */
  readonly path: string;
  readonly message: string;
  /** Where an invalid value has its own error code. */
  readonly code?: ErrorCode;
}

/** More would make the response larger than the request. */
const MAX_REPORTED = 50;

/** One error for all issues, of which it names `maxReported`. A value's own code precedes the general one; the first of several wins. */
export function refusalOf(issues: readonly Issue[], maxReported = MAX_REPORTED): AppError {
  const reported = issues.slice(0, maxReported);
  const code = issues.find((issue) => issue.code !== undefined)?.code ?? 'invalid_request';
  const leading = issues.find((issue) => issue.code === code) ?? issues[0];
  const message = leading === undefined ? 'The request is invalid.' : sentence(leading);
  return new AppError(code, message, {
    details: { issues: reported.map(({ path, message: text }) => ({ path, message: text })) },
  });
}

/** The issues of an error that `refusalOf` created. */
export function issuesOf(error: AppError): readonly { readonly path: string; readonly message: string }[] {
  const { issues } = error.details;
  return Array.isArray(issues) ? (issues as Issue[]) : [];
}

function sentence({ path, message }: Issue): string {
  return path === '' ? `The body ${message}.` : `${path.replace(/^[/?:]/, '')} ${message}.`;
}
