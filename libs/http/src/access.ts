import type { IncomingHttpHeaders } from 'node:http';

/** Where a caller's credentials may be. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
}

/** How one API knows its callers. */
export interface Access<A> {
  /** Undefined when there are no credentials or they are wrong. */
  authenticate(credentials: Credentials): Promise<A | undefined>;
  permits(auth: A, permission: string): boolean;
  /** What the rate is limited by. Never the secret itself. */
  rateKeyOf(auth: A): string;
  /** Who it is, for log lines: ids, no secret. */
  logFieldsOf(auth: A): Readonly<Record<string, string>>;
  /** For `WWW-Authenticate` of a 401 (RFC 9110 clause 11.6.1). */
  readonly challenge: string;
  readonly unauthenticatedMessage: string;
}
