// The order in which a request is refused when several things are wrong with it: 403 https, 404 path, 405 method, 401,
// 403 permission, 429, 413, 415, 400; then what the handler finds. The body is not read before the key was checked. A request
// without a valid key is counted before its key is looked up: there the 429 comes before the 401.
import { AppError } from '@busbar/core';
import type { Request, Response } from 'express';
import { admit, admitAnyone, type AdmitDeps } from './admit';
import { entityTagOf, preconditionFrom, type Versioned } from './entity-tag';
import type { Exchange, Outcome } from './exchange';
import { isSecure, USE_HTTPS, type ProxyTrust } from './https-only';
import type { Once } from './idempotency';
import { refusalOf, type Issue } from './issue';
import type { Match } from './match-route';
import type { Page } from './page';
import { pathParameters, queryParameters } from './parameters';
import type { BodyReader } from './read-body';
import { heedsIfMatch, requiresBody, type Call, type ObjectSchema, type Route } from './route';
import type { Validator } from './validate';

/** A route with its validators compiled. */
export interface CompiledRoute<A> {
  readonly method: string;
  readonly path: string;
  readonly route: Route<A>;
  readonly checkParams: Validator;
  readonly checkQuery: Validator;
  readonly checkBody: Validator;
}

export type Target<A> = CompiledRoute<A> | (Page & { readonly route?: undefined });

export interface ServeDeps<A> extends AdmitDeps<A> {
  readonly match: (method: string, path: string) => Match<Target<A>>;
  /** Absent where no route takes an `Idempotency-Key`. */
  readonly once?: Once | undefined;
  readonly readBody: BodyReader;
}

/** Takes one request from the door to its handler. Throws the AppError that it is refused with. */
export async function serve<A>(deps: ServeDeps<A>, exchange: Exchange): Promise<Outcome> {
  const { request, notes } = exchange;
  refuseInsecure(request, deps.isTrustedProxy);
  const found = findTarget(deps, exchange);
  if ('allow' in found) return { kind: 'options', allow: found.allow };
  notes.route = found.target.path;
  if (found.target.route === undefined) return { kind: 'page', page: found.target };
  const { route } = found.target;
  if (route.isPublic) admitAnyone(deps, exchange);
  const auth = route.isPublic ? undefined : await admit(deps, route, exchange);
  const input = await readInput(deps, found.target, found.params, exchange);
  // A public route's handler is declared to get undefined, any other's what `authenticate` gave.
  const call = { ...input, auth: auth as A, requestId: notes.requestId };
  if (route.isLong === true) {
    return { kind: 'long', read: () => route.handler(call), caller: deps.access.callerOf(call.auth).key };
  }
  if (deps.once === undefined || auth === undefined || route.acceptsIdempotencyKey !== true)
    return answer(route, call, request);
  const scope = { caller: deps.access.callerOf(auth), revealsSecret: route.revealsSecret === true };
  return deps.once(exchange, scope, () => answer(route, call, request));
}

async function answer<A>(
  route: Route<A>,
  call: Call<A, unknown, unknown, unknown>,
  request: Request,
): Promise<Outcome> {
  if (route.isVersioned === true) return serveVersioned(route, call, request);
  return { kind: 'value', value: await route.handler(call) };
}

async function serveVersioned<A>(
  route: Route<A>,
  call: Call<A, unknown, unknown, unknown>,
  request: Request,
): Promise<Outcome> {
  const ifMatch = heedsIfMatch(route) ? preconditionFrom(request.headers['if-match']) : undefined;
  const { body, version } = (await route.handler({ ...call, ifMatch })) as Versioned<unknown>;
  return { kind: 'value', value: body, ...(route.endsRecord === true ? {} : { entityTag: entityTagOf(version) }) };
}

type Found<A> =
  | { readonly target: Target<A>; readonly params: Readonly<Record<string, string>> }
  | { readonly allow: readonly string[] };

function refuseInsecure(request: Request, isTrustedProxy: ProxyTrust): void {
  if (isSecure(request, isTrustedProxy)) return;
  throw new AppError('https_required', USE_HTTPS);
}

function findTarget<A>(deps: ServeDeps<A>, { request, path }: Exchange): Found<A> {
  const match: Match<Target<A>> = path === undefined ? { kind: 'none' } : deps.match(request.method, path);
  if (match.kind === 'found') return match;
  if (match.kind === 'none') throw new AppError('not_found', 'There is nothing at this path.');
  if (request.method === 'OPTIONS') return { allow: match.allow };
  const allow = match.allow.join(', ');
  throw new AppError('method_not_allowed', `This path has ${allow}.`, { details: { allow } });
}

async function readInput<A>(
  deps: ServeDeps<A>,
  target: CompiledRoute<A>,
  rawParams: Readonly<Record<string, string>>,
  { request, response, query }: Exchange,
): Promise<{ params: unknown; query: unknown; body: unknown }> {
  const { route } = target;
  const body = route.body && (await readBody(deps, route.body, request, response));
  const issues: Issue[] = [];
  const params = route.params && collect(pathParameters(rawParams, route.params), target.checkParams, issues);
  const parsedQuery = route.query && collect(queryParameters(query, route.query), target.checkQuery, issues);
  if (route.body !== undefined) issues.push(...bodyIssues(body, target.checkBody));
  if (issues.length > 0) throw refusalOf(issues);
  return { params, query: parsedQuery, body };
}

async function readBody<A>(
  deps: ServeDeps<A>,
  schema: ObjectSchema,
  request: Request,
  response: Response,
): Promise<unknown> {
  const body = await deps.readBody(request, response);
  return body === undefined && !requiresBody(schema) ? {} : body;
}

function collect(
  parameters: { readonly values: unknown; readonly issues: readonly Issue[] },
  check: Validator,
  issues: Issue[],
): unknown {
  // One that could not even be read is missing from the values: it is told once, not as missing too.
  const known = new Set(parameters.issues.map((issue) => issue.path));
  issues.push(...parameters.issues, ...check(parameters.values).filter((issue) => !known.has(issue.path)));
  return parameters.values;
}

function bodyIssues(body: unknown, check: Validator): readonly Issue[] {
  return body === undefined ? [{ path: '', message: 'must be a JSON object' }] : check(body);
}
