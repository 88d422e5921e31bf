import type { NetworkInterfaceInfo } from 'node:os';
import { reachableAddresses } from './reachable-addresses';

const ipv4 = (address: string, internal = false) => ({ family: 'IPv4', address, internal }) as NetworkInterfaceInfo;
const ipv6 = (address: string, scopeid = 0, internal = false) =>
  ({ family: 'IPv6', address, scopeid, internal }) as NetworkInterfaceInfo;

const interfaces = {
  lo: [ipv4('127.0.0.1', true), ipv6('::1', 0, true)],
  eth0: [ipv6('fe80::1', 2), ipv6('2001:db8::20'), ipv4('192.168.1.20')],
  wlan0: [ipv4('10.0.0.7'), ipv4('169.254.3.4'), ipv4('192.168.1.20')],
  tun0: undefined,
};

it.each([
  ['0.0.0.0', ['192.168.1.20', '10.0.0.7']],
  ['::', ['192.168.1.20', '10.0.0.7', '2001:db8::20']],
  ['192.168.1.20', ['192.168.1.20']],
  ['charger-hub.example', ['charger-hub.example']],
  ['127.0.0.1', []],
  ['127.8.0.1', []],
  ['::1', []],
  ['localhost', []],
])('finds where other machines reach a listener on %s: %j', (host, addresses) => {
  expect(reachableAddresses(host, interfaces)).toEqual(addresses);
});

it('finds a bounded number', () => {
  const many = { docker0: Array.from({ length: 300 }, (_, i) => ipv4(`10.0.${String(i % 256)}.${String(i % 7)}`)) };
  expect(reachableAddresses('0.0.0.0', many)).toHaveLength(8);
});
