import { request, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { AppError, systemClock } from '@busbar/core';
import { ask, createFakeClock, createRecordingLogger, eventually, serve, type Served } from '@busbar/testing';
import express from 'express';
import { createApp } from '../create-app';
import { createLongResponses } from './long-response';
import type { ErrorPresenter } from './presenter';
import { createRequestLimits } from '../../limits/request-limits';
import { routesFor } from '../route';
import { newAccess } from '../../testing/access';

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

describe('a long response', () => {
  const logger = createRecordingLogger();
  /** The source of the next response, and its progress. */
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
          operationId: 'do1',
          summary: 'Items',
          permission: 'read',
          response: { type: 'array', items: { type: 'string' } },
          handler: () => source(),
        }),
      ],
      access: newAccess(),
      presenter,
      trustedProxies: ['127.0.0.1'],
      requestLimits: createRequestLimits({ perKey: 1_000 }, systemClock),
      logger,
      clock: systemClock,
    });
    served = await serve(app.handle);
  });
  afterEach(async () => {
    await served.close();
    // Every end leaves nothing open.
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

  it('is sent like any other when short', async () => {
    source = () => items(3);
    const reply = await call();
    expect(reply.json()).toEqual([ITEM, ITEM, ITEM]);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(reply.text.length),
    });
  });

  it('is sent in chunks when long, and arrives complete', async () => {
    source = () => items(5_000);
    const reply = await call();
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'transfer-encoding': 'chunked',
    });
    expect(reply.json()).toEqual(Array.from({ length: 5_000 }, () => ITEM));
  });

  it('is not read further for a HEAD', async () => {
    source = () => items(ENDLESS);
    const reply = await ask(`${served.origin}/base/items`, { method: 'HEAD', headers });
    expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([
      200,
      '',
      'application/json; charset=utf-8',
    ]);
    expect([ended, read < 1_000]).toEqual([1, true]);
  });

  it('responds with the error when reading fails before the first chunk', async () => {
    source = () => items(10, new AppError('unavailable', 'store unavailable'));
    const reply = await call();
    expect([reply.status, reply.json()]).toEqual([503, { code: 'unavailable' }]);
  });

  it('is aborted and logged when reading fails later', async () => {
    source = () => items(5_000, new TypeError('x is not a function'));
    const reply = await begin();
    expect(reply.statusCode).toBe(200);
    await expect(readText(reply)).rejects.toThrow('aborted');
    const line = await eventually(() => logger.lines.at(-1));
    expect(line).toMatchObject({ level: 'error', fields: { aborted: true, errorCode: 'internal' } });
  });

  it("is read at the caller's speed, and no further after a disconnect", async () => {
    source = () => items(ENDLESS);
    const reply = await begin();
    await eventually(() => read > 1_000);
    // No more than the sockets of both sides hold: reading continues only after the peer took some of it.
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

  it('ends reading when the caller disconnects', async () => {
    let goOn = (): void => undefined;
    source = async function* () {
      for await (const item of items(ENDLESS)) {
        if (read === 80) await new Promise<void>((resolve) => (goOn = resolve));
        yield item;
      }
    };
    const asked = request(`${served.origin}/base/items`, { headers, agent: false }).on('error', () => undefined);
    asked.end();
    await eventually(() => read === 80);
    asked.destroy();
    await eventually(() => logger.lines.at(-1));
    goOn();
    await eventually(() => ended === 1);
    expect(read).toBeLessThan(1_000);
  });

  it.each([['one'], ['another']])('is sent to %s beside many others', async (caller) => {
    source = () => items(500);
    const replies = await Promise.all(Array.from({ length: 40 }, (_each, i) => call(i === 0 ? caller : 'one')));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  });

  describe('within its limits', () => {
    const clock = createFakeClock();
    let origin: string;
    let close: () => Promise<void>;
    let refusals: unknown[];
    let asked: number;
    let begunFor: string[];

    /** The path names the caller. */
    beforeEach(async () => {
      refusals = [];
      begunFor = [];
      asked = 0;
      const sendLong = createLongResponses(clock, { concurrency: 1, maxQueue: 2, waitMs: 100, stallMs: 1_000 });
      const app = express();
      app.get('/:caller', (request, response) => {
        const { caller } = request.params;
        asked += 1;
        const read = () => {
          begunFor.push(caller);
          return items(ENDLESS);
        };
        sendLong({ read, caller }, response).catch((error: unknown) => {
          refusals.push(error);
          response.status(429).end();
        });
      });
      ({ origin, close } = await serve((incoming, response) => void app(incoming, response)));
    });
    afterEach(() => close());

    const get = (caller: string): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        request(`${origin}/${caller}`, { agent: false }, resolve).on('error', reject).end();
      });

    it('waits for earlier ones of the same caller, not for others', async () => {
      const first = await get('one');
      const waiting = [get('one'), get('one')];
      const other = await get('another');
      expect([first.statusCode, other.statusCode]).toEqual([200, 200]);
      await eventually(() => asked === 4);
      // Two wait, of whom nothing is read yet: there is no place for a third.
      expect((await get('one')).statusCode).toBe(429);
      expect(refusals).toMatchObject([{ code: 'rate_limited', details: { retryAfterS: 5 } }]);
      expect(begunFor).toEqual(['one', 'another']);
      first.destroy();
      const second = await Promise.race(waiting);
      expect(second.statusCode).toBe(200);
      expect(begunFor).toEqual(['one', 'another', 'one']);
      second.destroy();
      for (const reply of await Promise.all(waiting)) reply.destroy();
      other.destroy();
    });

    it('is rejected when the wait is too long', async () => {
      const first = await get('one');
      const waiting = get('one');
      await eventually(() => asked === 2);
      clock.advance(100);
      expect((await waiting).statusCode).toBe(429);
      expect(begunFor).toEqual(['one']);
      first.destroy();
    });

    it('is aborted when its caller reads nothing for too long', async () => {
      const reply = await get('one');
      expect(reply.statusCode).toBe(200);
      await eventually(() => {
        clock.advance(1_000);
        return ended === 1;
      });
      await expect(readText(reply)).rejects.toThrow('aborted');
    });
  });
});
