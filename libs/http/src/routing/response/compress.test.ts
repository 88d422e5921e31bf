import { request } from 'node:http';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { systemClock } from '@busbar/core';
import { createRecordingLogger, serve, type Served } from '@busbar/testing';
import { createApp } from '../create-app';
import { preconditionFrom } from './entity-tag';
import { createRequestLimits } from '../../limits/request-limits';
import { routesFor } from '../route';
import { newAccess } from '../../testing/access';

const TEXT = 'A charger is a charger. '.repeat(100);
const LONG = 400_000;
const PAGE = Buffer.from(JSON.stringify([TEXT]));

interface Reply {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly bytes: Buffer;
}

let served: Served;

beforeAll(async () => {
  const { route, versionedRoute, longRoute } = routesFor<string>();
  const common = { tag: 'Texts', operationId: 'getTexts', summary: 'Texts', permission: 'read' } as const;
  const texts = { type: 'array', items: { type: 'string' } } as const;
  async function* many(): AsyncGenerator<string> {
    for (let n = 0; n < LONG / 100; n += 1) yield await Promise.resolve('x'.repeat(97));
  }
  const app = createApp<string>({
    basePath: '/base',
    routes: [
      route({ ...common, method: 'GET', path: '/long', response: texts, handler: () => [TEXT] }),
      route({ ...common, method: 'GET', path: '/short', response: texts, handler: () => ['x'] }),
      route({
        ...common,
        method: 'POST',
        path: '/secret',
        revealsSecret: true,
        response: texts,
        handler: () => [TEXT],
      }),
      versionedRoute({
        ...common,
        method: 'GET',
        path: '/versioned',
        response: texts,
        handler: () => Promise.resolve({ body: [TEXT], version: '7-1' }),
      }),
      longRoute({ ...common, method: 'GET', path: '/many', response: texts, handler: () => many() }),
    ],
    pages: [
      {
        method: 'GET',
        path: '/page.js',
        contentType: 'text/javascript; charset=utf-8',
        body: PAGE,
        encoded: { br: brotliCompressSync(PAGE), gzip: gzipSync(PAGE) },
      },
    ],
    access: newAccess(),
    presenter: {
      contentType: 'application/problem+json',
      schema: { type: 'object' },
      statusOf: () => 400,
      nameOf: (code) => code,
      bodyOf: () => ({ text: TEXT }),
    },
    trustedProxies: ['127.0.0.1'],
    requestLimits: createRequestLimits({ perKey: 1_000 }, systemClock),
    logger: createRecordingLogger(),
    clock: systemClock,
  });
  served = await serve(app.handle);
});
afterAll(() => served.close());

function ask(path: string, accepted?: string, method = 'GET'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const encodings = accepted === undefined ? undefined : { 'accept-encoding': accepted };
    const headers = { 'x-forwarded-proto': 'https', ...encodings };
    request(`${served.origin}/base${path}`, { method, headers }, (response) => {
      buffer(response).then((bytes) => {
        resolve({ headers: response.headers, bytes });
      }, reject);
    })
      .on('error', reject)
      .end();
  });
}

const textOf = ({ headers, bytes }: Reply): string => {
  const { 'content-encoding': encoding } = headers;
  if (encoding === undefined) return bytes.toString();
  return (encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString();
};

/** The encodings that a client accepts, and the one that it gets. */
const ACCEPTED = [
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1, br;q=0', 'gzip'],
  ['*', 'br'],
  ['', undefined],
  ['identity', undefined],
  ['gzip;q=0', undefined],
  ['zstd', undefined],
  [`gzip${' '.repeat(600)}, gzip`, undefined],
] as const;

describe('a page that is compressed beforehand', () => {
  it.each(ACCEPTED)('is sent in what the client accepts: %s', async (accepted, encoding) => {
    const reply = await ask('/page.js', accepted);
    expect(reply.headers).toMatchObject({ vary: 'Accept-Encoding', 'content-type': 'text/javascript; charset=utf-8' });
    expect(reply.headers['content-encoding']).toBe(encoding);
    expect(JSON.parse(textOf(reply))).toEqual([TEXT]);
    expect(reply.headers['content-length']).toBe(String(reply.bytes.length));
    if (encoding !== undefined) expect(reply.bytes.length).toBeLessThan(TEXT.length / 10);
  });

  it('has no body in response to a HEAD', async () => {
    const { headers, bytes } = await ask('/page.js', 'br', 'HEAD');
    expect([headers['content-encoding'], bytes.length]).toEqual(['br', 0]);
  });
});

describe('a response', () => {
  it.each(ACCEPTED)('is compressed by what the client accepts: %s', async (accepted, encoding) => {
    const reply = await ask('/long', accepted);
    expect(reply.headers['content-encoding']).toBe(encoding);
    expect(JSON.parse(textOf(reply))).toEqual([TEXT]);
    if (encoding !== undefined) expect(reply.bytes.length).toBeLessThan(TEXT.length / 10);
    if (accepted.length < 100) expect(reply.headers['vary']).toBe('Accept-Encoding');
  });

  it('is not compressed for a client that names no encodings, and a cache knows that it could be', async () => {
    const reply = await ask('/long');
    expect(reply.headers).toMatchObject({ vary: 'Accept-Encoding', 'content-length': String(reply.bytes.length) });
    expect(reply.headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(textOf(reply))).toEqual([TEXT]);
  });

  it('is not compressed where it is short', async () => {
    const { headers, bytes } = await ask('/short', 'gzip');
    expect([headers['content-encoding'], headers['content-length'], bytes.toString()]).toEqual([
      undefined,
      '5',
      '["x"]',
    ]);
  });

  it('is not compressed where it reveals a secret', async () => {
    const { headers } = await ask('/secret', 'gzip', 'POST');
    expect([headers['content-encoding'], headers['cache-control']]).toEqual([undefined, 'no-store, no-transform']);
  });

  it('has no body in response to a HEAD', async () => {
    expect((await ask('/long', 'gzip', 'HEAD')).bytes).toHaveLength(0);
  });

  it('is compressed with an error too', async () => {
    const reply = await ask('/nowhere', 'gzip');
    expect(JSON.parse(textOf(reply))).toEqual({ text: TEXT });
    expect(reply.headers['content-encoding']).toBe('gzip');
  });

  it.each(['gzip', 'br', ''])('is compressed while it is sent, at any length: %s', async (accepted) => {
    const reply = await ask('/many', accepted);
    expect(textOf(reply)).toHaveLength(LONG + 1);
    expect(reply.headers['transfer-encoding']).toBe('chunked');
    if (accepted !== '') expect(reply.bytes.length).toBeLessThan(LONG / 50);
  });

  it.each([
    ['gzip', '"7-1-gzip"'],
    ['br', '"7-1-br"'],
    ['', '"7-1"'],
  ])('has its encoding in its ETag, and every such ETag is the version: %j', async (accepted, tag) => {
    const { headers } = await ask('/versioned', accepted);
    expect(headers['etag']).toBe(tag);
    expect(preconditionFrom(tag)?.('7-1')).toBe(true);
    expect(preconditionFrom(tag)?.('7-2')).toBe(false);
  });
});
