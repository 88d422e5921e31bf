import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { AppError } from '@busbar/core';
import { plainAddress } from '../limits/network-of';

/** Says of a peer's address whether it is a trusted proxy's. */
export type ProxyTrust = (address: string | undefined) => boolean;

/** What is said to whoever came without TLS. */
export const USE_HTTPS = 'Use HTTPS. A key that was sent over plain HTTP should be replaced.';

/** From addresses and networks (`10.0.0.0/8`, `::1`). Throws `invalid_configuration` for what is neither. */
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

/**
 * Whether the request left its client over TLS: by this connection, or by what a trusted proxy says of the one behind it.
 * `X-Forwarded-Proto` counts from nobody else; a proxy that speaks TLS to us and says `http` is believed too.
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
    throw new AppError('invalid_configuration', `TRUSTED_PROXIES holds "${cidr}", which is no address or network.`);
  }
  list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
}
