import { isIPv6 } from 'node:net';

/** An IPv4 peer's address on a dual-stack socket. */
const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/** The address without the prefix that a dual-stack socket adds to IPv4. */
export function plainAddress(address: string): string {
  return address.replace(MAPPED_IPV4, '');
}

/** The unit that limits count by: an IPv4 address, or the /64 of an IPv6 address, which one customer has. */
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
