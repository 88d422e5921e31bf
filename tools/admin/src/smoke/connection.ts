// One HTTP request, and the certificate of a port, as a client outside sees them. Every wait has a limit.
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { parseJson } from '@busbar/core';
import type { Target } from './target';

export interface Request {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** The authority and host that addresses and certificates are checked against. */
export type Peer = Pick<Target, 'ca' | 'host'>;

export const WITHIN_MS = 10_000;
const BODY_CHARACTERS = 5_000_000;

/** Sends a request on a connection of its own. Rejects where there is no response in time. */
export function call(
  url: URL,
  { ca, host }: Peer,
  { method = 'GET', headers = {}, body }: Request = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestSecure : requestPlain;
    const outgoing = send(url, {
      method,
      agent: false,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headersTo(url, { host }),
        ...headers,
      },
      ...tlsOf(url, { ca, host }),
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    outgoing.on('error', (error) => reject(explained(error)));
    outgoing.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('error', (error) => reject(explained(error)));
      response.on('data', (chunk: string) => (text = (text + chunk).slice(0, BODY_CHARACTERS)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: parseJson(text) ?? text }));
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Checks the certificate of a port: its authority, its name and its dates. Resolves with its end. */
export function certificateEnd(url: URL, peer: Peer): Promise<Date> {
  return new Promise((resolve, reject) => {
    const port = Number(url.port === '' ? 443 : url.port);
    const socket = connect({ host: hostOf(url), port, ...tlsOf(url, peer), timeout: WITHIN_MS });
    socket.on('secureConnect', () => {
      resolve(new Date(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.on('timeout', () => socket.destroy(new Error('no answer in time')));
    socket.on('error', (error: Error) => reject(explained(error)));
  });
}

/** Without TLS the request passes for one of a proxy that ended TLS. The service believes that of TRUSTED_PROXIES alone. */
export function headersTo({ protocol }: URL, { host }: Pick<Peer, 'host'>): Readonly<Record<string, string>> {
  const isSecure = protocol === 'https:' || protocol === 'wss:';
  return {
    ...(host === undefined ? {} : { host }),
    ...(isSecure ? {} : { 'x-forwarded-proto': 'https' }),
  };
}

/** The name of a server is no address (RFC 6066): then the certificate is checked against the address alone. */
export function tlsOf(url: URL, { ca, host }: Peer): { ca?: string; servername?: string } {
  const name = host ?? hostOf(url);
  return { ...(ca === undefined ? {} : { ca }), ...(isIP(name) === 0 ? { servername: name } : {}) };
}

const HINTS: Readonly<Record<string, string>> = {
  ABORT_ERR: 'no answer in time',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'nobody vouches for the certificate: give its authority with --ca FILE',
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody vouches for the certificate: give its authority with --ca FILE',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'nobody vouches for the certificate: give its authority with --ca FILE',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'nobody vouches for the certificate: give its authority with --ca FILE',
};

/** The reason in words, with the cause. */
export function explained(error: Error): Error {
  const { code } = error as NodeJS.ErrnoException;
  const all = error instanceof AggregateError ? error.errors.map((each) => (each as Error).message).join('; ') : '';
  const reason = HINTS[code ?? ''] ?? (error.message === '' ? all || String(code) : error.message);
  return new Error(reason, { cause: error });
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
