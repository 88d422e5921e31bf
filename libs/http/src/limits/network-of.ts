import { isIPv6 } from 'node:net';

/** What a socket on `::` has as the address of a peer that speaks IPv4. */
const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/** An address as its peer has it: without what a dual-stack socket puts before an IPv4 address. */
export function plainAddress(address: string): string {
  return address.replace(MAPPED_IPV4, '');
}

/** What counts as one place on the network: an IPv4 address, or the /64 that an IPv6 customer has to choose addresses from. */
export function networkOf(address: string): string {
  const plain = plainAddress(address.split('%', 1)[0] ?? '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
