import { networkOf } from './network-of';

it.each([
  ['203.0.113.66', '203.0.113.66'],
  ['::ffff:203.0.113.66', '203.0.113.66'],
  ['::FFFF:203.0.113.67', '203.0.113.67'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:0db8::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('maps %s to the network %s: a customer has a whole /64 of IPv6', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
