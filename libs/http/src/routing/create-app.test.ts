import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

import { AppError, type ErrorCode } from '@busbar/core';
import { ask, createFakeClock, createRecordingLogger, eventually, type AskOptions } from '@busbar/testing';
import type { Access } from './policy/access';
import { createApp } from './create-app';
import type { ErrorPresenter } from './response/presenter';
import type { ClosedRequest } from './request-log';
import { createRequestLimits } from '../limits/request-limits';
import { routesFor, type Route } from './route';

interface Caller {
  readonly name: string;
  readonly permissions: readonly string[];
}

const STATUS: Partial<Record<ErrorCode, number>> = {
  https_required: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  unauthenticated: 401,
  rate_limited: 429,
  body_too_large: 413,
  unsupported_media_type: 415,
  unavailable: 503,
  internal: 500,
};

const presenter: ErrorPresenter = {
  contentType: 'application/json',
  schema: { type: 'object' },
  statusOf: (code) => STATUS[code] ?? 400,
  nameOf: (code) => code,
  bodyOf: ({ error, requestId, path }) => ({
    code: error.code,
    message: error.message,
    requestId,
    path,
    ...error.details,
  }),
};

const access: Access<Caller> = {
  authenticate({ headers }) {
    const name = headers['x-key'];
    if (typeof name !== 'string') return Promise.resolve(undefined);
    return Promise.resolve({ name, permissions: name === 'reader' ? ['read'] : ['read', 'write'] });
  },
  permits: (caller, permission) => caller.permissions.includes(permission),
  shownIn: ({ headers }) => headers['x-key'] as string | undefined,
  callerOf: (caller) => ({ key: caller.name, client: caller.name.split('.')[0] ?? '' }),
  logFieldsOf: (caller) => ({ caller: caller.name }),
  challenge: 'Key',
  unauthenticatedMessage: 'Who are you?',
};

const { route, publicRoute } = routesFor<Caller>();

const JSON_WITH_SPACES = `application/json${' '.repeat(5_000)};charset=utf-8`;

const thingParams = {
  type: 'object',
  properties: { id: { type: 'string', pattern: '^[a-z]+$', 'x-error-code': 'invalid_charger_id' } },
  required: ['id'],
  additionalProperties: false,
} as const;

const routes: readonly Route<Caller>[] = [
  route({
    method: 'PUT',
    path: '/things/:id',
    tag: 'Things',
    operationId: 'do1',
    summary: 'Put',
    permission: 'write',
    params: thingParams,
    query: {
      type: 'object',
      properties: { count: { type: 'integer', minimum: 1 }, loud: { type: 'boolean' } },
      additionalProperties: false,
    },
    body: {
      type: 'object',
      properties: { name: { type: 'string' }, at: { type: 'string', format: 'date-time' } },
      required: ['name'],
      additionalProperties: false,
    },
    response: { type: 'object' },
    handler: ({ params, query, body, auth, requestId }) => ({ params, query, body, by: auth.name, requestId }),
  }),
  route({
    method: 'GET',
    path: '/fail/:how',
    tag: 'Things',
    operationId: 'do2',
    summary: 'Fail',
    permission: 'read',
    params: {
      type: 'object',
      properties: { how: { type: 'string' } },
      required: ['how'],
      additionalProperties: false,
    },
    response: { type: 'object' },
    handler({ params: { how } }) {
      if (how === 'unavailable') throw new AppError('unavailable', 'mongodb://secret-host is unavailable');
      if (how === 'bug') throw new TypeError('x is not a function');
      return {};
    },
  }),
  publicRoute({
    method: 'GET',
    path: '/open',
    tag: 'Things',
    operationId: 'do3',
    summary: 'Open',
    response: { type: 'object' },
    handler: () => ({ open: true }),
  }),
];

const SECURE = { 'x-forwarded-proto': 'https' };

describe('an app of routes', () => {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const closed: ClosedRequest[] = [];
  let server: Server;
  let port: number;

  beforeEach(async () => {
    logger.lines.length = 0;
    closed.length = 0;
    const app = createApp({
      basePath: '/base',
      routes,
      access,
      presenter,
      trustedProxies: ['127.0.0.1'],
      requestLimits: createRequestLimits({ perKey: 2, perAddress: 20 }, clock),
      onClosed: (request) => closed.push(request),
      logger,
      clock,
    });
    server = createServer((request, response) => {
      app.handle(request, response);
    });
    // Longer than any test, so that Node's own limit for idle connections does not close them in place of ours.
    server.keepAliveTimeout = 600_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const call = (path: string, { headers, ...options }: AskOptions = {}) =>
    ask(`http://127.0.0.1:${String(port)}/base${path}`, { ...options, headers: { ...SECURE, ...headers } });

  const put = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call(path, { method: 'PUT', body, headers: { 'x-key': 'writer', ...headers } });

  const lastLine = () => eventually(() => logger.lines.at(-1));

  it('passes parsed input to a handler and sends its result', async () => {
    const reply = await put('/things/abc?count=3&loud=true&other=1', { name: 'n' }, { 'x-request-id': 'mine-1' });
    expect(reply.status).toBe(200);
    expect(reply.json()).toEqual({
      params: { id: 'abc' },
      query: { count: 3, loud: true },
      body: { name: 'n' },
      by: 'writer',
      requestId: 'mine-1',
    });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': 'mine-1',
      'x-content-type-options': 'nosniff',
    });
    expect(reply.headers['x-powered-by']).toBeUndefined();
  });

  it('reports each request once with its route, never with its path', async () => {
    await put('/things/abc?count=3', { name: 'n' });
    await call('/nothing/abc');
    await eventually(() => closed.length === 2);
    expect(closed).toEqual([
      { route: '/things/:id', method: 'PUT', status: 200, seconds: 0 },
      { route: undefined, method: 'GET', status: 404, seconds: 0 },
    ]);
  });

  it('rejects in a fixed order: each correction reveals the next error', async () => {
    const tooLarge = '{"name":'.padEnd(100_001, ' ');
    const steps: readonly (readonly [status: number, code: string | undefined, path: string, options: AskOptions])[] = [
      [403, 'https_required', '/nothing', { method: 'POST', headers: { 'x-forwarded-proto': 'http' }, body: tooLarge }],
      [404, 'not_found', '/nothing', { method: 'POST', body: tooLarge }],
      [405, 'method_not_allowed', '/things/A', { method: 'POST', body: tooLarge }],
      [401, 'unauthenticated', '/things/A', { method: 'PUT', body: tooLarge }],
      [403, 'forbidden', '/things/A', { method: 'PUT', headers: { 'x-key': 'reader' }, body: tooLarge }],
      [429, 'rate_limited', '/things/A', { method: 'PUT', headers: { 'x-key': 'busy' }, body: tooLarge }],
      [413, 'body_too_large', '/things/A', { method: 'PUT', headers: { 'x-key': 'w' }, body: tooLarge }],
      [415, 'unsupported_media_type', '/things/A', { method: 'PUT', headers: { 'x-key': 'w' }, body: '{' }],
      [
        400,
        'invalid_json',
        '/things/A',
        { method: 'PUT', headers: { 'x-key': 'w', 'content-type': 'application/json' }, body: '{' },
      ],
      [400, 'invalid_charger_id', '/things/A', { method: 'PUT', headers: { 'x-key': 'w2' }, body: { name: 1 } }],
      [200, undefined, '/things/a', { method: 'PUT', headers: { 'x-key': 'w2' }, body: { name: '1' } }],
    ];
    for (let i = 0; i < 4; i += 1) await put('/things/a', { name: 'x' }, { 'x-key': 'busy' });
    for (const [status, code, path, options] of steps) {
      const reply = await call(path, options);
      expect([reply.status, reply.json()['code']]).toEqual([status, code]);
      expect(reply.headers['x-request-id']).toMatch(/^[0-9A-Z]{26}$/);
    }
  });

  it('limits requests without a valid key by address, and none with a valid key', async () => {
    const statuses = async (times: number, headers: Record<string, string>, path = '/things/a') => {
      const replies = await Promise.all(Array.from({ length: times }, () => call(path, { method: 'PUT', headers })));
      return [...new Set(replies.map(({ status }) => status))].sort();
    };
    await put('/things/a', { name: 'x' });
    const stranger = { 'x-forwarded-for': '203.0.113.1' };
    expect(await statuses(110, stranger)).toEqual([401, 429]);
    const refused = await call('/things/a', { method: 'PUT', headers: stranger });
    expect([refused.status, refused.headers['retry-after'], refused.headers.ratelimit]).toEqual([429, '1', undefined]);
    expect((await call('/open', { headers: stranger })).status).toBe(429);
    expect((await call('/open', { headers: { 'x-forwarded-for': '203.0.113.2' } })).status).toBe(200);
    expect((await put('/things/a', { name: 'x' }, stranger)).status).toBe(200);
    clock.advance(1_000);
    expect((await call('/open', { headers: stranger })).status).toBe(200);
  });

  it('counts all keys of a client together', async () => {
    const replies = [];
    for (let i = 0; i < 17; i += 1) {
      replies.push(await put('/things/a', { name: 'x' }, { 'x-key': `acme.${String(i % 8)}` }));
    }
    expect(replies.map(({ status }) => status)).toEqual([...Array.from({ length: 16 }, () => 200), 429]);
    expect(replies[16]?.headers).toMatchObject({
      'retry-after': '1',
      ratelimit: expect.stringContaining('"client";r=0;t=2') as string,
    });
  });

  it('counts the key before it reads the body, and admits it after Retry-After', async () => {
    for (let i = 0; i < 4; i += 1) expect((await put('/things/a', '{', { 'x-key': 'k' })).status).toBe(415);
    const reply = await put('/things/a', '{', { 'x-key': 'k' });
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '1']);
    clock.advance(1_000);
    expect((await put('/things/a', { name: 'x' }, { 'x-key': 'k' })).status).toBe(200);
  });

  it('lists the methods of a path in a 405 and for OPTIONS', async () => {
    const wrong = await call('/open', { method: 'DELETE' });
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const options = await call('/things/a', { method: 'OPTIONS' });
    expect([options.status, options.headers.allow, options.text]).toEqual([204, 'OPTIONS, PUT', '']);
  });

  it('responds to HEAD as to GET without the body', async () => {
    const reply = await call('/open', { method: 'HEAD' });
    expect([reply.status, reply.text]).toEqual([200, '']);
    expect(reply.headers['content-length']).toBe(String('{"open":true}'.length));
  });

  it.each([
    ['/things/%zz', 400, 'invalid_charger_id'],
    ['/things/a%2Fb', 400, 'invalid_charger_id'],
    ['/things/a%00', 400, 'invalid_charger_id'],
    ['/things/%E0%A4%A', 400, 'invalid_charger_id'],
    ['/things/', 404, 'not_found'],
    ['/things/a/', 404, 'not_found'],
    ['/%zz', 404, 'not_found'],
    ['/../things/a', 404, 'not_found'],
    ['', 404, 'not_found'],
  ])('responds to a PUT to %s with %i %s', async (path, status, code) => {
    const reply = await put(path, { name: 'x' });
    expect([reply.status, reply.json()['code']]).toEqual([status, code]);
  });

  it('responds 400 to a malformed percent escape in a parameter without its own code', async () => {
    const reply = await call('/fail/%zz', { headers: { 'x-key': 'reader' } });
    expect([reply.status, reply.json()['code']]).toEqual([400, 'invalid_request']);
  });

  it('lists all issues of a request by path', async () => {
    const reply = await put('/things/abc?count=1e3&loud=maybe', { at: '2026-02-30T00:00:00Z', extra: 1 });
    expect(reply.status).toBe(400);
    expect(reply.json()['issues']).toEqual([
      { path: '?count', message: 'must be integer' },
      { path: '?loud', message: 'must be boolean' },
      { path: '/name', message: 'is required' },
      { path: '/extra', message: 'is not a known field' },
      { path: '/at', message: 'must be a timestamp such as 2026-01-31T12:00:00.000Z' },
    ]);
  });

  it.each([
    ['cut short', '{"name":', 'application/json', '400 invalid_json'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'application/json', '400 invalid_json'],
    ['half a surrogate pair', '{"name":"\\ud800"}', 'application/json', '400 invalid_json'],
    [
      'half a surrogate pair, nested deep',
      `${'['.repeat(40_000)}"\\udfff"${']'.repeat(40_000)}`,
      'application/json',
      '400 invalid_json',
    ],
    ['an array', '[]', 'application/json', '400 invalid_request'],
    ['nested deep', '['.repeat(49_000) + ']'.repeat(49_000), 'application/json', '400 invalid_request'],
    ['null', 'null', 'application/json', '400 invalid_request'],
    ['nothing', '', 'application/json', '400 invalid_request'],
    ['a prototype', '{"name":"x","__proto__":{"a":1}}', 'application/json', '400 invalid_request'],
    ['a form', 'name=x', 'application/x-www-form-urlencoded', '415 unsupported_media_type'],
    ['another character set', '{"name":"x"}', 'application/json; charset=utf-16', '415 unsupported_media_type'],
    ['in a media type beyond 256 characters', '{"name":"x"}', JSON_WITH_SPACES, '415 unsupported_media_type'],
    ['in a media type with spaces', '{"name":"x"}', 'Application/JSON ; charset = utf8 ;', '200 undefined'],
    ['a pair that is whole', '{"name":"\\ud83d\\ude00"}', 'application/json; charset="UTF-8"', '200 undefined'],
  ])('responds to a body that is %s', async (_what, body, contentType, answer) => {
    const reply = await put('/things/a', body, { 'content-type': contentType });
    expect(`${String(reply.status)} ${String(reply.json()['code'])}`).toBe(answer);
  });

  it('rejects a chunked body at the limit, and a compressed one by its decompressed size', async () => {
    const chunked = await put('/things/a', 'x'.repeat(200_000), {
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    });
    expect(chunked.status).toBe(413);
    const { gzipSync } = await import('node:zlib');
    const bomb = await put('/things/a', gzipSync(Buffer.alloc(1_000_000, 0x20)), {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    });
    expect(bomb.status).toBe(413);
    const odd = await put('/things/a', 'x', { 'content-type': 'application/json', 'content-encoding': 'zebra' });
    expect(odd.status).toBe(415);
    const broken = await put('/things/a', 'xxxx', { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    expect([broken.status, broken.json()['code']]).toEqual([400, 'invalid_json']);
  });

  it('responds 500 to an internal error with only the request id of its log line', async () => {
    const reply = await call('/fail/bug', { headers: { 'x-key': 'reader' } });
    expect(reply.status).toBe(500);
    expect(reply.text).not.toContain('not a function');
    const line = await lastLine();
    expect(logger.lines).toHaveLength(1);
    expect(line).toMatchObject({
      level: 'error',
      fields: { requestId: reply.headers['x-request-id'], caller: 'reader' },
    });
    expect(line.fields['err']).toBeInstanceOf(TypeError);
  });

  it('responds 503 with Retry-After during an outage, without details', async () => {
    const reply = await call('/fail/unavailable', { headers: { 'x-key': 'reader' } });
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '5']);
    expect(reply.text).not.toContain('secret-host');
    expect((await lastLine()).level).toBe('warn');
  });

  it('logs a request without its query', async () => {
    await call('/open?code=very-secret-key');
    const line = await lastLine();
    expect(line).toMatchObject({
      level: 'info',
      fields: { method: 'GET', path: '/base/open', route: '/open', status: 200 },
    });
    expect(JSON.stringify(logger.lines)).not.toContain('very-secret-key');
  });

  it('replaces an unsafe request id', async () => {
    for (const id of ['a b', 'x'.repeat(129), 'é']) {
      const reply = await call('/open', { headers: { 'x-request-id': Buffer.from(id, 'latin1').toString('latin1') } });
      expect(reply.headers['x-request-id']).toMatch(/^[0-9A-Z]{26}$/);
    }
  });

  it('accepts an absolute URL as a target', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'GET http://example.test/base/open?x=1 HTTP/1.1\r\nHost: example.test\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n\r\n',
    );
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('closes the connection of a client that keeps sending after a rejection, and no other', async () => {
    const head = 'PUT /base/things/a HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\n';
    const greedy = connect(port, '127.0.0.1');
    const closed = new Promise((resolve) => greedy.once('close', resolve));
    greedy.on('error', () => undefined);
    greedy.write(`${head}Content-Length: 900000000\r\n\r\n12345`);
    expect(await firstLine(greedy)).toBe('HTTP/1.1 401 Unauthorized');
    const honest = connect(port, '127.0.0.1');
    honest.write(`${head}Content-Length: 10\r\n\r\n12345`);
    expect(await firstLine(honest)).toBe('HTTP/1.1 401 Unauthorized');
    honest.write('67890');
    // Read to its end: the next request on the same connection is answered.
    honest.write('GET /base/open HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\n\r\n');
    expect(await firstLine(honest)).toBe('HTTP/1.1 200 OK');
    clock.advance(5_000);
    await closed;
    honest.write('GET /base/open HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\n\r\n');
    expect(await firstLine(honest)).toBe('HTTP/1.1 200 OK');
    honest.destroy();
  });
});

/** The status line of the next response. */
function firstLine(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => socket.once('data', (chunk) => resolve(String(chunk).split('\r\n')[0])));
}
