import type { IdempotencyStore } from '@busbar/contracts';
import { AppError, isAppError, type ErrorCode } from '@busbar/core';
import {
  ask,
  createFakeClock,
  createRecordingLogger,
  eventually,
  serve,
  type FakeClock,
  type Served,
} from '@busbar/testing';
import { createApp } from '../create-app';
import type { ErrorPresenter } from '../response/presenter';
import { createRequestLimits } from '../../limits/request-limits';
import { routesFor } from '../route';
import { newAccess } from '../../testing/access';

const HOUR_MS = 3_600_000;

const STATUS: Partial<Record<ErrorCode, number>> = { unavailable: 503, internal: 500, invalid_request: 400 };

const presenter: ErrorPresenter = {
  contentType: 'application/json',
  schema: { type: 'object' },
  statusOf: (code) => STATUS[code] ?? 409,
  nameOf: (code) => code,
  bodyOf: ({ error, requestId }) => ({ code: error.code, requestId, ...error.details }),
};

const access = newAccess({
  shownIn: ({ headers }) => String(headers['x-key']),
  // `acme.a` and `acme.b` are two keys of one client.
  callerOf: (name) => ({ key: name, client: name.split('.')[0] ?? '' }),
});

/** A store in memory; `isUnavailable` as one that cannot be reached. */
function createMemoryStore(): IdempotencyStore & {
  isUnavailable: boolean;
  readonly stored: Map<string, StoredResponse>;
} {
  const stored = new Map<string, StoredResponse>();
  return {
    isUnavailable: false,
    stored,
    claim(claim, deadBefore) {
      if (this.isUnavailable) return Promise.reject(new AppError('unavailable', 'store unavailable'));
      const found = stored.get(claim.id);
      const isOver = found && (found.expiresAt <= claim.at || (found.response === null && found.at < deadBefore));
      if (found && isOver !== true) {
        const { fingerprint, response } = found;
        return Promise.resolve(
          response === null ? { outcome: 'running', fingerprint } : { outcome: 'completed', fingerprint, response },
        );
      }
      stored.set(claim.id, { ...claim, response: null });
      return Promise.resolve({ outcome: 'claimed' });
    },
    complete(id, attempt, response) {
      if (this.isUnavailable) return Promise.reject(new AppError('unavailable', 'store unavailable'));
      const found = stored.get(id);
      if (found?.attempt === attempt) found.response = response;
      return Promise.resolve();
    },
    release(id, attempt) {
      if (stored.get(id)?.attempt === attempt) stored.delete(id);
      return Promise.resolve();
    },
  };
}

interface StoredResponse {
  fingerprint: string;
  attempt: string;
  at: string;
  expiresAt: string;
  response: string | null;
}

describe('Idempotency-Key', () => {
  const idempotencyStore = createMemoryStore();
  const logger = createRecordingLogger();
  let clock: FakeClock;
  let served: Served;
  let done: number;
  let work: () => Promise<unknown>;

  beforeEach(async () => {
    clock = createFakeClock();
    done = 0;
    work = () => Promise.resolve();
    idempotencyStore.stored.clear();
    idempotencyStore.isUnavailable = false;
    const { route } = routesFor<string>({ idempotencyKeyOn: ['POST'] });
    const make = {
      tag: 'Things',
      operationId: 'do1',
      summary: 'Make',
      permission: 'write',
      body: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false },
      response: { type: 'object' },
      async handler({ requestId }: { requestId: string }) {
        done += 1;
        const number = done;
        await work();
        return { number, requestId, secret: 'plain text' };
      },
    } as const;
    const app = createApp({
      basePath: '',
      access,
      presenter,
      logger,
      clock,
      trustedProxies: ['127.0.0.1'],
      requestLimits: createRequestLimits({ perKey: 1000 }, clock),
      idempotency: { store: idempotencyStore, secretOf: ({ headers }) => String(headers['x-key']) },
      routes: [
        route({ ...make, method: 'POST', path: '/things' }),
        route({ ...make, method: 'POST', path: '/others' }),
        route({ ...make, method: 'POST', path: '/secrets', revealsSecret: true }),
        route({ ...make, method: 'PATCH', path: '/things' }),
        route({ ...make, method: 'POST', path: '/always', acceptsIdempotencyKey: false }),
      ],
    });
    served = await serve((request, response) => {
      app.handle(request, response);
    });
  });

  afterEach(() => served.close());

  const send = (
    key: string | undefined,
    over: { path?: string; method?: string; body?: unknown; as?: string; ifMatch?: string } = {},
  ) => {
    const { path = '/things', method = 'POST', body = { name: 'a' }, as = 'one', ifMatch } = over;
    const headers = {
      'x-forwarded-proto': 'https',
      'x-key': as,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    };
    return ask(`${served.origin}${path}`, { method, headers, body });
  };

  it('replays the response to a repeated request without a second effect', async () => {
    const first = await send('k');
    const again = await send('k');
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
    expect(done).toBe(1);
  });

  it('runs a request again without a key, with another key, or for another caller', async () => {
    await send(undefined);
    await send(undefined);
    await send('k');
    await send('l');
    await send('k', { as: 'other' });
    expect(done).toBe(5);
  });

  it.each([
    ['another body', { body: { name: 'b' } }],
    ['another path', { path: '/others' }],
    ['another query', { path: '/things?x=1' }],
    ['another If-Match', { ifMatch: '"2"' }],
  ])('rejects a key that was used with %s', async (_what, over) => {
    await send('k');
    const reply = await send('k', over);
    expect([reply.status, reply.json()['code']]).toEqual([409, 'idempotency_key_reused']);
    expect(done).toBe(1);
  });

  it('replays the response to another API key of the client', async () => {
    const first = await send('k', { as: 'acme.a' });
    const again = await send('k', { as: 'acme.b' });
    expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([200, first.text, 'true']);
    expect(done).toBe(1);
  });

  it('replays a secret only to the API key that received it', async () => {
    const path = '/secrets';
    const first = await send('k', { path, as: 'acme.a' });
    const others = await send('k', { path, as: 'acme.b' });
    expect([others.status, others.json()['code']]).toEqual([409, 'idempotency_key_reused']);
    expect((await send('k', { path, as: 'acme.a' })).text).toBe(first.text);
    expect(done).toBe(1);
  });

  it('responds request_in_progress during the first request, then replays', async () => {
    let finish = (): void => undefined;
    work = () => new Promise<void>((resolve) => (finish = resolve));
    const first = send('k');
    await eventually(() => done === 1);
    const second = await send('k');
    expect([second.status, second.json()['code'], second.headers['retry-after']]).toEqual([
      409,
      'request_in_progress',
      '1',
    ]);
    finish();
    expect((await send('k')).text).toBe((await first).text);
    expect(done).toBe(1);
  });

  it('takes over from a dead attempt, whose late response is ignored', async () => {
    let finish = (): void => undefined;
    work = () => new Promise<void>((resolve) => (finish = resolve));
    const lost = send('k');
    await eventually(() => done === 1);
    clock.advance(119_000);
    expect((await send('k')).status).toBe(409);
    clock.advance(2_000);
    work = () => Promise.resolve();
    const second = await send('k');
    expect(second.json()['number']).toBe(2);
    finish();
    await lost;
    expect((await send('k')).text).toBe(second.text);
  });

  it('stores a response for 24 hours', async () => {
    await send('k');
    clock.advance(24 * HOUR_MS - 1);
    expect((await send('k')).headers['idempotency-replayed']).toBe('true');
    clock.advance(1);
    expect((await send('k')).json()['number']).toBe(2);
  });

  it('replays an error of the first request, but retries internal errors and outages', async () => {
    work = () =>
      Promise.reject(new AppError('conflict', 'no', { details: { issues: [{ path: '/a', message: 'b' }] } }));
    const refused = await send('k');
    work = () => Promise.resolve();
    const again = await send('k');
    expect(again.json()).toEqual({ ...refused.json(), requestId: again.headers['x-request-id'] });
    expect([again.status, again.headers['content-type']]).toEqual([409, refused.headers['content-type']]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.json()['requestId']).not.toBe(refused.json()['requestId']);
    for (const failure of [new AppError('unavailable', 'store unavailable'), new TypeError('bug')]) {
      const key = isAppError(failure) ? 'store unavailable' : 'bug';
      work = () => Promise.reject(failure);
      expect((await send(key)).status).toBeGreaterThanOrEqual(500);
      work = () => Promise.resolve();
      expect((await send(key)).status).toBe(200);
    }
  });

  it.each(['charger_busy', 'conflict'] as const)('runs a request again after %s with Retry-After', async (code) => {
    work = () => Promise.reject(new AppError(code, 'not now', { details: { retryAfterS: 5 } }));
    for (const refused of [await send('k'), await send('k')]) {
      expect([refused.json()['code'], refused.headers['retry-after']]).toEqual([code, '5']);
    }
    work = () => Promise.resolve();
    expect((await send('k')).json()['number']).toBe(3);
  });

  it('claims no key for a rejected request', async () => {
    expect((await send('k', { body: { colour: 1 } })).status).toBe(400);
    expect((await send('k')).status).toBe(200);
  });

  it.each(['', ' ', 'x'.repeat(256), 'a\tb'])('rejects the key %j', async (key) => {
    expect((await send(key)).json()).toMatchObject({ code: 'invalid_request', issues: [{ path: 'Idempotency-Key' }] });
    expect(done).toBe(0);
  });

  it('is ignored by routes that do not accept it', async () => {
    for (const over of [{ method: 'PATCH' }, { path: '/always' }]) {
      await send('k', over);
      await send('k', over);
    }
    expect(done).toBe(4);
  });

  it('runs nothing while keys cannot be claimed, and responds when the response cannot be stored', async () => {
    idempotencyStore.isUnavailable = true;
    expect((await send('k')).status).toBe(503);
    expect(done).toBe(0);
    idempotencyStore.isUnavailable = false;
    work = () => {
      idempotencyStore.isUnavailable = true;
      return Promise.resolve();
    };
    expect((await send('l')).status).toBe(200);
    expect(logger.lines.some(({ level }) => level === 'warn')).toBe(true);
  });

  it('seals stored responses so that only the caller can read them', async () => {
    await send('k');
    const [id, stored] = [...idempotencyStore.stored][0] ?? [];
    expect(`${String(id)}${JSON.stringify(stored)}`).not.toMatch(/plain|one/);
    expect(Buffer.from(stored?.response ?? '', 'base64').toString('latin1')).not.toContain('plain');
  });
});
