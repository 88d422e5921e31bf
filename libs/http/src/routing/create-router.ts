// The router of an API: each path with its methods, and the steps of a route in the order in which they refuse.
import { AppError } from '@busbar/core';
import express, { type RequestHandler, type Router } from 'express';
import { admit } from './policy/admit';
import type { AppOptions } from './app-options';
import { acceptedEncoding } from './response/compress';
import { createEventStreams } from './response/event-stream';
import { exchangeOf } from './exchange';
import type { ProxyTrust } from './policy/https-only';
import { createOnce } from './policy/idempotency';
import { createLongResponses } from './response/long-response';
import type { Page } from './page';
import { placeIssues } from './request/place-issues';
import { createBodyReader } from './request/read-body';
import { createInputReader } from './request/read-input';
import { respond } from './response/respond';
import type { Route } from './route';
import { pageHeaders } from './policy/security-headers';

const BODY_LIMIT_BYTES = 100_000;
const LONG_BODY_BYTES = 4_000_000;
const JSON_TYPE = 'application/json; charset=utf-8';
const PAGE_CACHE = 'public, max-age=3600';

interface Mounted {
  readonly method: string;
  readonly path: string;
  readonly handlers: readonly RequestHandler[];
}

/** Throws when a schema is invalid. */
export function createRouter<A>(options: AppOptions<A>, isTrustedProxy: ProxyTrust): Router {
  const { routes, pages = [], access, presenter, clock, idempotency } = options;
  const router = express.Router({ caseSensitive: true, strict: true });
  const bodies = { body: createBodyReader(BODY_LIMIT_BYTES), rows: createBodyReader(LONG_BODY_BYTES) };
  const readInput = createInputReader(bodies, options.refusesUnknownParameters ?? false);
  const sendLong = createLongResponses(clock);
  const sendEvents = createEventStreams(clock, options.eventStreams);
  const once = idempotency && createOnce(idempotency, presenter, clock);
  const stepsOf = (route: Route<A>): RequestHandler[] => [
    admit({ ...options, isTrustedProxy }, route),
    readInput(route),
    respond({ access, once, sendLong, sendEvents, isTrustedProxy }, placeIssues(route)),
  ];
  const mounted: readonly Mounted[] = [
    ...routes.map((route) => ({ ...route, handlers: [nameRoute(route.path), ...stepsOf(route)] })),
    ...pages.map((page) => ({ ...page, handlers: [nameRoute(page.path), pageHeaders(page), sendPage(page)] })),
  ];
  for (const [path, atPath] of byPath(mounted)) {
    const route = router.route(path);
    for (const { method, handlers } of atPath) route[method.toLowerCase() as 'get'](...handlers);
    route.all(collectMethods(atPath.map(({ method }) => method)));
  }
  router.use(refuseOtherMethods);
  return router;
}

/** Paths with fewer parameters come first, so that `/chargers/state` is not a charger's. */
function byPath(mounted: readonly Mounted[]): readonly (readonly [string, readonly Mounted[]])[] {
  const parameters = (path: string): number => path.split('/:').length;
  const paths = [...new Set(mounted.map(({ path }) => path))].sort((a, b) => parameters(a) - parameters(b));
  return paths.map((path) => [path, mounted.filter((each) => each.path === path)]);
}

/** The route, for the log. */
function nameRoute(path: string): RequestHandler {
  return (_request, response, next) => {
    exchangeOf(response).notes.route = path;
    next();
  };
}

function sendPage({ contentType, body, json, encoded }: Page): RequestHandler {
  return (request, response) => {
    const isJson = json !== undefined && request.accepts(['text/html', 'application/json']) === 'application/json';
    const encoding = encoded && acceptedEncoding(request);
    if (json !== undefined) response.vary('Accept');
    if (encoded !== undefined) response.vary('Accept-Encoding');
    response.set({ 'content-type': isJson ? JSON_TYPE : contentType, 'cache-control': PAGE_CACHE });
    if (encoding !== undefined) response.set('content-encoding', encoding);
    response.send(isJson ? json : ((encoding && encoded[encoding]) ?? body));
  };
}

/** Runs where no route of this path has the request's method. */
function collectMethods(own: readonly string[]): RequestHandler {
  return (_request, response, next) => {
    const { methods } = exchangeOf(response);
    for (const method of [...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS']) methods.add(method);
    next();
  };
}

const refuseOtherMethods: RequestHandler = (request, response, next) => {
  const allow = [...exchangeOf(response).methods].sort().join(', ');
  if (allow === '') next();
  else if (request.method === 'OPTIONS') response.status(204).set('allow', allow).end();
  else throw new AppError('method_not_allowed', `This path has only ${allow}.`, { details: { allow } });
};
