import { createEgressAddresses } from './egress-address';

const NOT_PUBLIC = [
  ['loopback', '127.0.0.1'],
  ['loopback, end', '127.255.255.255'],
  ['private 10/8', '10.0.0.1'],
  ['private 172.16/12', '172.31.255.255'],
  ['private 192.168/16', '192.168.0.1'],
  ['link-local', '169.254.169.254'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['carrier-grade NAT, end', '100.127.255.255'],
  ['unspecified', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['protocol assignments', '192.0.0.170'],
  ['benchmarks', '198.18.0.1'],
  ['benchmarks, end', '198.19.255.255'],
  ['documentation 1', '192.0.2.1'],
  ['documentation 2', '198.51.100.1'],
  ['documentation 3', '203.0.113.1'],
  ['6to4 relay', '192.88.99.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['metadata service in a public network', '168.63.129.16'],
  ['unspecified IPv6', '::'],
  ['loopback IPv6', '::1'],
  ['unique local', 'fc00::1'],
  ['unique local, end', 'fdff::1'],
  ['metadata service in IPv6', 'fd00:ec2::254'],
  ['link-local IPv6', 'fe80::1'],
  ['link-local IPv6 with a zone', 'fe80::1%1'],
  ['site-local', 'fec0::1'],
  ['mapped private', '::ffff:10.0.0.1'],
  ['mapped public', '::ffff:8.8.8.8'],
  ['compatible', '::8.8.8.8'],
  ['translated', '::ffff:0:8.8.8.8'],
  ['NAT64', '64:ff9b::808:808'],
  ['local NAT64', '64:ff9b:1::808:808'],
  ['6to4', '2002:808:808::1'],
  ['Teredo', '2001::1'],
  ['ORCHID', '2001:20::1'],
  ['documentation IPv6', '2001:db8::1'],
  ['documentation IPv6 of 2024', '3fff::1'],
  ['discard', '100::1'],
  ['multicast IPv6', 'ff02::1'],
  ['not assigned', '4000::1'],
  ['no address', 'example.com'],
  ['octal', '0177.0.0.1'],
  ['empty', ''],
] as const;

const PUBLIC = ['8.8.8.8', '1.1.1.1', '100.63.255.255', '100.128.0.1', '172.32.0.1', '198.20.0.1', '2606:4700::1111'];

describe('the addresses that requests may be sent to', () => {
  const strict = createEgressAddresses({ allowedCidrs: [], loopback: false });

  it.each(NOT_PUBLIC)('refuses %s: %s', (_name, address) => {
    expect(strict.permits(address)).toBe(false);
    expect(strict.isAllowedByOperator(address)).toBe(false);
  });

  it.each(PUBLIC)('permits the public %s, which no setting allows', (address) => {
    expect(strict.permits(address)).toBe(true);
    expect(strict.isAllowedByOperator(address)).toBe(false);
  });

  it.each(['10.1.2.3', '192.168.7.7', 'fd12::1'])('permits %s in a network of the operator', (address) => {
    const open = createEgressAddresses({ allowedCidrs: ['10.0.0.0/8', '192.168.7.7', 'fd12::/16'], loopback: false });
    expect(open.permits(address)).toBe(true);
    expect(open.isAllowedByOperator(address)).toBe(true);
    expect(open.permits('192.168.7.8')).toBe(false);
    expect(open.permits('127.0.0.1')).toBe(false);
  });

  it.each([
    '169.254.169.254',
    '168.63.129.16',
    'fe80::1',
    'fd00:ec2::254',
    '::169.254.169.254',
    '::ffff:169.254.169.254',
    '::ffff:0:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
  ])('refuses %s although the operator permits every address', (address) => {
    const all = createEgressAddresses({ allowedCidrs: ['0.0.0.0/0', '::/0'], loopback: true });
    expect(all.permits(address)).toBe(false);
    expect(all.isAllowedByOperator(address)).toBe(false);
  });

  it('permits loopback, and nothing else, to a process that listens on loopback', () => {
    const local = createEgressAddresses({ allowedCidrs: [], loopback: true });
    expect(['127.0.0.1', '127.9.9.9', '::1'].every((address) => local.isAllowedByOperator(address))).toBe(true);
    expect(['10.0.0.1', '::ffff:127.0.0.1', '0.0.0.0'].some((address) => local.permits(address))).toBe(false);
  });
});
