// Authenticates and counts a request: 401, 403 permission, 429. Without a valid key the 429 comes before the 401.
import { AppError } from '@busbar/core';
import type { RequestHandler } from 'express';
import type { Access } from './access';
import { credentialsOf, exchangeOf, type Exchange } from '../exchange';
import type { ProxyTrust } from './https-only';
import { networkFrom } from '../../limits/peer';
import type { RequestLimits } from '../../limits/request-limits';
import type { Route } from '../route';

export interface AdmitDeps<A> {
  readonly isTrustedProxy: ProxyTrust;
  readonly access: Access<A>;
  readonly requestLimits: RequestLimits;
}

/** A public route only counts the caller's address. Throws `unauthenticated`, `forbidden`, `rate_limited`. */
export function admit<A>(deps: AdmitDeps<A>, route: Route<A>): RequestHandler {
  return async (_request, response, next) => {
    const exchange = exchangeOf(response);
    if (route.isPublic) deps.requestLimits.countAddress(networkFrom(exchange.request, deps.isTrustedProxy));
    else exchange.auth = await admitCaller(deps, route, exchange);
    next();
  };
}

async function admitCaller<A>(deps: AdmitDeps<A>, route: Route<A>, exchange: Exchange): Promise<A> {
  const { response, notes } = exchange;
  const { access, requestLimits } = deps;
  const auth = await authenticate(deps, exchange);
  if (auth === undefined) throw new AppError('unauthenticated', access.unauthenticatedMessage);
  Object.assign(notes.caller, access.logFieldsOf(auth));
  if (route.permission !== undefined && !access.permits(auth, route.permission)) {
    throw new AppError('forbidden', `This API key lacks the permission ${route.permission}.`);
  }
  const { header, refusal } = requestLimits.countCaller(access.callerOf(auth));
  // draft-ietf-httpapi-ratelimit-headers-10: structured fields, one item for each policy.
  response.set({ 'ratelimit-policy': requestLimits.policy, ratelimit: header });
  if (refusal !== undefined) throw refusal;
  return auth;
}

async function authenticate<A>(deps: AdmitDeps<A>, exchange: Exchange): Promise<A | undefined> {
  const { access, requestLimits, isTrustedProxy } = deps;
  const credentials = credentialsOf(exchange);
  const shown = access.shownIn(credentials);
  const network = networkFrom(exchange.request, isTrustedProxy);
  if (shown !== undefined)
    return requestLimits.checkCredentials(network, shown, () => access.authenticate(credentials));
  requestLimits.countAddress(network);
  return undefined;
}
