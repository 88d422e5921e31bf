// Row 7 of the tests of events, by literal: no webhook may be created with an address that is not public, however it is written.
import { codeOf, openApp, type TestApp } from '../../testing/open-app';

const HOSTS = [
  ['loopback', '127.0.0.1'],
  ['loopback as one number', '2130706433'],
  ['loopback in hexadecimal', '0x7f.1'],
  ['loopback in octal', '0177.0.0.1'],
  ['loopback with other full stops', '127。0。0。1'],
  ['loopback with a full stop at the end', '127.0.0.1.'],
  ['private 10/8', '10.0.0.1'],
  ['private 172.16/12', '172.31.255.255'],
  ['private 192.168/16', '192.168.0.1'],
  ['link-local', '169.254.169.254'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['this network', '0.1.2.3'],
  ['unspecified', '0.0.0.0'],
  ['protocol assignments', '192.0.0.170'],
  ['benchmarks', '198.18.0.1'],
  ['documentation 1', '192.0.2.1'],
  ['documentation 2', '198.51.100.1'],
  ['documentation 3', '203.0.113.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['metadata service in a public network', '168.63.129.16'],
  ['unspecified IPv6', '[::]'],
  ['loopback IPv6', '[::1]'],
  ['unique local', '[fc00::1]'],
  ['metadata service in IPv6', '[fd00:ec2::254]'],
  ['link-local IPv6', '[fe80::1]'],
  ['site-local', '[fec0::1]'],
  ['mapped private', '[::ffff:10.0.0.1]'],
  ['mapped public', '[::ffff:8.8.8.8]'],
  ['NAT64', '[64:ff9b::808:808]'],
  ['local NAT64', '[64:ff9b:1::808:808]'],
  ['6to4', '[2002:808:808::1]'],
  ['Teredo', '[2001::1]'],
  ['documentation IPv6', '[2001:db8::1]'],
  ['multicast IPv6', '[ff02::1]'],
  ['localhost', 'localhost'],
  ['below .localhost', 'a.localhost'],
  ['below .local', 'printer.local'],
  ['below .internal', 'metadata.google.internal'],
  ['below .home.arpa', 'router.home.arpa'],
] as const;

let world: TestApp;
let id: string;
beforeAll(async () => {
  world = await openApp();
  id = String((await world.post('/webhooks', { url: 'https://hooks.example.com/' })).json()['id']);
});
afterAll(() => world.close());

it.each(HOSTS)('refuses a webhook at %s: %s', async (_title, host) => {
  for (const port of ['', ':8443']) {
    const url = `https://${host}${port}/busbar`;
    expect(codeOf(await world.post('/webhooks', { url }))).toBe('400 invalid_webhook_url');
    expect(codeOf(await world.call('PATCH', `/webhooks/${id}`, { body: { url } }))).toBe('400 invalid_webhook_url');
  }
});

it.each(['8.8.8.8', '[2606:4700::1111]', 'localhost.example.com'])(
  'accepts a webhook at the public %s',
  async (host) => {
    const url = `https://${host}/busbar`;
    expect((await world.call('PATCH', `/webhooks/${id}`, { body: { url } })).json()).toMatchObject({ url });
  },
);
