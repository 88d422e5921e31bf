import { createApiKey, type ApiKey } from '@busbar/domain/clients';
import { createSignInCode, signInWithKey } from '@busbar/domain/console';
import { eventually, type HttpReply } from '@busbar/testing';
import { openEventStream } from '../testing/open-stream';
import { codeOf } from '../testing/open-app';
import { openConsole, OWN, type TestConsole } from '../testing/open-console';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let console: TestConsole;
beforeAll(async () => {
  console = await openConsole();
});
afterAll(() => console.close());

/** The sender at an address of its own, with its own limit of attempts. */
const from = (address: string) => ({ ...OWN, 'x-forwarded-for': address });

const expiredKey = async (): Promise<string> => {
  const { secret } = await newKey({ expiresAt: inFuture(1_000) });
  console.advance(2_000);
  return secret;
};

function inFuture(ms: number): string {
  return new Date(console.clock.now().getTime() + ms).toISOString();
}

function newKey(over: Partial<Pick<ApiKey, 'permissions' | 'expiresAt' | 'clientId'>> = {}) {
  const { apiKeys } = console.api.platform.records;
  const { clientId } = console.api.own.client;
  const input = { clientId, name: 'x', permissions: ['chargers:read'], expiresAt: null, ...over } as const;
  return createApiKey({ apiKeys, clock: console.clock }, input);
}

describe('signing in', () => {
  it('1: sets a cookie for this host alone, and stores no token', async () => {
    const reply = await console.signIn();
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-busbar=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/),
    ]);
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  it("1: responds to a wrong, an expired, a revoked and another client's key with the same text, after the same time", async () => {
    const { own, other } = console.api;
    const revoked = await newKey();
    await console.api.platform.records.apiKeys.revoke(own.client.clientId, revoked.key.keyId, new Date().toISOString());
    const { clientId } = own.client;
    const inputs = [
      { clientId, apiKey: 'bb_wrong-but-long-enough' },
      { clientId, apiKey: 'x' },
      { clientId: 'unknown', apiKey: own.secret },
      { clientId, apiKey: other.secret },
      { clientId, apiKey: revoked.secret },
      { clientId, apiKey: await expiredKey() },
    ];
    const texts = new Set<string>();
    for (const input of inputs) {
      const begin = performance.now();
      const reply = await console.signIn(input, from('198.51.100.1'));
      expect(performance.now() - begin).toBeGreaterThanOrEqual(495);
      expect([codeOf(reply), reply.headers['set-cookie']]).toEqual(['401 unauthenticated', undefined]);
      texts.add(JSON.stringify({ ...reply.json(), requestId: '' }));
    }
    expect(texts.size).toBe(1);
  });

  it('1: rejects the eleventh wrong key of an address with 429, and the right one too, but no other address', async () => {
    const wrong = { clientId: console.api.own.client.clientId, apiKey: 'bb_wrong-but-long-enough' };
    const replies = await Promise.all(Array.from({ length: 11 }, () => console.signIn(wrong, from('198.51.100.2'))));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([...Array<number>(10).fill(401), 429]);
    const right = await console.signIn(undefined, from('198.51.100.2'));
    expect([codeOf(right), Number(right.headers['retry-after']) > 0]).toEqual(['429 rate_limited', true]);
    // A proxy that no setting trusts cannot choose the address.
    const forged = { ...OWN, 'x-forwarded-for': '198.51.100.9, 198.51.100.2' };
    expect((await console.signIn(undefined, forged)).status).toBe(429);
    expect((await console.signIn(undefined, from('198.51.100.3'))).status).toBe(204);
    expect((await console.signIn(wrong, from('2001:db8::1'))).status).toBe(401);
  });

  it('1: does not count a sign-in that succeeds', async () => {
    for (let n = 0; n < 12; n += 1) expect((await console.signIn()).status).toBe(204);
  });

  it.each<[string, object, string]>([
    ['neither key nor code', {}, '400 invalid_request'],
    ['a key without its client', { apiKey: 'bb_0123456789abcdef' }, '400 invalid_request'],
    ['a key and a code', { clientId: 'c', apiKey: 'k', code: 'c' }, '400 invalid_request'],
    ['an unknown field', { code: 'c', token: 'x' }, '400 invalid_request'],
    ['a number', { code: 7 }, '400 invalid_request'],
    ['a long text', { code: 'c'.repeat(201) }, '400 invalid_request'],
  ])('rejects %s', async (_what, body, expected) => {
    expect(codeOf(await console.signIn(body))).toBe(expected);
  });

  it('takes JSON alone, from no other site, and over TLS alone', async () => {
    const { own } = console.api;
    const body = { clientId: own.client.clientId, apiKey: own.secret };
    const form = { 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' };
    const asForm = console.send('POST', '/console/session', { body: JSON.stringify(body), headers: form });
    expect(codeOf(await asForm)).toBe('415 unsupported_media_type');
    expect(codeOf(await console.signIn(body, { 'sec-fetch-site': 'cross-site' }))).toBe('403 forbidden');
    expect(codeOf(await console.signIn(body, { origin: 'https://evil.example' }))).toBe('403 forbidden');
    expect(codeOf(await console.signIn(body, { ...OWN, 'x-forwarded-proto': 'http' }))).toBe('403 https_required');
  });

  it('gives a new token each time and ends the session of the cookie that was sent', async () => {
    const planted = `__Host-busbar=${'a'.repeat(43)}`;
    const first = await console.signIn(undefined, { ...OWN, cookie: planted });
    const cookie = first.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    expect(cookie).not.toBe(planted);
    expect((await console.asConsole(planted, 'GET', '/v2/sites')).status).toBe(401);
    const second = await console.signIn(undefined, { ...OWN, cookie });
    expect(second.status).toBe(204);
    expect((await console.asConsole(cookie, 'GET', '/v2/sites')).status).toBe(401);
  });

  it('never logs the key, the token or the code', async () => {
    const { own, logger } = console.api;
    const code = await createSignInCode({ ...console.api.platform.records, clock: console.clock }, own.key.keyId);
    const cookie = await console.cookie({ code });
    await console.signIn({ clientId: own.client.clientId, apiKey: 'bb_wrong-but-long-enough' });
    await console.asConsole(cookie, 'GET', '/console/session');
    const text = JSON.stringify(logger.lines);
    expect(text).toContain('sign-in to the console rejected');
    for (const secret of [own.secret, code, cookie.split('=')[1] ?? '', 'bb_wrong']) expect(text).not.toContain(secret);
  });
});

describe('a sign-in link', () => {
  it('signs in once', async () => {
    const { own, platform } = console.api;
    const code = await createSignInCode({ ...platform.records, clock: console.clock }, own.key.keyId);
    const replies = await Promise.all([1, 2, 3].map(() => console.signIn({ code })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 401, 401]);
  });
});

describe('the session', () => {
  it('shows who is signed in, and what the key may do', async () => {
    const { key } = await newKey({ permissions: ['chargers:read', 'operator'] });
    const code = await createSignInCode({ ...console.api.platform.records, clock: console.clock }, key.keyId);
    const reply = await console.asConsole(await console.cookie({ code }), 'GET', '/console/session');
    const { clientId, name: clientName } = console.api.own.client;
    expect(reply.json()).toMatchObject({ clientId, clientName, keyId: key.keyId, keyName: 'x', operator: true });
    expect(reply.json()['permissions']).toEqual(['chargers:read', 'operator']);
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  it('responds 204 without a cookie, and 401 with one of no session', async () => {
    for (const headers of [OWN, {}]) {
      const { status, text } = await console.send('GET', '/console/session', { headers });
      expect([status, text]).toEqual([204, '']);
    }
    const headers = { ...OWN, cookie: `__Host-busbar=${'a'.repeat(43)}` };
    expect(codeOf(await console.send('GET', '/console/session', { headers }))).toBe('401 unauthenticated');
  });

  it('2: ends after half an hour without use, and not before', async () => {
    const cookie = await console.cookie();
    for (let n = 0; n < 3; n += 1) {
      console.advance(29 * MINUTE_MS);
      expect((await console.asConsole(cookie, 'GET', '/v2/sites')).status).toBe(200);
    }
    console.advance(30 * MINUTE_MS);
    expect((await console.asConsole(cookie, 'GET', '/v2/sites')).status).toBe(401);
  });

  it('2: ends after twelve hours of use', async () => {
    const cookie = await console.cookie();
    for (let at = 20; at < 720; at += 20) {
      console.advance(20 * MINUTE_MS);
      expect((await console.asConsole(cookie, 'GET', '/v2/sites')).status).toBe(200);
    }
    console.advance(20 * MINUTE_MS);
    expect((await console.asConsole(cookie, 'GET', '/v2/sites')).status).toBe(401);
    expect((await console.asConsole(await console.cookie(), 'GET', '/v2/sites')).status).toBe(200);
  });

  it('2: ends with a sign-out, of this browser alone', async () => {
    const [one, two] = [await console.cookie(), await console.cookie()];
    const reply = await console.asConsole(one, 'DELETE', '/console/session');
    expect([reply.status, reply.headers['set-cookie']?.[0]]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect((await console.asConsole(one, 'GET', '/v2/sites')).status).toBe(401);
    expect((await console.asConsole(two, 'GET', '/v2/sites')).status).toBe(200);
    expect((await console.asConsole(one, 'DELETE', '/console/session')).status).toBe(204);
  });

  it('2: ends with the key, at its revocation and at its expiry', async () => {
    const { key, secret } = await newKey({ expiresAt: inFuture(HOUR_MS) });
    const input = { clientId: key.clientId, apiKey: secret };
    const expiring = await console.cookie(input);
    expect((await console.asConsole(expiring, 'GET', '/v2/chargers')).status).toBe(200);
    await console.asConsole(expiring, 'GET', '/console/session');
    console.advance(20 * MINUTE_MS);
    await console.asConsole(expiring, 'GET', '/v2/chargers');
    console.advance(25 * MINUTE_MS);
    await console.asConsole(expiring, 'GET', '/v2/chargers');
    console.advance(15 * MINUTE_MS);
    expect((await console.asConsole(expiring, 'GET', '/v2/chargers')).status).toBe(401);

    const other = await newKey();
    const revoked = await console.cookie({ clientId: other.key.clientId, apiKey: other.secret });
    await console.api.platform.records.apiKeys.revoke(key.clientId, other.key.keyId, new Date().toISOString());
    expect((await console.asConsole(revoked, 'GET', '/v2/chargers')).status).toBe(401);
  });

  it('2: has the permissions of its key', async () => {
    const { key, secret } = await newKey();
    const cookie = await console.cookie({ clientId: key.clientId, apiKey: secret });
    expect((await console.asConsole(cookie, 'GET', '/v2/chargers')).status).toBe(200);
    expect(codeOf(await console.asConsole(cookie, 'GET', '/v2/sites'))).toBe('403 forbidden');
    expect(codeOf(await console.asConsole(cookie, 'POST', '/v2/sites', { name: 'x' }))).toBe('403 forbidden');
  });

  it('2: ends its streams with it', async () => {
    const cookie = await console.cookie();
    const stream = await openEventStream(`${console.origin}/v2/events/stream`, { cookie, ...OWN });
    expect(stream.response.status).toBe(200);
    await console.asConsole(cookie, 'DELETE', '/console/session');
    await eventually(() => stream.hasEnded(), 5_000);
    expect(stream.events().at(-1)).toMatchObject({ event: 'end', data: { reason: 'key_revoked' } });
  });

  it('2: is used neither by what the page asks by itself nor by a stream that stays open', async () => {
    const cookie = await console.cookie();
    const headers = { ...OWN, cookie, 'x-busbar-idle': '1' };
    const responses = async () => [
      (await console.send('GET', '/console/session', { headers })).status,
      (await console.send('GET', '/v2/statistics', { headers })).status,
    ];
    console.advance(20 * MINUTE_MS);
    expect(await responses()).toEqual([200, 200]);
    const stream = await openEventStream(`${console.origin}/v2/events/stream`, headers);
    expect(stream.response.status).toBe(200);
    console.advance(10 * MINUTE_MS);
    expect(await responses()).toEqual([401, 401]);
    await eventually(() => stream.hasEnded(), 5_000);
    expect(stream.events().at(-1)).toMatchObject({ event: 'end' });
  });
});

describe('the v2 API', () => {
  const send = (cookie: string, method: string, headers: Readonly<Record<string, string>>): Promise<HttpReply> =>
    console.send(method, '/v2/sites', {
      headers: { cookie, ...headers },
      ...(method === 'POST' ? { body: { name: 'A site' } } : {}),
    });

  it('3: takes the cookie from the pages of the console alone', async () => {
    const cookie = await console.cookie();
    const host = new URL(console.origin).host;
    const sameOrigin = { 'sec-fetch-site': 'same-origin' };
    expect((await send(cookie, 'GET', sameOrigin)).status).toBe(200);
    expect((await send(cookie, 'GET', { origin: `https://${host}` })).status).toBe(200);
    expect((await send(cookie, 'POST', { ...sameOrigin, 'x-busbar-console': '1' })).status).toBe(200);
    const refused = [
      await send(cookie, 'GET', {}),
      await send(cookie, 'GET', { 'sec-fetch-site': 'cross-site' }),
      await send(cookie, 'GET', { origin: 'https://evil.example' }),
      await send(cookie, 'POST', sameOrigin),
      await send(cookie, 'POST', { 'sec-fetch-site': 'cross-site', 'x-busbar-console': '1' }),
    ];
    expect(refused.map(codeOf)).toEqual(Array(5).fill('403 forbidden'));
    expect((await console.api.call('GET', '/sites')).json()['totalRecords']).toBe(1);
  });

  it('3: sends no CORS header that would let another site read or set anything', async () => {
    const cookie = await console.cookie();
    const preflight = { origin: 'https://evil.example', 'access-control-request-headers': 'x-busbar-console' };
    for (const path of ['/v2/sites', '/console/session']) {
      const replies = [
        await console.send('OPTIONS', path, { headers: preflight }),
        await console.send('GET', path, { headers: { cookie, ...OWN, origin: 'https://evil.example' } }),
      ];
      for (const { headers } of replies) {
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    }
  });

  it('3: takes the key where both are sent, also a wrong one', async () => {
    const cookie = await console.cookie();
    const { key, secret } = await newKey();
    const status = async (headers: Readonly<Record<string, string>>) =>
      (await console.send('GET', '/v2/sites', { headers: { cookie, ...OWN, ...headers } })).status;
    expect(key.permissions).not.toContain('sites:read');
    expect(await status({ 'x-api-key': secret })).toBe(403);
    expect(await status({ 'x-api-key': 'bb_wrong' })).toBe(401);
    expect(await status({ authorization: 'Bearer bb_wrong' })).toBe(401);
    expect(await status({ authorization: 'Bearer' })).toBe(401);
    expect(await status({ authorization: 'Basic dTpw' })).toBe(200);
    expect(await status({})).toBe(200);
  });

  it("shows a session none of another client's data", async () => {
    const { other, own } = console.api;
    const theirs = await console.cookie({ clientId: other.client.clientId, apiKey: other.secret });
    await console.api.post('/sites', { name: 'Own' });
    expect((await console.asConsole(theirs, 'GET', '/v2/sites')).json()['totalRecords']).toBe(0);
    expect((await console.asConsole(theirs, 'GET', '/console/session')).json()['clientId']).not.toBe(
      own.client.clientId,
    );
  });

  it('repeats a response with a secret to the session that got it, and to no other caller', async () => {
    const [one, two] = [await console.cookie(), await console.cookie()];
    const create = (headers: Readonly<Record<string, string>>) =>
      console.send('POST', '/v2/api-keys', {
        headers: { ...OWN, 'idempotency-key': 'one', ...headers },
        body: { name: 'new', permissions: ['sites:read'] },
      });
    const first = await create({ cookie: one });
    expect((await create({ cookie: one })).json()).toEqual(first.json());
    expect(codeOf(await create({ cookie: two }))).toBe('409 idempotency_key_reused');
    expect(codeOf(await create({ 'x-api-key': console.api.own.secret }))).toBe('409 idempotency_key_reused');
  });

  it('shares the rate limit of the key', async () => {
    const reply = await console.asConsole(await console.cookie(), 'GET', '/v2/sites');
    expect(reply.headers.ratelimit).toContain('"key"');
  });
});

it('counts no cookie and has no pages where the console is off', async () => {
  const off = await openConsole({ console: 'off', files: { 'index.html': 'x' } });
  try {
    const { records } = off.api.platform;
    const { own } = off.api;
    const input = { clientId: own.client.clientId, apiKey: own.secret };
    const signedIn = await signInWithKey({ ...records, clock: off.clock }, input);
    const cookie = `__Host-busbar=${signedIn?.token ?? ''}`;
    expect((await off.asConsole(cookie, 'GET', '/v2/sites')).status).toBe(401);
    expect((await off.signIn()).status).toBe(404);
    for (const path of ['/console', '/console/', '/console/session', '/console/config', '/']) {
      expect((await off.send('GET', path, { headers: OWN })).status).toBe(404);
    }
  } finally {
    await off.close();
  }
});
