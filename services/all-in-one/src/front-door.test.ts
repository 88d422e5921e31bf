import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFrontDoor, type RequestHandler } from './front-door';

let server: Server;
let origin: string;
let refused: unknown[];
beforeEach(async () => {
  refused = [];
  const named = (name: string): RequestHandler => {
    return (_request, response) => void response.end(name);
  };
  server = createServer(
    createFrontDoor({
      v2: named('v2'),
      legacy: named('legacy'),
      ocpp: named('ocpp'),
      onOcppRefused: (request, { code, from }) => void refused.push([request.url, code, from.address]),
      console: { handles: ({ url }) => url === '/console/', handle: named('console') },
      startPage: (page) => Promise.resolve(`start ${JSON.stringify(page)}`),
      // The test itself plays the proxy that ends TLS.
      trustedProxies: ['127.0.0.1'],
      sendsHsts: true,
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
});

const call = (path: string, init: { method?: string; headers?: Record<string, string> } = {}, proto = 'https') =>
  fetch(origin + path, { ...init, headers: { ...init.headers, 'x-forwarded-proto': proto, connection: 'close' } });

it.each([
  ['/v2', 'v2'],
  ['/v2/chargers?limit=1', 'v2'],
  ['/api/charger/A', 'legacy'],
  ['/api?code=1', 'legacy'],
  ['/console/', 'console'],
  ['/ocpp/A', 'ocpp'],
])('routes %s to %s', async (path, service) => {
  expect(await (await call(path)).text()).toBe(service);
});

it.each(['//', '/index.html', '/v2x', '/apis', '/V2', '/ocppx', '/docs/x', '/favicon.ico'])(
  'responds 404 to %s',
  async (path) => {
    const reply = await call(path);
    expect(reply.status).toBe(404);
    expect(await reply.json()).toMatchObject({ code: 'not_found', errorCode: 'not_found' });
  },
);

it.each(['/nowhere', '/docs'])("responds to %s with the caller's request id", async (path) => {
  const reply = await call(path, { headers: { 'x-request-id': 'mine-1' } });
  expect(reply.headers.get('x-request-id')).toBe('mine-1');
});

it('links both documentations at /docs', async () => {
  const reply = await call('/docs');
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
  const page = await reply.text();
  expect(page).toContain('href="/v2/docs"');
  expect(page).toContain('href="/api/docs"');
});

it.each(['/', '/docs'])('supports GET and HEAD only at %s', async (path) => {
  expect((await call(path, { method: 'HEAD' })).status).toBe(200);
  const reply = await call(path, { method: 'POST' });
  expect(reply.status).toBe(405);
  expect(reply.headers.get('allow')).toBe('GET, HEAD');
});

it.each(['/', '/docs', '/nothing', '/ocpp/A'])('rejects %s over plain HTTP before any other check', async (path) => {
  const reply = await call(path, {}, 'http');
  expect(reply.status).toBe(403);
  expect(await reply.json()).toMatchObject({ code: 'https_required' });
});

it('shows the start page at /, with the host of the request, and as to a stranger behind a proxy', async () => {
  const reply = await call('/?utm=1');
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(reply.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(await reply.text()).toBe(`start ${JSON.stringify({ host: new URL(origin).host, isLocal: false })}`);
});

it('reports a request at /ocpp without TLS, and no other', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  for (const path of ['/v2', '/docs', '/ocpp/A']) await call(path, { headers }, 'http');
  await call('/ocpp/B', { headers });
  expect(refused).toEqual([['/ocpp/A', 'https_required', '203.0.113.7']]);
});
