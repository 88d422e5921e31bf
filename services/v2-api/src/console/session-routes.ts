// Sign-in of the web console: an API key, or the code of a sign-in link, for a cookie. docs/security.md describes the rules.
import { AppError, delay, type Clock, type Logger } from '@busbar/core';
import { OPERATOR, type ClientReader } from '@busbar/domain/clients';
import {
  findOpenSession,
  hashToken,
  recordUse,
  signInWithCode,
  signInWithKey,
  type ConsoleSessions,
  type OpenSession,
  type OpenSessionDeps,
  type SignedIn,
  type SignInDeps,
} from '@busbar/domain/console';
import { createRateLimiter, routesFor, type Headed, type RequestFacts, type Route } from '@busbar/http';
import { refuseOthers } from '../access';
import { clearCookie, isForeignRequest, isUse, setCookie, tokenIn } from './cookie';
import { sessionSchema, signInSchema, type SignInInput } from './session-schemas';

export type SessionDeps = SignInDeps &
  OpenSessionDeps & {
    readonly consoleSessions: ConsoleSessions;
    readonly clients: Pick<ClientReader, 'find'>;
    readonly clock: Clock;
    readonly logger: Logger;
  };

const ATTEMPTS_PER_MINUTE = 10;
/** Every rejection takes so long, whatever was wrong and whatever the store had in its cache. */
const REJECTED_AFTER_MS = 500;

const { cookieRoute } = routesFor<undefined>();
const TAG = 'Console';

export function sessionRoutes(deps: SessionDeps): readonly Route<undefined>[] {
  return [signInRoute(deps), readSessionRoute(deps), signOutRoute(deps)];
}

function signInRoute(deps: SessionDeps): Route<undefined> {
  const { clock, logger, consoleSessions } = deps;
  const limiter = createRateLimiter({ perSecond: ATTEMPTS_PER_MINUTE / 60, burst: ATTEMPTS_PER_MINUTE }, clock);

  /** Counts it as an attempt of the address unless it succeeds; an outage of the store is none. */
  async function attempt(network: string, input: SignInInput): Promise<SignedIn | undefined> {
    const { isAllowed, waitS: retryAfterS } = limiter.take(network);
    if (!isAllowed) {
      const message = 'Too many sign-ins from this address. Retry after the seconds in Retry-After.';
      throw new AppError('rate_limited', message, { details: { retryAfterS } });
    }
    let isWrong = false;
    try {
      const signedIn = await signIn(deps, input);
      isWrong = signedIn === undefined;
      return signedIn;
    } finally {
      if (!isWrong) limiter.giveBack(network);
    }
  }

  return cookieRoute({
    method: 'POST',
    path: '/session',
    tag: TAG,
    operationId: 'signIn',
    summary: 'Sign in',
    body: signInSchema,
    response: sessionSchema,
    errors: ['forbidden', 'unauthenticated'],
    async handler({ body, request, requestId }) {
      if (isForeignRequest(request)) throw new AppError('forbidden', 'Only the console itself can sign in.');
      const earliest = clock.monotonicMs() + REJECTED_AFTER_MS;
      const signedIn = await attempt(request.network, body);
      if (signedIn === undefined) {
        logger.info({ requestId, network: request.network }, 'sign-in to the console rejected');
        await delay(clock, Math.max(0, earliest - clock.monotonicMs()));
        throw rejection(body);
      }
      const { token, key } = signedIn;
      const by = body.code === undefined ? 'key' : 'link';
      logger.info({ requestId, network: request.network, clientId: key.clientId, keyId: key.keyId, by }, 'signed in');
      const before = tokenIn(request.headers);
      if (before !== undefined) await consoleSessions.end(hashToken(before));
      return { headers: { 'set-cookie': setCookie(token) } };
    },
  });
}

async function signIn(deps: SignInDeps, { clientId, apiKey, code }: SignInInput): Promise<SignedIn | undefined> {
  if (code !== undefined && clientId === undefined && apiKey === undefined) return signInWithCode(deps, code);
  if (code === undefined && clientId !== undefined && apiKey !== undefined)
    return signInWithKey(deps, { clientId, apiKey });
  return Promise.reject(
    new AppError('invalid_request', 'Send either clientId and apiKey, or the code of a sign-in link.'),
  );
}

function rejection({ code }: SignInInput): AppError {
  return new AppError(
    'unauthenticated',
    code === undefined
      ? 'The client id or the API key is wrong, or the key is not valid any more.'
      : 'This sign-in link was used already, or has expired. Sign in with an API key.',
  );
}

function readSessionRoute(deps: SessionDeps): Route<undefined> {
  return cookieRoute({
    method: 'GET',
    path: '/session',
    tag: TAG,
    operationId: 'readSession',
    summary: 'Read who is signed in',
    response: sessionSchema,
    errors: ['forbidden', 'unauthenticated'],
    async handler({ request }) {
      // The page asks before anybody signs in: that is no failure, which a browser would note.
      if (tokenIn(request.headers) === undefined) return { headers: {} };
      const open = await openSessionOf(deps, request);
      if (isUse(request)) await recordUse(deps, open);
      const { session, key } = open;
      const client = await deps.clients.find(key.clientId);
      const body = {
        clientId: key.clientId,
        clientName: client?.name ?? '',
        keyId: key.keyId,
        keyName: key.name,
        permissions: key.permissions,
        operator: key.permissions.includes(OPERATOR),
        createdAt: session.createdAt,
        expiresAt: [session.expiresAt, key.expiresAt ?? session.expiresAt].toSorted()[0] ?? session.expiresAt,
      };
      return { headers: {}, body };
    },
  });
}

/** Throws `unauthenticated`, `forbidden`. */
async function openSessionOf(deps: OpenSessionDeps, request: RequestFacts): Promise<OpenSession> {
  const token = tokenIn(request.headers);
  const open = token === undefined ? undefined : await findOpenSession(deps, token);
  if (open === undefined) throw new AppError('unauthenticated', 'Nobody is signed in, or the session has ended.');
  refuseOthers(request);
  return open;
}

function signOutRoute({ consoleSessions }: SessionDeps): Route<undefined> {
  return cookieRoute({
    method: 'DELETE',
    path: '/session',
    tag: TAG,
    operationId: 'signOut',
    summary: 'Sign out',
    response: sessionSchema,
    errors: ['forbidden'],
    async handler({ request }): Promise<Headed<never>> {
      refuseOthers(request);
      const token = tokenIn(request.headers);
      if (token !== undefined) await consoleSessions.end(hashToken(token));
      return { headers: { 'set-cookie': clearCookie() } };
    },
  });
}
