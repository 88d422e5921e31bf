import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../limits/request-limits';

/** Where a caller's credentials may be. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
}

/** How one API knows its callers. */
export interface Access<A> {
  /** The credentials as one text, however they are shown. Undefined where there are none, or they cannot be a key's. */
  shownIn(credentials: Credentials): string | undefined;
  /** Undefined when there are no credentials or they are wrong. */
  authenticate(credentials: Credentials): Promise<A | undefined>;
  permits(auth: A, permission: string): boolean;
  /** Whose requests are counted together. Never the secret itself. */
  callerOf(auth: A): Caller;
  /** Who it is, for log lines: ids, no secret. */
  logFieldsOf(auth: A): Readonly<Record<string, string>>;
  /** For `WWW-Authenticate` of a 401 (RFC 9110 clause 11.6.1). */
  readonly challenge: string;
  readonly unauthenticatedMessage: string;
}
