import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Logger } from '@busbar/core';
import express, { type Request, type Response } from 'express';
import type { Access } from './access';
import { sendError, sendOutcome } from './answer';
import type { Exchange } from './exchange';
import { createProxyTrust } from './https-only';
import { createOnce, type IdempotencyOptions } from './idempotency';
import { createLongAnswers } from './long-response';
import { createMatcher } from './match-route';
import type { Page } from './page';
import { readQuery } from './parameters';
import type { ErrorPresenter } from './presenter';
import { createBodyReader } from './read-body';
import { requestIdFrom } from './request-id';
import type { RequestLimits } from '../limits/request-limits';
import { logWhenAnswered, type RequestNotes } from './request-log';
import { splitTarget } from './request-target';
import type { Route } from './route';
import { dataHeaders, pageHeaders } from './security-headers';
import { serve, type CompiledRoute, type ServeDeps, type Target } from './serve-route';
import { boundUnreadBody } from './unread-body';
import { createCompiler, type CompileSchema } from './validate';

const BODY_LIMIT_BYTES = 100_000;

export interface AppOptions<A> {
  /** What all its paths begin with: `/v2`. Any other path is answered with 404. */
  readonly basePath: string;
  readonly routes: readonly Route<A>[];
  readonly pages?: readonly Page[];
  readonly access: Access<A>;
  readonly presenter: ErrorPresenter;
  /** Networks whose `X-Forwarded-Proto` counts. */
  readonly trustedProxies: readonly string[];
  /** `Strict-Transport-Security`. False with a certificate that no browser trusts. Default true. */
  readonly sendsHsts?: boolean;
  /** May be another app's of the same process: then they count together. */
  readonly requestLimits: RequestLimits;
  /** Needed where routes take an `Idempotency-Key`. */
  readonly idempotency?: IdempotencyOptions;
  readonly logger: Logger;
  readonly clock: Clock;
}

export interface App {
  /** Answers one request, whatever comes: never throws, never hangs on to it. */
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** An HTTP API of routes declared as data. Listens to nothing by itself. Throws when a schema is wrong. */
export function createApp<A>(options: AppOptions<A>): App {
  const deps = serveDeps(options);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const senders = { pageHeaders: pageHeaders(), sendLong: createLongAnswers(options.clock) };
  app.use(dataHeaders(options.sendsHsts ?? true));
  app.use(async (request: Request, response: Response) => {
    const exchange = exchangeOf(request, response, options.basePath);
    response.set({ 'x-request-id': exchange.notes.requestId, 'cache-control': 'no-store' });
    logWhenAnswered(options, exchange, exchange.notes);
    boundUnreadBody(request, response, options.clock);
    try {
      await sendOutcome(await serve(deps, exchange), exchange, senders);
    } catch (error) {
      sendError(error, exchange, options.presenter, options.access.challenge);
    }
  });
  return { handle: (request, response) => void app(request, response) };
}

function serveDeps<A>(options: AppOptions<A>): ServeDeps<A> {
  const compile = createCompiler();
  const targets: Target<A>[] = [
    ...options.routes.map((route) => compileRoute(route, compile)),
    ...(options.pages ?? []),
  ];
  return {
    isTrustedProxy: createProxyTrust(options.trustedProxies),
    match: createMatcher(targets),
    access: options.access,
    requestLimits: options.requestLimits,
    once: options.idempotency && createOnce(options.idempotency, options.presenter, options.clock),
    readBody: createBodyReader(BODY_LIMIT_BYTES),
  };
}

function compileRoute<A>(route: Route<A>, compile: CompileSchema): CompiledRoute<A> {
  const checkOf = (schema: Route<A>['body'], prefix: string) =>
    schema === undefined ? () => [] : compile(schema, prefix);
  return {
    method: route.method,
    path: route.path,
    route,
    checkParams: checkOf(route.params, ':'),
    checkQuery: checkOf(route.query, '?'),
    checkBody: checkOf(route.body, ''),
  };
}

function exchangeOf(request: Request, response: Response, basePath: string): Exchange {
  const { path, query } = splitTarget(request.originalUrl);
  const notes: RequestNotes = { requestId: requestIdFrom(request.headers['x-request-id']), path, caller: {} };
  return {
    request,
    response,
    notes,
    path: path === basePath || path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined,
    query: readQuery(query),
  };
}
