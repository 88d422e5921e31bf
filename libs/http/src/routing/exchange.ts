// One request, its response, and what the steps before a handler found out about it.
import type { RequestHandler, Request, Response } from 'express';
import type { Credentials } from './policy/access';
import { readQuery, type Query } from './request/parameters';
import { requestIdFrom } from './request/request-id';
import { logWhenClosed, type RequestLogDeps, type RequestNotes, type TraceRequest } from './request-log';
import { splitTarget } from './request/request-target';
import { boundUnreadBody } from './request/unread-body';

/** The validated input of a route. */
export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly notes: RequestNotes;
  readonly query: Query;
  /** Methods of the routes with this path, for `Allow`. */
  readonly methods: Set<string>;
  /** The caller; undefined before `admit` and on public routes. */
  auth?: unknown;
  /** Undefined before `readInput`. */
  input?: Input;
}

/** A response as it is stored for an `Idempotency-Key`. */
export interface StoredSuccess {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly entityTag?: string;
}

/** The result of a route other than a long one. `stored`: that of an earlier request with the same `Idempotency-Key`. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown; readonly entityTag?: string }
  | ({ readonly kind: 'stored' } & StoredSuccess);

/** Begins a request: its id, its log line, the limit on a body that nobody reads. */
export function beginExchange(deps: RequestLogDeps & { readonly traceRequest?: TraceRequest }): RequestHandler {
  return (request, response, next) => {
    const { path, query } = splitTarget(request.originalUrl);
    const notes: RequestNotes = { requestId: requestIdFrom(request.headers['x-request-id']), path, caller: {} };
    const exchange: Exchange = { request, response, notes, query: readQuery(query), methods: new Set() };
    response.locals['exchange'] = exchange;
    response.set({ 'x-request-id': notes.requestId, 'cache-control': 'no-store' });
    const requestTrace = deps.traceRequest?.(request);
    logWhenClosed(deps, exchange, notes, requestTrace);
    boundUnreadBody(request, response, deps.clock);
    if (requestTrace === undefined) next();
    else requestTrace.run(next);
  };
}

/** The parts of its request that may contain credentials. */
export function credentialsOf({ request, query }: Exchange): Credentials {
  return { method: request.method, headers: request.headers, query: query.values };
}

export function exchangeOf(response: Response): Exchange {
  return response.locals['exchange'] as Exchange;
}
