import { clearCookie, isForeignRequest, isOwnRequest, setCookie, tokenIn } from './cookie';

const TOKEN = 'a'.repeat(43);
const OTHER = 'b'.repeat(43);
const PAIR = `__Host-busbar=${TOKEN}`;

describe('the cookie of the console', () => {
  it('is for this host alone, over TLS alone, and no script reads it', () => {
    expect(setCookie(TOKEN)).toBe(`${PAIR}; Path=/; Secure; HttpOnly; SameSite=Strict`);
    expect(clearCookie()).toBe('__Host-busbar=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0');
  });

  it.each<[string, string | undefined, string | undefined]>([
    ['alone', PAIR, TOKEN],
    ['among others', `a=1; ${PAIR};b=2`, TOKEN],
    ['absent', undefined, undefined],
    ['of another name', `busbar=${TOKEN}; x__Host-busbar=${TOKEN}`, undefined],
    ['in another case', `__host-busbar=${TOKEN}`, undefined],
    ['twice', `${PAIR}; __Host-busbar=${OTHER}`, undefined],
    ['too short', PAIR.slice(0, -1), undefined],
    ['too long', `${PAIR}a`, undefined],
    ['with other characters', `__Host-busbar=${'a'.repeat(42)}.`, undefined],
    ['empty', '__Host-busbar=', undefined],
  ])('is read where it is %s', (_what, cookie, expected) => {
    expect(tokenIn(cookie === undefined ? {} : { cookie })).toBe(expected);
  });
});

const HOST = 'busbar.example:8443';
const OWN = { 'x-busbar-console': '1' };

describe('a request by cookie', () => {
  it.each<[string, string, Record<string, string>, boolean]>([
    ['of the same origin', 'GET', { 'sec-fetch-site': 'same-origin' }, true],
    ['of the same site', 'GET', { 'sec-fetch-site': 'same-site' }, false],
    ['of another site', 'GET', { 'sec-fetch-site': 'cross-site' }, false],
    ['that a reader typed', 'GET', { 'sec-fetch-site': 'none' }, false],
    [
      'of another site with the own origin',
      'GET',
      { 'sec-fetch-site': 'cross-site', origin: `https://${HOST}` },
      false,
    ],
    ['with the own origin', 'GET', { origin: `https://${HOST}` }, true],
    ['with another origin', 'GET', { origin: 'https://evil.example' }, false],
    ['with another port', 'GET', { origin: 'https://busbar.example' }, false],
    ['of a plain page', 'GET', { origin: `http://${HOST}` }, false],
    ['of an opaque origin', 'GET', { origin: 'null' }, false],
    ['with a malformed origin', 'GET', { origin: HOST }, false],
    ['with the own name as part of another', 'GET', { origin: `https://${HOST}.evil.example` }, false],
    ['with neither header', 'GET', {}, false],
    [
      'that only a proxy header calls own',
      'GET',
      { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
      false,
    ],
    ['that changes nothing', 'HEAD', { 'sec-fetch-site': 'same-origin' }, true],
    ['that changes', 'POST', { 'sec-fetch-site': 'same-origin', ...OWN }, true],
    ['that changes without the header', 'POST', { 'sec-fetch-site': 'same-origin' }, false],
    ['that changes with another value', 'POST', { 'sec-fetch-site': 'same-origin', 'x-busbar-console': 'true' }, false],
    ['that deletes without the header', 'DELETE', { 'sec-fetch-site': 'same-origin' }, false],
    ['that changes from another site with the header', 'PATCH', { 'sec-fetch-site': 'cross-site', ...OWN }, false],
  ])('%s (%s) counts or not', (_what, method, headers, expected) => {
    expect(isOwnRequest({ method, headers: { host: HOST, ...headers } })).toBe(expected);
  });

  it('knows the default port of an origin', () => {
    expect(
      isOwnRequest({ method: 'GET', headers: { host: 'busbar.example:443', origin: 'https://busbar.example' } }),
    ).toBe(true);
    expect(isOwnRequest({ method: 'GET', headers: { origin: 'https://busbar.example' } })).toBe(false);
  });
});

describe('a sign-in', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['of the console', { 'sec-fetch-site': 'same-origin' }, false],
    ['of another site', { 'sec-fetch-site': 'cross-site' }, true],
    ['of another site of the same domain', { 'sec-fetch-site': 'same-site' }, true],
    ['of the console in an old browser', { origin: `https://${HOST}` }, false],
    ['of another site in an old browser', { origin: 'https://evil.example' }, true],
    ['of a program', {}, false],
  ])('%s is foreign or not', (_what, headers, expected) => {
    expect(isForeignRequest({ headers: { host: HOST, ...headers } })).toBe(expected);
  });
});
