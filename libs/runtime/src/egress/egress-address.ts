// Which addresses a request to somebody else's server may be sent to. Names are not resolved here.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface EgressNetworks {
  /** Networks beyond the public ones that the operator permits, in CIDR notation or as single addresses. */
  readonly allowedCidrs: readonly string[];
  /** Whether 127.0.0.0/8 and ::1 are permitted, for a process that itself listens on loopback only. */
  readonly loopback: boolean;
}

export interface EgressAddresses {
  /** Returns whether the address may be connected to. */
  permits(address: string): boolean;
  /** Returns whether the address is in a network that the operator permits, or permitted loopback. */
  isAllowedByOperator(address: string): boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Metadata services of clouds and link-local networks: no setting opens them. */
const NEVER = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254', '168.63.129.16'].map(parseNetwork);
const LOOPBACK = ['127.0.0.0/8', '::1'].map(parseNetwork);
const GLOBAL_IPV6 = parseNetwork('2000::/3');
/** Networks that `ipaddr.js` counts as ordinary unicast. */
const SPECIAL = [
  '0.0.0.0/8',
  '192.0.0.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
].map(parseNetwork);
/** IPv6 networks whose addresses hold an IPv4 address, and the byte at which it begins. */
const EMBEDDING: readonly (readonly [Network, number])[] = [
  [parseNetwork('::/96'), 12],
  [parseNetwork('::ffff:0:0/96'), 12],
  [parseNetwork('::ffff:0:0:0/96'), 12],
  [parseNetwork('64:ff9b::/96'), 12],
  [parseNetwork('64:ff9b:1::/48'), 12],
  [parseNetwork('2002::/16'), 2],
];

/** Creates the rule for these networks: public addresses, and what the operator permits. */
export function createEgressAddresses({ allowedCidrs, loopback }: EgressNetworks): EgressAddresses {
  const allowed = [...allowedCidrs.map(parseNetwork), ...(loopback ? LOOPBACK : [])];
  const isAllowed = (address: Address): boolean => isIn(address, allowed) && !isNever(address);
  return {
    permits(text) {
      const address = parseAddress(text);
      return address !== undefined && (isAllowed(address) || (isPublic(address) && !isNever(address)));
    },
    isAllowedByOperator(text) {
      const address = parseAddress(text);
      return address !== undefined && isAllowed(address);
    },
  };
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || isIn(address, SPECIAL)) return false;
  return address.kind() === 'ipv4' || isIn(address, [GLOBAL_IPV6]);
}

/** Also true for an IPv6 address that leads to such an IPv4 address. */
function isNever(address: Address): boolean {
  if (isIn(address, NEVER)) return true;
  const bytes = address.toByteArray();
  return EMBEDDING.some(
    ([network, start]) => isIn(address, [network]) && isIn(ipaddr.fromByteArray(bytes.slice(start, start + 4)), NEVER),
  );
}

function isIn(address: Address, networks: readonly Network[]): boolean {
  return networks.some(
    ([network, bits]) =>
      (address instanceof ipaddr.IPv4 && network instanceof ipaddr.IPv4 && address.match(network, bits)) ||
      (address instanceof ipaddr.IPv6 && network instanceof ipaddr.IPv6 && address.match(network, bits)),
  );
}

function parseNetwork(text: string): Network {
  const [address = '', bits] = text.split('/');
  const parsed = ipaddr.parse(address);
  return [parsed, bits === undefined ? parsed.toByteArray().length * 8 : Number(bits)];
}

/** `undefined`, so refused, for a text that only one of the two parsers reads: `ipaddr.js` also reads octal numbers. */
function parseAddress(text: string): Address | undefined {
  return isIP(text) === 0 || !ipaddr.isValid(text) ? undefined : ipaddr.parse(text);
}
