// Runs a route's handler, once for each Idempotency-Key, and sends its result.
import type { RequestHandler, Response } from 'express';
import { createPlaces } from '../../limits/places';
import { SHUTDOWN_EVENT } from '../../listener/requests-in-flight';
import type { Access } from '../policy/access';
import { entityTagOf, preconditionFrom, type Versioned } from './entity-tag';
import { credentialsOf, exchangeOf, type Exchange, type Outcome } from '../exchange';
import type { Once } from '../policy/idempotency';
import type { EventSource, SendEvents } from './event-stream';
import type { SendLong } from './long-response';
import { isPaged, nextLink } from '../pagination/next-link';
import type { ProxyTrust } from '../policy/https-only';
import { networkFrom } from '../../limits/peer';
import { checksIfMatch, type Call, type Headed, type Route } from '../route';

export interface RespondDeps<A> {
  readonly access: Access<A>;
  /** Absent where no route accepts an `Idempotency-Key`. */
  readonly once: Once | undefined;
  readonly sendLong: SendLong;
  readonly sendEvents: SendEvents;
  readonly isTrustedProxy: ProxyTrust;
}

export function respond<A>(deps: RespondDeps<A>, route: Route<A>): RequestHandler {
  const { access, once, sendLong, sendEvents } = deps;
  const hasPages = isPaged(route);
  const places = route.streams && createPlaces(route.streams, 'open streams');
  return async (_request, response) => {
    const exchange = exchangeOf(response);
    // The length of a compressed secret beside input of the caller's choice would reveal it (BREACH).
    if (route.revealsSecret === true) response.set('cache-control', 'no-store, no-transform');
    const call = { ...callOf<A>(exchange), ...(route.waits === true ? { signal: signalOf(response) } : {}) };
    if (route.isLong === true) {
      await sendLong({ read: () => route.handler(call), caller: access.callerOf(call.auth).key }, response);
      return;
    }
    if (route.isStream === true) {
      await sendEvents({ ...streamOf(access, route, exchange), places }, response);
      return;
    }
    if (route.isHeaded === true) {
      const { method, headers } = exchange.request;
      const facts = { method, headers, network: networkFrom(exchange.request, deps.isTrustedProxy) };
      sendHeaded((await route.handler({ ...call, request: facts })) as Headed<unknown>, response);
      return;
    }
    const run = (): Promise<Outcome> => runHandler(route, call, exchange);
    if (once === undefined || route.isPublic || route.acceptsIdempotencyKey !== true) {
      const outcome = await run();
      const link = hasPages && outcome.kind === 'value' ? nextLink(exchange, outcome.value) : undefined;
      if (link !== undefined) response.set('link', link);
      send(outcome, response);
      return;
    }
    const scope = { caller: access.callerOf(call.auth), revealsSecret: route.revealsSecret === true };
    send(await once(exchange, scope, run), response);
  };
}

function streamOf<A>(access: Access<A>, route: Route<A>, exchange: Exchange): Parameters<SendEvents>[0] {
  const call = callOf<A>(exchange);
  const { request } = exchange;
  const lastEventId = request.headers['last-event-id'];
  return {
    // Its declaration has the type.
    open: () =>
      route.handler(typeof lastEventId === 'string' ? { ...call, lastEventId } : call) as Promise<EventSource>,
    caller: access.callerOf(call.auth),
    async isAdmitted() {
      const credentials = credentialsOf(exchange);
      const auth = await (access.readmit?.(credentials) ?? access.authenticate(credentials));
      return auth !== undefined && (route.permission === undefined || access.permits(auth, route.permission));
    },
  };
}

/** Aborted when the client has left, and when the process stops: then the response must come now. */
function signalOf(response: Response): AbortSignal {
  const abort = new AbortController();
  const end = (): void => abort.abort();
  response.once('close', end).once(SHUTDOWN_EVENT, end);
  return abort.signal;
}

function callOf<A>({ auth, input, notes }: Exchange): Call<A, unknown, unknown, unknown> {
  const { params, query, body } = input ?? {};
  // The handler of a public route is declared to get undefined, any other's what `authenticate` gave.
  return { params, query, body, auth: auth as A, requestId: notes.requestId };
}

async function runHandler<A>(
  route: Route<A>,
  call: Call<A, unknown, unknown, unknown>,
  { request }: Exchange,
): Promise<Outcome> {
  if (route.isVersioned !== true) return { kind: 'value', value: await route.handler(call) };
  const ifMatch = checksIfMatch(route) ? preconditionFrom(request.headers['if-match']) : undefined;
  const { body, version } = (await route.handler({ ...call, ifMatch })) as Versioned<unknown>;
  return { kind: 'value', value: body, ...(route.endsRecord === true ? {} : { entityTag: entityTagOf(version) }) };
}

function sendHeaded({ headers, body }: Headed<unknown>, response: Response): void {
  response.set(headers);
  if (body === undefined) response.status(204).end();
  else response.json(body);
}

function send(outcome: Outcome, response: Response): void {
  if (outcome.entityTag !== undefined) response.set('etag', outcome.entityTag);
  if (outcome.kind === 'value') {
    response.json(outcome.value);
    return;
  }
  response.status(outcome.status).set({ 'content-type': outcome.contentType, 'idempotency-replayed': 'true' });
  response.send(Buffer.from(outcome.body));
}
