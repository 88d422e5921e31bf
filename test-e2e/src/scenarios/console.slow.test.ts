// The sign-in of the web console from outside, as an attacker and a browser see it: docs/security.md.
import { request } from 'node:https';
import { connect as connectTls } from 'node:tls';
import { eventually } from '@busbar/testing';
import { asNewClient } from '../harness/clients';
import { http, type HttpCall, type HttpReply } from '../harness/http';
import { inBothWorlds } from '../harness/in-both-worlds';
import { uniqueId, v2, type World } from '../harness/world';

const OWN = { 'sec-fetch-site': 'same-origin', 'x-busbar-console': '1' };
const WITHIN_MS = 5_000;

inBothWorlds((world) => {
  const origin = (): string => world().addresses().v2.replace(/\/v2$/, '');

  const signIn = (input: object): Promise<HttpReply> =>
    http(`${origin()}/console/session`, { method: 'POST', headers: OWN, body: input });

  async function cookieOf({ clientId, apiKey }: Pick<World, 'clientId' | 'apiKey'>): Promise<string> {
    const reply = await signIn({ clientId, apiKey });
    expect([reply.status, reply.text]).toEqual([204, '']);
    const [cookie = ''] = [reply.headers['set-cookie']].flat();
    expect(cookie).toMatch(/^__Host-busbar=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/);
    return cookie.split(';')[0] ?? '';
  }

  const asConsole = (cookie: string, path: string, call: HttpCall = {}): Promise<HttpReply> =>
    http(`${origin()}${path}`, { ...call, headers: { cookie, ...OWN, ...call.headers } });

  const codeOf = ({ status, json }: HttpReply): string =>
    `${String(status)} ${String((json as { code?: unknown } | undefined)?.code)}`;

  /** A key of the own client alone, which another test does not miss. */
  async function newKey(more: object = {}): Promise<{ clientId: string; apiKey: string; keyId: string }> {
    const permissions = ['sites:read', 'sites:write', 'events:read'];
    const body = { name: uniqueId('console'), permissions, ...more };
    const reply = await v2(world(), '/api-keys', { method: 'POST', body });
    const { id, key } = reply.json as { id: string; key: string };
    return { clientId: world().clientId, apiKey: key, keyId: id };
  }

  it('1: signs in with a key, shows who is signed in, and signs out', async () => {
    const cookie = await cookieOf(world());
    const session = await asConsole(cookie, '/console/session');
    expect(session.json).toMatchObject({ clientId: world().clientId, operator: false });
    expect(session.headers['cache-control']).toBe('no-store');
    expect((await asConsole(cookie, '/v2/sites?limit=1')).status).toBe(200);
    expect((await asConsole(cookie, '/console/session', { method: 'DELETE' })).status).toBe(204);
    expect((await asConsole(cookie, '/v2/sites?limit=1')).status).toBe(401);
    expect((await asConsole(cookie, '/console/session')).status).toBe(401);
  });

  it("1: rejects a wrong key, an expired one and another client's alike", async () => {
    const expiring = await newKey({ expiresAt: new Date(Date.now() + 3_000).toISOString() });
    const cookie = await cookieOf(expiring);
    await eventually(async () => (await asConsole(cookie, '/v2/sites?limit=1')).status === 401);
    const other = await asNewClient(world(), 'Other');
    const { clientId } = world();
    const bodies = new Set<string>();
    for (const input of [{ apiKey: 'bb_wrong-0123456789' }, { apiKey: expiring.apiKey }, { apiKey: other.apiKey }]) {
      const reply = await signIn({ clientId, ...input });
      expect([codeOf(reply), reply.headers['set-cookie']]).toEqual(['401 unauthenticated', undefined]);
      bodies.add(JSON.stringify({ ...(reply.json as object), requestId: '' }));
    }
    expect(bodies.size).toBe(1);
  });

  it('1: rejects the eleventh failed sign-in of an address within a minute', async () => {
    const body = JSON.stringify({ clientId: world().clientId, apiKey: 'bb_wrong-0123456789' });
    const url = `${origin()}/console/session`;
    const statuses = await Promise.all(Array.from({ length: 11 }, () => statusFrom('127.0.0.77', url, body)));
    expect(statuses.toSorted()).toEqual([...Array<number>(10).fill(401), 429]);
    await cookieOf(world());
  });

  it('2: ends within 5 s of the revocation of its key, its streams too', async () => {
    const key = await newKey();
    const cookie = await cookieOf(key);
    const stream = openStream(`${origin()}/v2/events/stream`, cookie);
    await eventually(() => stream.text().includes('retry:'));
    await v2(world(), `/api-keys/${key.keyId}`, { method: 'DELETE' });
    await eventually(async () => (await asConsole(cookie, '/v2/sites?limit=1')).status === 401, WITHIN_MS);
    await eventually(() => stream.hasEnded(), WITHIN_MS);
    expect(stream.text()).toContain('"reason":"key_revoked"');
    expect((await signIn({ clientId: key.clientId, apiKey: key.apiKey })).status).toBe(401);
  });

  it("3: refuses another site's requests and changes without the header, and changes nothing", async () => {
    const cookie = await cookieOf(world());
    const name = uniqueId('forged');
    const create = (headers: Readonly<Record<string, string>>) =>
      http(`${origin()}/v2/sites`, { method: 'POST', body: { name }, headers: { cookie, ...headers } });
    const sameOrigin = { 'sec-fetch-site': 'same-origin' };
    const refused = [
      await create(sameOrigin),
      await create({}),
      await create({ 'x-busbar-console': '1' }),
      await create({ 'x-busbar-console': '1', 'sec-fetch-site': 'cross-site' }),
      await create({ 'x-busbar-console': '1', origin: 'https://evil.example' }),
      await create({ 'x-busbar-console': '1', origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' }),
      await http(`${origin()}/v2/sites`, { headers: { cookie, 'sec-fetch-site': 'same-site' } }),
      await asConsole(cookie, '/console/session', { method: 'DELETE', headers: { 'sec-fetch-site': 'cross-site' } }),
    ];
    expect(refused.map(codeOf)).toEqual(refused.map(() => '403 forbidden'));
    expect((await v2(world(), `/sites?search=${name}`)).json).toMatchObject({ totalRecords: 0 });
    expect((await create({ ...sameOrigin, 'x-busbar-console': '1' })).status).toBe(200);
  });

  it('3: takes the key where one is sent, and never the cookie at the v1 API or over plain HTTP', async () => {
    const cookie = await cookieOf(world());
    const wrong = await asConsole(cookie, '/v2/sites', { headers: { 'x-api-key': 'bb_wrong-0123456789' } });
    expect(wrong.status).toBe(401);
    const { api, plain } = world().addresses();
    expect((await http(`${api}/statistics`, { headers: { cookie, ...OWN } })).status).toBe(401);
    expect(codeOf(await http(`${plain.v2}/sites`, { headers: { cookie, ...OWN } }))).toBe('403 https_required');
    const insecure = `${plain.v2.replace(/\/v2$/, '')}/console/session`;
    const sent = await http(insecure, { method: 'POST', headers: OWN, body: { code: 'x' } });
    expect([codeOf(sent), sent.headers['set-cookie']]).toEqual(['403 https_required', undefined]);
  });

  it("shows a session none of another client's data", async () => {
    const other = await asNewClient(world(), 'Other');
    const made = await v2(world(), '/sites', { method: 'POST', body: { name: uniqueId('own') } });
    const cookie = await cookieOf(other);
    expect((await asConsole(cookie, '/v2/sites')).json).toMatchObject({ totalRecords: 0 });
    const { id } = made.json as { id: number };
    expect(codeOf(await asConsole(cookie, `/v2/sites/${String(id)}`))).toBe('404 not_found');
  });

  it('4: sends pages that run no script of others, or says what to do', async () => {
    const page = await http(`${origin()}/console/chargers`);
    if (page.status === 404) {
      expect(page.text).toContain('npm run build');
      return;
    }
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
    expect(page.text).toContain('<title>Busbar</title>');
    expect(page.text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=/);
    expect((await http(`${origin()}/`)).headers['location']).toBe('/console/');
  });
});

/** A POST from this loopback address: limits count it apart from those of other tests. */
function statusFrom(localAddress: string, url: string, body: string): Promise<number | undefined> {
  const headers = { ...OWN, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', rejectUnauthorized: false, agent: false, localAddress, headers });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.end(body);
  });
}

/** What arrives on one connection, until the service ends it. */
function openStream(url: string, cookie: string) {
  const { hostname, port, pathname, host } = new URL(url);
  let text = '';
  let hasEnded = false;
  const socket = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false });
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => (text += chunk));
  socket.on('close', () => (hasEnded = true)).on('error', () => undefined);
  const headers = { host, cookie, ...OWN, accept: 'text/event-stream', connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write([`GET ${pathname} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  return { text: () => text, hasEnded: () => hasEnded };
}
