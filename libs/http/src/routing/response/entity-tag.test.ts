import { AppError, systemClock } from '@busbar/core';
import { ask, createFakeClock, createRecordingLogger, serve, type Served } from '@busbar/testing';
import { createApp } from '../create-app';
import { preconditionFrom } from './entity-tag';
import { createRequestLimits, routesFor, type ErrorPresenter } from '../..';
import { newAccess } from '../../testing/access';

const { versionedRoute } = routesFor<string>();

const common = {
  path: '/things/:id',
  tag: 'Things',
  operationId: 'do1',
  summary: 'A thing',
  permission: 'any',
  params: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], additionalProperties: false },
  response: { type: 'object' },
} as const;

const presenter: ErrorPresenter = {
  contentType: 'application/json',
  schema: { type: 'object' },
  statusOf: (code) => (code === 'precondition_failed' ? 412 : 400),
  nameOf: (code) => code,
  bodyOf: ({ error }) => ({ code: error.code }),
};

describe('entity tags', () => {
  let served: Served;

  beforeAll(async () => {
    const app = createApp<string>({
      basePath: '/v9',
      routes: [
        versionedRoute({ ...common, method: 'GET', handler: () => Promise.resolve({ body: {}, version: 'a-1' }) }),
        versionedRoute({
          ...common,
          method: 'DELETE',
          endsRecord: true,
          handler: () => Promise.resolve({ body: {}, version: 'a-1' }),
        }),
        versionedRoute({
          ...common,
          method: 'PATCH',
          handler({ ifMatch }) {
            if (ifMatch?.('a-1') === false) throw new AppError('precondition_failed', 'changed');
            return Promise.resolve({ body: {}, version: 'a-2' });
          },
        }),
      ],
      access: newAccess(),
      presenter,
      trustedProxies: ['127.0.0.1'],
      requestLimits: createRequestLimits({ perKey: 1000 }, systemClock),
      logger: createRecordingLogger(),
      clock: createFakeClock(),
    });
    served = await serve(app.handle);
  });
  afterAll(() => served.close());

  const call = (method: string, ifMatch?: string, headers: Record<string, string> = {}) =>
    ask(`${served.origin}/v9/things/x`, {
      method,
      headers: { 'x-forwarded-proto': 'https', ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }), ...headers },
    });

  it('sends them with versioned routes, which check them in changes', async () => {
    expect((await call('GET')).headers.etag).toBe('"a-1"');
    expect((await call('GET', '"other"')).status).toBe(200);
    const changed = await call('PATCH', '"other", "a-1"');
    expect([changed.status, changed.headers.etag]).toEqual([200, '"a-2"']);
    expect((await call('PATCH')).status).toBe(200);
    const refused = await call('PATCH', '"other"');
    expect([refused.status, refused.headers.etag]).toEqual([412, undefined]);
    expect((await call('PATCH', 'a-1')).status).toBe(400);
    expect((await call('DELETE')).headers.etag).toBeUndefined();
  });

  it.each(['"a-1"', 'W/"a-1"', '*'])('never withhold a body: If-None-Match %s', async (tag) => {
    const { status, headers, text } = await call('GET', undefined, { 'if-none-match': tag });
    expect([status, headers.etag, text.length > 0]).toEqual([200, '"a-1"', true]);
  });

  it.each([
    ['*', true],
    ['"a"', true],
    [' "a" ', true],
    ['"b"', false],
    ['"b","a"', true],
    ['"b" , "c"', false],
    ['W/"a"', false],
    ['W/"b", "a"', true],
    ['""', false],
  ])('compares them strongly: If-Match %s matches "a": %s', (header, met) => {
    expect(preconditionFrom(header)?.('a')).toBe(met);
  });

  it.each(['', 'a', '"a', '"a" "b"', '"a",', ',', 'w/"a"', '* , "a"'])('rejects If-Match %j', (header) => {
    expect(() => preconditionFrom(header)).toThrow('If-Match');
  });
});
