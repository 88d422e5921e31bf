import { isAppError, type Clock, type Logger } from '@busbar/core';
import type { Request, Response } from 'express';

/** Fields of a request's log line. The query is never logged: in the v1 (legacy) API it contains the key. */
export interface RequestNotes {
  readonly requestId: string;
  readonly path: string;
  route?: string;
  errorCode?: string;
  /** An internal error, or one of the broker or the store. */
  failure?: { readonly cause: unknown; readonly level: 'error' | 'warn' };
  readonly caller: Record<string, string>;
}

const MAX_LOGGED_PATH = 200;

/** Writes one line for each request when its response is sent or its client disconnects. */
export function logWhenClosed(
  { logger, clock }: { readonly logger: Logger; readonly clock: Clock },
  { request, response }: { readonly request: Request; readonly response: Response },
  notes: RequestNotes,
): void {
  const startMs = clock.monotonicMs();
  response.once('close', () => {
    const fields = {
      requestId: notes.requestId,
      method: request.method,
      path: notes.path.slice(0, MAX_LOGGED_PATH),
      ...(notes.route === undefined ? {} : { route: notes.route }),
      status: response.statusCode,
      ms: Math.round(clock.monotonicMs() - startMs),
      ...notes.caller,
      ...(notes.errorCode === undefined ? {} : { errorCode: notes.errorCode }),
      ...(response.writableFinished ? {} : { aborted: true }),
    };
    const { failure } = notes;
    if (failure === undefined) logger.info(fields, 'request');
    else logger[failure.level]({ ...fields, ...loggedCause(failure.cause) }, 'request failed');
  });
}

/** The owner of a connection logs its outage: a stack for each failed request adds nothing. */
function loggedCause(cause: unknown): Readonly<Record<string, unknown>> {
  return isAppError(cause, 'unavailable') ? { reason: cause.message } : { err: cause };
}
