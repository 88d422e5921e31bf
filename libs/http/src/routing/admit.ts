// Who may make a request, and how many: 401, 403 permission, 429. Without a valid key the 429 comes before the 401.
import { AppError } from '@busbar/core';
import type { Access } from './access';
import type { Exchange } from './exchange';
import type { ProxyTrust } from './https-only';
import { networkOf } from '../limits/network-of';
import { addressOf } from '../limits/peer';
import type { RequestLimits } from '../limits/request-limits';
import type { Route } from './route';

export interface AdmitDeps<A> {
  readonly isTrustedProxy: ProxyTrust;
  readonly access: Access<A>;
  readonly requestLimits: RequestLimits;
}

/** Counts a request to a route that needs no key. Throws `rate_limited`. */
export function admitAnyone<A>({ requestLimits, isTrustedProxy }: AdmitDeps<A>, exchange: Exchange): void {
  requestLimits.countAddress(networkFrom(exchange, isTrustedProxy));
}

/** The caller that a request's key belongs to. Throws `unauthenticated`, `forbidden`, `rate_limited`. */
export async function admit<A>(deps: AdmitDeps<A>, route: Route<A>, exchange: Exchange): Promise<A> {
  const { response, notes } = exchange;
  const { access, requestLimits } = deps;
  const auth = await authenticate(deps, exchange);
  if (auth === undefined) throw new AppError('unauthenticated', access.unauthenticatedMessage);
  Object.assign(notes.caller, access.logFieldsOf(auth));
  if (route.permission !== undefined && !access.permits(auth, route.permission)) {
    throw new AppError('forbidden', `This key lacks the permission ${route.permission}.`);
  }
  const { header, refusal } = requestLimits.countCaller(access.callerOf(auth));
  // draft-ietf-httpapi-ratelimit-headers-10: structured fields, named after the policies that they speak of.
  response.set({ 'ratelimit-policy': requestLimits.policy, ratelimit: header });
  if (refusal !== undefined) throw refusal;
  return auth;
}

async function authenticate<A>(deps: AdmitDeps<A>, exchange: Exchange): Promise<A | undefined> {
  const { access, requestLimits, isTrustedProxy } = deps;
  const credentials = { headers: exchange.request.headers, query: exchange.query.values };
  const shown = access.shownIn(credentials);
  const network = networkFrom(exchange, isTrustedProxy);
  if (shown !== undefined)
    return requestLimits.checkCredentials(network, shown, () => access.authenticate(credentials));
  requestLimits.countAddress(network);
  return undefined;
}

/** Where a trusted proxy does not say whom it speaks for, all that come through it count as one. */
function networkFrom({ request }: Exchange, isTrustedProxy: ProxyTrust): string {
  return networkOf(addressOf(request, isTrustedProxy) ?? request.socket.remoteAddress ?? '');
}
