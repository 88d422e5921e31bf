// The peer of a connection: its address, also behind trusted proxies, and its client certificate.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { parseJson } from '@busbar/core';
import proxyAddr from 'proxy-addr';
import type { ProxyTrust } from '../routing/policy/https-only';
import { networkOf, plainAddress } from './network-of';

/** Identifies a certificate in a revocation list. */
export interface CertificateIdentity {
  /** The issuer's name as Node writes it. */
  readonly issuer: string;
  /** Hexadecimal. */
  readonly serialNumber: string;
}

/** The client certificate where TLS ends in this process; behind a proxy there is none. */
export type ClientCertificate =
  | { readonly kind: 'none' }
  /** Rejected by the configured authorities: unknown issuer, expired, revoked. */
  | { readonly kind: 'untrusted'; readonly reason: string }
  /** `names`: the subject's common name and the alternative names of kind DNS and URI, as written. */
  | { readonly kind: 'trusted'; readonly names: readonly string[]; readonly identity: CertificateIdentity };

export interface Peer {
  /** The client's address, never a trusted proxy's. Undefined where a trusted proxy forwards none. */
  readonly address: string | undefined;
  readonly certificate: ClientCertificate;
}

/** More hops than any chain of proxies has: a longer header is forged. */
const MAX_HOPS = 32;

export function peerOf(request: IncomingMessage, isTrustedProxy: ProxyTrust): Peer {
  return { address: addressOf(request, isTrustedProxy), certificate: certificateOf(request) };
}

/** The last address of `X-Forwarded-For` that is not a trusted proxy's: addresses before it can be forged. */
export function addressOf(request: IncomingMessage, isTrustedProxy: ProxyTrust): string | undefined {
  const addresses = proxyAddr.all(request, isTrustedProxy);
  const address = plainAddress(addresses.at(-1) ?? '');
  return addresses.length > MAX_HOPS + 1 || isIP(address) === 0 || isTrustedProxy(address) ? undefined : address;
}

/** By which limits count an address. Where a trusted proxy does not forward one, all requests through it count as one. */
export function networkFrom(request: IncomingMessage, isTrustedProxy: ProxyTrust): string {
  return networkOf(addressOf(request, isTrustedProxy) ?? request.socket.remoteAddress ?? '');
}

function certificateOf(request: IncomingMessage): ClientCertificate {
  const socket = request.socket as Partial<TLSSocket>;
  if (socket.encrypted !== true) return { kind: 'none' };
  const certificate = socket.getPeerX509Certificate?.();
  if (certificate === undefined) return { kind: 'none' };
  // Node's types call it an Error; it is OpenSSL's error name.
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
    const name = parseJson(value);
    return typeof name === 'string' ? [name] : [];
  });
}
