// The cookie of a session of the console, and which requests may use it.
import type { IncomingHttpHeaders } from 'node:http';

/** With the prefix `__Host-` browsers accept it only over TLS, from this host, for all paths (RFC 6265bis clause 4.1.3.2). */
const NAME = '__Host-busbar';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';
/** 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/;
/** A page of another origin cannot set it without asking first (CORS), which this service never permits. */
const OWN_HEADER = 'x-busbar-console';
/** The page sends it with what it asks by itself, while its reader does nothing. */
const IDLE_HEADER = 'x-busbar-idle';
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

export function setCookie(token: string): string {
  return `${NAME}=${token}; ${ATTRIBUTES}`;
}

export function clearCookie(): string {
  return `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;
}

/** The token of the request's cookie. Undefined without one, for a malformed one, and for two: no browser sends that. */
export function tokenIn({ cookie = '' }: IncomingHttpHeaders): string | undefined {
  const prefix = `${NAME}=`;
  const tokens = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
  const [token = ''] = tokens;
  return tokens.length === 1 && TOKEN.test(token) ? token : undefined;
}

export interface Sent {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Returns whether the console itself sent the request: by `Sec-Fetch-Site`, else by an `Origin` equal to the host, and a
 * change also by a header of its own.
 */
export function isOwnRequest({ method, headers }: Sent): boolean {
  const site = headers['sec-fetch-site'];
  const isSameOrigin = site === undefined ? hasOwnOrigin(headers) : site === 'same-origin';
  return isSameOrigin && (READS.has(method) || headers[OWN_HEADER] === '1');
}

/** Returns whether the reader of the console caused the request, which then is a use of the session. */
export function isUse({ headers }: Pick<Sent, 'headers'>): boolean {
  return headers[IDLE_HEADER] !== '1';
}

/**
 * Returns whether another site sent the request. False for a program that sends neither header, which no browser omits on a
 * POST.
 */
export function isForeignRequest({ headers }: Pick<Sent, 'headers'>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin';
  return headers.origin !== undefined && !hasOwnOrigin(headers);
}

/** `Host`, never `X-Forwarded-Host`: a caller that can forge that one could choose the origin. */
function hasOwnOrigin({ origin = '', host = '' }: IncomingHttpHeaders): boolean {
  const own = `https://${host}`;
  if (host === '' || !URL.canParse(origin) || !URL.canParse(own)) return false;
  return new URL(origin).origin === new URL(own).origin;
}
