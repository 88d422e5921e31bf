// Who is at the other end of a connection: its address, behind trusted proxies or not, and the certificate that it showed.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ProxyTrust } from '../routing/https-only';
import { plainAddress } from './network-of';

/** What a revocation list knows a certificate by. */
export interface CertificateIdentity {
  /** The issuer's name as Node writes it. */
  readonly issuer: string;
  /** Hexadecimal. */
  readonly serialNumber: string;
}

/** A client certificate of the TLS that ends in this process; what a proxy ended shows none. */
export type ClientCertificate =
  | { readonly kind: 'none' }
  /** Shown, and not vouched for by the configured authorities: unknown issuer, expired, revoked. */
  | { readonly kind: 'untrusted'; readonly reason: string }
  /** `names`: the subject's common name and the alternative names of kind DNS and URI, as they are written. */
  | { readonly kind: 'trusted'; readonly names: readonly string[]; readonly identity: CertificateIdentity };

export interface Peer {
  /** The address of whom the request comes from; undefined where a trusted proxy does not say. Never a trusted proxy's own. */
  readonly address: string | undefined;
  readonly certificate: ClientCertificate;
}

/** More hops than any chain of proxies has; a longer header is a caller's invention. */
const MAX_HOPS = 32;

/** What the request's own connection, and the proxies that are trusted, say of who sent it. */
export function peerOf(request: IncomingMessage, isTrustedProxy: ProxyTrust): Peer {
  return { address: addressOf(request, isTrustedProxy), certificate: certificateOf(request) };
}

/** `X-Forwarded-For` is read from its end, since everything before the first address not our own proxies' is hearsay. */
export function addressOf(request: IncomingMessage, isTrustedProxy: ProxyTrust): string | undefined {
  const nearest = request.socket.remoteAddress;
  if (!isTrustedProxy(nearest)) return nearest === undefined ? undefined : plainAddress(nearest);
  const header = request.headers['x-forwarded-for'];
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').slice(-MAX_HOPS);
  for (const hop of hops.reverse()) {
    const address = plainAddress(hop.trim());
    if (isIP(address) === 0) return undefined;
    if (!isTrustedProxy(address)) return address;
  }
  return undefined;
}

function certificateOf(request: IncomingMessage): ClientCertificate {
  const socket = request.socket as Partial<TLSSocket>;
  if (socket.encrypted !== true) return { kind: 'none' };
  const certificate = socket.getPeerX509Certificate?.();
  if (certificate === undefined) return { kind: 'none' };
  // Node's types call it an Error; it is the name of OpenSSL's verdict.
  if (socket.authorized !== true) return { kind: 'untrusted', reason: String(socket.authorizationError) };
  const { issuer, serialNumber } = certificate;
  return { kind: 'trusted', names: namesOf(certificate.toLegacyObject()), identity: { issuer, serialNumber } };
}

function namesOf(certificate: { subject?: { CN?: string | string[] }; subjectaltname?: string }): readonly string[] {
  const common = [certificate.subject?.CN ?? []].flat();
  return [...common, ...alternativeNames(certificate.subjectaltname ?? '')];
}

/** Node's text form: `DNS:one, URI:two`; a value with a comma or quote in it is written as a JSON string. */
function alternativeNames(text: string): string[] {
  const parts = text.matchAll(/(?:^|, )(DNS|URI):("(?:[^"\\]|\\.)*"|[^,]*)/g);
  return [...parts].flatMap(([, , value = '']) => {
    if (!value.startsWith('"')) return [value];
    try {
      const name: unknown = JSON.parse(value);
      return typeof name === 'string' ? [name] : [];
    } catch {
      return [];
    }
  });
}
