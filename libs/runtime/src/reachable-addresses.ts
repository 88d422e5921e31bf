// The addresses of this machine that other machines can use.
import { isIP } from 'node:net';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** Bridges of containers and temporary IPv6 addresses can be many. */
const MAX_ADDRESSES = 8;
const ALL_IPV4 = '0.0.0.0';
const ALL = '::';

/**
 * Where other machines reach a listener that is bound to `host`: the addresses of this machine for a host that means all of
 * them, without loopback and link-local ones, IPv4 first, at most eight. Empty for loopback.
 */
export function reachableAddresses(host: string, interfaces: Interfaces = networkInterfaces()): readonly string[] {
  if (host !== ALL_IPV4 && host !== ALL) return isLoopback(host) ? [] : [host];
  const found = Object.values(interfaces)
    .flatMap((each) => each ?? [])
    .filter(({ internal, address, scopeid = 0 }) => !internal && scopeid === 0 && !address.startsWith('169.254.'))
    .map(({ address }) => address);
  const ofFamily = (family: number): string[] => found.filter((address) => isIP(address) === family);
  const all = host === ALL ? [...ofFamily(4), ...ofFamily(6)] : ofFamily(4);
  return [...new Set(all)].slice(0, MAX_ADDRESSES);
}

/** Returns whether only this machine reaches the address, or a listener on the host name. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
