// What failed in a request, as every screen shows it: the problem of the API, or that there was no response.
import type { components } from './generated/v2';

export type Problem = components['schemas']['Problem'];

/** Codes that the page itself adds to those of the API. */
export type FailureCode = Problem['code'] | 'no_response' | 'unreadable_response';

/** A failed request. `message` is for a reader. */
export interface Failure extends Error {
  readonly code: FailureCode;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly problem: Problem | undefined;
}

export function failureOf(problem: Problem): Failure {
  const { code, status, requestId } = problem;
  return Object.assign(new Error(problem.detail), { code, status, requestId, problem });
}

/** No response arrived: the network or the service is unavailable. */
export function noResponse(cause: unknown): Failure {
  return Object.assign(new Error('The service did not respond.', { cause }), {
    code: 'no_response' as const,
    status: 0,
    requestId: undefined,
    problem: undefined,
  });
}

/** A response that is not of the API, such as a proxy's error page. */
export function unreadableResponse(response: Response): Failure {
  const message = `The service responded with status ${String(response.status)} and no explanation.`;
  return Object.assign(new Error(message), {
    code: 'unreadable_response' as const,
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    problem: undefined,
  });
}

export function isFailure(error: unknown): error is Failure {
  return error instanceof Error && 'code' in error && 'status' in error && 'requestId' in error;
}

/** Whether the same request may succeed when it is repeated unchanged. */
export function isTransient(error: unknown): boolean {
  return isFailure(error) && ['no_response', 'unavailable', 'rate_limited', 'unreadable_response'].includes(error.code);
}
