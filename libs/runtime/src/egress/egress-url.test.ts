import { createEgressAddresses } from './egress-address';
import { checkEgressUrl } from './egress-url';

interface Options {
  readonly allowedCidrs?: readonly string[];
  readonly plainHttp?: boolean;
  readonly loopback?: boolean;
  readonly publicHttp?: boolean;
}

function reasonOf(url: string, options: Options = {}) {
  const { allowedCidrs = [], plainHttp = false, loopback = false, publicHttp } = options;
  const addresses = createEgressAddresses({ allowedCidrs, loopback });
  const result = checkEgressUrl(url, { addresses, plainHttp, loopback, publicHttp });
  return result.accepted ? 'accepted' : result.reason;
}

describe('the URL of somebody else’s server', () => {
  it.each([
    'https://hooks.example.com/busbar?a=1',
    'https://hooks.example.com:443/',
    'https://hooks.example.com:1024/',
    'https://hooks.example.com:65535/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://localhost.example.com/',
    `https://example.com/${'a'.repeat(1_980)}`,
  ])('accepts %.60s', (url) => {
    expect(reasonOf(url)).toBe('accepted');
  });

  it.each([
    ['hooks.example.com', 'This is not a URL.'],
    ['https://', 'This is not a URL.'],
    ['https://example.com:65536/', 'This is not a URL.'],
    ['http://hooks.example.com:8080/', 'The URL must begin with https://.'],
    ['ftp://hooks.example.com/', 'The URL must begin with https://.'],
    ['https://user@example.com/', 'The URL must not have a user name or a password.'],
    ['https://:word@example.com/', 'The URL must not have a user name or a password.'],
    ['https://example.com/#part', 'The URL must not have a fragment.'],
    ['https://example.com/#', 'The URL must not have a fragment.'],
    ['https://example.com:22/', 'The port of the URL must be 443 or from 1024 to 65535.'],
    ['https://example.com:1023/', 'The port of the URL must be 443 or from 1024 to 65535.'],
    ['https://example.com:0/', 'The port of the URL must be 443 or from 1024 to 65535.'],
    [`https://example.com/${'a'.repeat(1_981)}`, 'The URL has more than 2,000 characters.'],
    ['https://2130706433/', 'The address of the URL is not public.'],
    ['https://0x7f.1/', 'The address of the URL is not public.'],
    ['https://0177.0.0.1/', 'The address of the URL is not public.'],
    ['https://127。0。0。1/', 'The address of the URL is not public.'],
    ['https://127.0.0.1./', 'The address of the URL is not public.'],
    ['https://[::1]/', 'The address of the URL is not public.'],
    ['https://[::ffff:10.0.0.1]/', 'The address of the URL is not public.'],
    ['https://169.254.169.254/', 'The address of the URL is not public.'],
    ['https://localhost/', 'The host of the URL is not public.'],
    ['https://LOCALHOST./', 'The host of the URL is not public.'],
    ['https://a.localhost/', 'The host of the URL is not public.'],
    ['https://printer.local/', 'The host of the URL is not public.'],
    ['https://metadata.google.internal/', 'The host of the URL is not public.'],
    ['https://router.home.arpa./', 'The host of the URL is not public.'],
  ])('refuses %.60s: %s', (url, reason) => {
    expect(reasonOf(url)).toBe(reason);
  });

  it('accepts http:// into networks of the operator only', () => {
    const options = { allowedCidrs: ['10.0.0.0/8'], plainHttp: true };
    expect(reasonOf('http://10.0.0.1:8080/', options)).toBe('accepted');
    expect(reasonOf('http://8.8.8.8:8080/', options)).toBe('The address of the URL is not public.');
    expect(reasonOf('http://10.0.0.1:8080/', { allowedCidrs: ['10.0.0.0/8'] })).toBe(
      'The URL must begin with https://.',
    );
  });

  it.each([
    ['http://ocsp.example.com/', 'accepted'],
    ['http://ocsp.example.com:80/', 'accepted'],
    ['https://ocsp.example.com/', 'accepted'],
    ['http://8.8.8.8/', 'accepted'],
    ['http://10.0.0.1/', 'accepted'],
    ['http://10.1.0.1/', 'The address of the URL is not public.'],
    ['http://127.0.0.1/', 'The address of the URL is not public.'],
    ['http://169.254.169.254/', 'The address of the URL is not public.'],
    ['http://localhost/', 'The host of the URL is not public.'],
    ['http://ocsp.example.com:25/', 'The port of the URL must be 443 or from 1024 to 65535.'],
    ['http://user@ocsp.example.com/', 'The URL must not have a user name or a password.'],
    ['ldap://ocsp.example.com/', 'The URL must begin with https://.'],
  ])('answers %s of a responder with: %s', (url, expected) => {
    expect(reasonOf(url, { allowedCidrs: ['10.0.0.0/16'], publicHttp: true })).toBe(expected);
  });

  it('accepts localhost of a process that listens on loopback', () => {
    expect(reasonOf('https://localhost:8443/', { loopback: true })).toBe('accepted');
    expect(reasonOf('https://127.0.0.1:8443/', { loopback: true })).toBe('accepted');
    expect(reasonOf('https://a.localhost:8443/', { loopback: true })).toBe('The host of the URL is not public.');
  });
});
