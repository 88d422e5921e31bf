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

/** A request that is over, in values that are few: no path, no id. */
export interface ClosedRequest {
  /** The path of the route below the base path, such as `/chargers/:chargerId`; undefined where none matched. */
  readonly route: string | undefined;
  readonly method: string;
  /** Undefined where the client left before it had a response. */
  readonly status: number | undefined;
  readonly seconds: number;
}

/** The trace of one request. */
export interface RequestTrace {
  readonly traceId: string;
  run(work: () => void): void;
  end(request: ClosedRequest & { readonly errorCode: string | undefined }): void;
}

export type TraceRequest = (request: Pick<Request, 'method' | 'headers'>) => RequestTrace;

export interface RequestLogDeps {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly onClosed?: (request: ClosedRequest) => void;
}

const EVENT_STREAM = 'text/event-stream';
const MAX_LOGGED_PATH = 200;

/** Writes one line for each request when its response is sent or its client disconnects. */
export function logWhenClosed(
  { logger, clock, onClosed }: RequestLogDeps,
  { request, response }: { readonly request: Request; readonly response: Response },
  notes: RequestNotes,
  requestTrace?: RequestTrace,
): void {
  const startMs = clock.monotonicMs();
  response.once('close', () => {
    const ms = clock.monotonicMs() - startMs;
    const { method } = request;
    const status = response.headersSent ? response.statusCode : undefined;
    const closed = { route: notes.route, method, status, seconds: ms / 1000 };
    if (!isEventStream(response)) onClosed?.(closed);
    requestTrace?.end({ ...closed, errorCode: notes.errorCode });
    const fields = {
      requestId: notes.requestId,
      ...(requestTrace === undefined ? {} : { traceId: requestTrace.traceId }),
      method,
      path: notes.path.slice(0, MAX_LOGGED_PATH),
      ...(notes.route === undefined ? {} : { route: notes.route }),
      status: response.statusCode,
      ms: Math.round(ms),
      ...notes.caller,
      ...(notes.errorCode === undefined ? {} : { errorCode: notes.errorCode }),
      ...(response.writableFinished ? {} : { aborted: true }),
    };
    const { failure } = notes;
    if (failure === undefined) logger.info(fields, 'request');
    else logger[failure.level]({ ...fields, ...loggedCause(failure.cause) }, 'request failed');
  });
}

function isEventStream(response: Response): boolean {
  const type = response.getHeader('content-type');
  return typeof type === 'string' && type.startsWith(EVENT_STREAM);
}

/** The owner of a connection logs its outage: a stack for each failed request adds nothing. */
function loggedCause(cause: unknown): Readonly<Record<string, unknown>> {
  return isAppError(cause, 'unavailable') ? { reason: cause.message } : { err: cause };
}
