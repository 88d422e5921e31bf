// Checks whether a server can listen at an address, as far as this is known without listening.
import { readFileSync } from 'node:fs';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** With 1 Linux lets servers listen at addresses that the machine may get later, as keepalived does. */
const FOREIGN_ALLOWED = '/proc/sys/net/ipv4/ip_nonlocal_bind';

/** Returns whether it is an address of this machine, one for all of them, or of loopback. */
export function isOwnAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const own = new BlockList();
  own.addSubnet('127.0.0.0', 8, 'ipv4');
  for (const each of ['0.0.0.0', '::', '::1', ...addresses()]) own.addAddress(each, familyOf(each));
  return own.check(address, familyOf(address)) || allowsForeign();
}

function addresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((found = []) => found.map(({ address }) => address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

function allowsForeign(): boolean {
  try {
    return readFileSync(FOREIGN_ALLOWED, 'utf8').trim() === '1';
  } catch {
    return false;
  }
}
