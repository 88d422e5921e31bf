import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { AppError } from '@busbar/core';
import type { RequestHandler } from 'express';
import { plainAddress } from '../../limits/network-of';

/** Returns whether an address is a trusted proxy's. */
export type ProxyTrust = (address: string | undefined) => boolean;

/** The message of `https_required`. */
export const USE_HTTPS = 'This service needs HTTPS. Replace a key that was sent over plain HTTP.';

/** From addresses and networks (`10.0.0.0/8`, `::1`). Throws `invalid_configuration` for anything else. */
export function createProxyTrust(cidrs: readonly string[]): ProxyTrust {
  const list = new BlockList();
  for (const cidr of cidrs) addNetwork(list, cidr);
  return (address) => {
    if (address === undefined) return false;
    const plain = plainAddress(address);
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/** Rejects plain HTTP. Throws `https_required`. */
export function requireHttps(isTrustedProxy: ProxyTrust): RequestHandler {
  return (request, _response, next) => {
    if (!isSecure(request, isTrustedProxy)) throw new AppError('https_required', USE_HTTPS);
    next();
  };
}

/**
 * Returns whether the client sent the request over TLS, by this connection or by `X-Forwarded-Proto` of a trusted
 * proxy. A proxy that connects over TLS and forwards `http` is believed too.
 */
export function isSecure(request: IncomingMessage, isTrustedProxy: ProxyTrust): boolean {
  const header = request.headers['x-forwarded-proto'];
  if (header !== undefined && isTrustedProxy(request.socket.remoteAddress)) {
    const hops = (Array.isArray(header) ? header.join(',') : header).split(',');
    return hops.every((hop) => hop.trim().toLowerCase() === 'https');
  }
  return (request.socket as Partial<TLSSocket>).encrypted === true;
}

function addNetwork(list: BlockList, cidr: string): void {
  const [address = '', bits, ...rest] = cidr.trim().split('/');
  const version = isIP(address);
  const width = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? width : Number(bits);
  const isGood = version !== 0 && rest.length === 0 && bits !== '' && Number.isInteger(prefix);
  if (!isGood || prefix < 0 || prefix > width) {
    throw new AppError(
      'invalid_configuration',
      `TRUSTED_PROXIES contains "${cidr}". Use addresses and networks such as 10.0.0.0/8.`,
    );
  }
  list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
}
