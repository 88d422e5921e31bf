import { isAppError, type Clock, type Logger } from '@busbar/core';
import type { Request, Response } from 'express';

/** What is known of a request by the time it is answered. The query is never part of it: the older API's carries its key. */
export interface RequestNotes {
  readonly requestId: string;
  readonly path: string;
  route?: string;
  errorCode?: string;
  /** An error of ours, or of the broker or the store. */
  failure?: { readonly cause: unknown; readonly level: 'error' | 'warn' };
  readonly caller: Record<string, string>;
}

const SHOWN_PATH = 200;

/** Writes one line for each request when its answer is out or its client has gone. */
export function logWhenAnswered(
  { logger, clock }: { readonly logger: Logger; readonly clock: Clock },
  { request, response }: { readonly request: Request; readonly response: Response },
  notes: RequestNotes,
): void {
  const startMs = clock.monotonicMs();
  response.once('close', () => {
    const fields = {
      requestId: notes.requestId,
      method: request.method,
      path: notes.path.slice(0, SHOWN_PATH),
      ...(notes.route === undefined ? {} : { route: notes.route }),
      status: response.statusCode,
      ms: Math.round(clock.monotonicMs() - startMs),
      ...notes.caller,
      ...(notes.errorCode === undefined ? {} : { errorCode: notes.errorCode }),
      ...(response.writableFinished ? {} : { aborted: true }),
    };
    const { failure } = notes;
    if (failure === undefined) logger.info(fields, 'request');
    else logger[failure.level]({ ...fields, ...shownCause(failure.cause) }, 'request failed');
  });
}

/** What is away is told once by whoever lost it: a stack for each request in between says nothing more. */
function shownCause(cause: unknown): Readonly<Record<string, unknown>> {
  return isAppError(cause, 'unavailable') ? { reason: cause.message } : { err: cause };
}
