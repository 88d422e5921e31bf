import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../limits/request-limits';

/** Parts of a request that may contain credentials. */
export interface Credentials {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
}

/** Authentication and authorization of one API. */
export interface Access<A> {
  /** The credentials as one text. Undefined where there are none, or none that could be a key's. */
  shownIn(credentials: Credentials): string | undefined;
  /** Undefined when credentials are missing or invalid. */
  authenticate(credentials: Credentials): Promise<A | undefined>;
  /** As `authenticate`, for a stream that stays open, which is no new use. Default: `authenticate`. */
  readmit?(credentials: Credentials): Promise<A | undefined>;
  permits(auth: A, permission: string): boolean;
  /** The key and client that rate limits count by. Never the secret itself. */
  callerOf(auth: A): Caller;
  /** The caller's ids for log lines, without secrets. */
  logFieldsOf(auth: A): Readonly<Record<string, string>>;
  /** For `WWW-Authenticate` of a 401 (RFC 9110 clause 11.6.1). */
  readonly challenge: string;
  readonly unauthenticatedMessage: string;
}
