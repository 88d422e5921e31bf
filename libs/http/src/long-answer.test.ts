import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { AppError, systemClock } from '@busbar/core';
import { ask, createRecordingLogger, eventually, serve, type Served } from '@busbar/testing';
import express from 'express';
import { createApp } from './create-app';
import { createLongAnswers } from './long-answer';
import type { ErrorPresenter } from './presenter';
import { routesFor } from './route';

const presenter: ErrorPresenter = {
  contentType: 'application/json',
  schema: { type: 'object' },
  statusOf: (code) => (code === 'rate_limited' ? 429 : 503),
  nameOf: (code) => code,
  bodyOf: ({ error }) => ({ code: error.code }),
};

const ITEM = 'x'.repeat(1_000);
/** More than sockets hold on both sides. */
const ENDLESS = 1_000_000;

describe('an answer of any length', () => {
  const logger = createRecordingLogger();
  /** What the next answer reads, and how far it was read. */
  let source: () => AsyncIterable<string>;
  let read = 0;
  let [begun, ended] = [0, 0];
  let served: Served;

  beforeEach(async () => {
    logger.lines.length = read = begun = ended = 0;
    const { longRoute } = routesFor<string>();
    const app = createApp<string>({
      basePath: '/base',
      routes: [
        longRoute({
          method: 'GET',
          path: '/items',
          tag: 'Items',
          summary: 'Items',
          permission: 'read',
          response: { type: 'array', items: { type: 'string' } },
          handler: () => source(),
        }),
      ],
      access: {
        authenticate: ({ headers }) => Promise.resolve(String(headers['x-key'])),
        permits: () => true,
        rateKeyOf: (key) => key,
        logFieldsOf: () => ({}),
        challenge: 'Key',
        unauthenticatedMessage: '',
      },
      presenter,
      trustedProxies: ['127.0.0.1'],
      rateLimit: { perSecond: 1_000 },
      logger,
      clock: systemClock,
    });
    served = await serve(app.handle);
  });
  afterEach(async () => {
    await served.close();
    // Whatever came of it, nothing is left open.
    await eventually(() => ended === begun);
  });

  async function* items(count: number, failure?: Error): AsyncGenerator<string> {
    begun += 1;
    try {
      for (read = 0; read < count; read += 1) yield await Promise.resolve(ITEM);
      if (failure) throw failure;
    } finally {
      ended += 1;
    }
  }

  const headers = { 'x-forwarded-proto': 'https', 'x-key': 'one' };
  const call = (as = 'one') => ask(`${served.origin}/base/items`, { headers: { ...headers, 'x-key': as } });

  /** An answer of which nothing is taken but its status. */
  function begin(): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      request(`${served.origin}/base/items`, { headers, agent: false }, resolve).on('error', reject).end();
    });
  }

  it('is sent as any other when it is short', async () => {
    source = () => items(3);
    const reply = await call();
    expect(reply.json()).toEqual([ITEM, ITEM, ITEM]);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(reply.text.length),
    });
  });

  it('is sent in pieces when it is long, and comes whole', async () => {
    source = () => items(5_000);
    const reply = await call();
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'transfer-encoding': 'chunked',
    });
    expect(reply.json()).toEqual(Array.from({ length: 5_000 }, () => ITEM));
  });

  it('that fails before its first piece is out is answered with its error', async () => {
    source = () => items(10, new AppError('unavailable', 'away'));
    const reply = await call();
    expect([reply.status, reply.json()]).toEqual([503, { code: 'unavailable' }]);
  });

  it('that fails later is broken off, so that nobody takes it for whole, and told in the log', async () => {
    source = () => items(5_000, new TypeError('x is not a function'));
    const reply = await begin();
    expect(reply.statusCode).toBe(200);
    await expect(readText(reply)).rejects.toThrow('aborted');
    const line = await eventually(() => logger.lines.at(-1));
    expect(line).toMatchObject({ level: 'error', fields: { aborted: true, errorCode: 'internal' } });
  });

  it('is read no faster than its caller takes it, and no further when he goes', async () => {
    source = () => items(ENDLESS);
    const reply = await begin();
    await eventually(() => read > 1_000);
    // What the sockets of both sides hold, and no more: read on only if some of it was taken.
    let before = -1;
    await eventually(() => {
      const isStill = read === before;
      before = read;
      return isStill;
    });
    expect(read).toBeLessThan(ENDLESS / 10);
    expect(ended).toBe(0);
    reply.destroy();
    await eventually(() => ended === 1);
    expect(await eventually(() => logger.lines.at(-1))).toMatchObject({
      level: 'info',
      fields: { aborted: true },
    });
  });

  it('is refused to a caller who is taking two, not to others, and served when one is done', async () => {
    source = () => items(ENDLESS);
    const [first, second] = await Promise.all([begin(), begin()]);
    expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
    source = () => items(5_000);
    const refused = await call();
    expect([refused.status, refused.json(), refused.headers['retry-after']]).toEqual([
      429,
      { code: 'rate_limited' },
      '5',
    ]);
    expect(ended).toBe(1);
    expect((await call('another')).status).toBe(200);
    source = () => items(3);
    expect((await call()).status).toBe(200);

    first.destroy();
    source = () => items(5_000);
    await eventually(async () => (await call()).status === 200);
    second.destroy();
  });

  it('is broken off when its caller takes nothing for too long', async () => {
    const sendLong = createLongAnswers({ stallMs: 50 });
    const app = express();
    app.get('/', (_request, response) => void sendLong(items(ENDLESS), response, 'one'));
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ port, host: '127.0.0.1', agent: false }, resolve).on('error', reject).end();
    });
    expect(reply.statusCode).toBe(200);
    await eventually(() => ended === 1);
    await expect(readText(reply)).rejects.toThrow('aborted');
    await new Promise((resolve) => server.close(resolve));
  });
});
