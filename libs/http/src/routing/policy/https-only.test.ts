import type { IncomingMessage } from 'node:http';
import { createProxyTrust, isSecure } from './https-only';

const trust = createProxyTrust(['10.0.0.0/8', '::1', '2001:db8::/32']);

const request = (remoteAddress: string | undefined, forwarded: string | undefined, encrypted = false) =>
  ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-proto': forwarded },
    socket: { remoteAddress, encrypted },
  }) as unknown as IncomingMessage;

describe('trusted proxies', () => {
  it.each([
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['::FFFF:10.1.2.3', true],
    ['::1', true],
    ['2001:db8:1::5', true],
    ['11.0.0.1', false],
    ['::ffff:11.0.0.1', false],
    ['::2', false],
    ['nonsense', false],
    [undefined, false],
  ])('recognizes %s: %s', (address, expected) => {
    expect(trust(address)).toBe(expected);
  });

  it.each(['', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '10.0.0.0/x', 'example.test', '::1/129'])(
    'refuses the network %j with a sentence that names the variable',
    (cidr) => {
      expect(() => createProxyTrust([cidr])).toThrow(/^TRUSTED_PROXIES contains/);
    },
  );
});

describe('isSecure', () => {
  it.each([
    ['a TLS connection', { address: '192.0.2.1', header: undefined, encrypted: true }, true],
    ['a plain connection', { address: '192.0.2.1', header: undefined, encrypted: false }, false],
    [
      'a plain connection of a stranger who says https',
      { address: '192.0.2.1', header: 'https', encrypted: false },
      false,
    ],
    ['a TLS connection of a stranger who says http', { address: '192.0.2.1', header: 'http', encrypted: true }, true],
    ['a trusted proxy that says https', { address: '10.0.0.1', header: 'https', encrypted: false }, true],
    [
      'a trusted proxy that says HTTPS over all hops',
      { address: '10.0.0.1', header: 'HTTPS, https', encrypted: false },
      true,
    ],
    [
      'a trusted proxy that says http for one hop',
      { address: '10.0.0.1', header: 'http, https', encrypted: false },
      false,
    ],
    ['a trusted proxy that speaks TLS and says http', { address: '10.0.0.1', header: 'http', encrypted: true }, false],
    ['a trusted proxy that says nothing', { address: '10.0.0.1', header: undefined, encrypted: false }, false],
  ])('judges %s', (_what, { address, header, encrypted }, expected) => {
    expect(isSecure(request(address, header, encrypted), trust)).toBe(expected);
  });
});
