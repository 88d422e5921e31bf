import { AppError, type ErrorCode } from '@busbar/core';
import { buildOpenApi, type OpenApiOptions } from './open-api';
import type { ErrorPresenter } from '../routing/response/presenter';
import { routesFor } from '../routing/route';

const { route } = routesFor<string>();

const STATUSES: Partial<Record<ErrorCode, number>> = {
  https_required: 403,
  forbidden: 403,
  unauthenticated: 401,
  not_found: 404,
  conflict: 409,
  idempotency_key_reused: 409,
  request_in_progress: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
};

const presenter: ErrorPresenter = {
  contentType: 'application/json; charset=utf-8',
  schema: { title: 'Error', type: 'object', description: 'An error.' },
  statusOf: (code) => STATUSES[code] ?? 400,
  nameOf: (code) => code,
  bodyOf: () => ({}),
};

const documentOf = (routes: OpenApiOptions<string>['routes']) =>
  buildOpenApi({
    openapi: '3.1.0',
    title: 'A',
    version: '1',
    description: '',
    tags: [{ name: 'T', description: 'Things.' }],
    basePath: '',
    routes,
    securitySchemes: {},
    security: [],
    presenter,
    describeError: (code) => ({
      title: code,
      example: { error: new AppError(code, 'Failed.'), requestId: 'r', path: '/a' },
    }),
  });

const thing = { title: 'Thing', type: 'object', properties: { a: { type: 'string', examples: ['x'] } } } as const;

const parts = { tag: 'T', permission: 'p', summary: 's', response: thing, handler: () => ({}) } as const;

describe('the document of an API', () => {
  it('lets responses have further fields, and bodies of requests not', () => {
    const closed = { type: 'object', additionalProperties: false } as const;
    const shared = { title: 'Shared', ...closed, properties: { a: { type: 'string', examples: ['x'] } } } as const;
    const reply = { title: 'Reply', ...closed, properties: { shared, inner: { ...closed } } } as const;
    const body = { title: 'Body', ...closed, properties: { shared } } as const;
    const document = documentOf([
      route({ ...parts, operationId: 'change', method: 'POST', path: '/a', body, response: reply }),
    ]);
    const { schemas } = document['components'] as { schemas: Record<string, object> };
    expect(schemas['Body']).toHaveProperty('additionalProperties', false);
    expect(schemas['Shared']).toHaveProperty('additionalProperties', false);
    expect(JSON.stringify(schemas['Reply'])).not.toContain('additionalProperties');
  });

  it('has a schema with a title once', () => {
    const document = documentOf([
      route({ ...parts, operationId: 'readA', method: 'GET', path: '/a' }),
      route({ ...parts, operationId: 'readB', method: 'GET', path: '/b', response: { ...thing } }),
    ]);
    expect(Object.keys((document['components'] as { schemas: object }).schemas)).toEqual(['Error', 'Thing']);
  });

  it('marks a body without required fields as optional', () => {
    const partsOfPost = { ...parts, method: 'POST' } as const;
    const document = documentOf([
      route({
        ...partsOfPost,
        path: '/a',
        operationId: 'makeA',
        body: { title: 'A', type: 'object', properties: { a: {} } },
      }),
      route({ ...partsOfPost, path: '/b', operationId: 'makeB', body: { ...thing, title: 'B', required: ['a'] } }),
    ]);
    const paths = document['paths'] as Record<string, { post: { requestBody: { required: boolean } } }>;
    expect(Object.values(paths).map(({ post }) => post.requestBody.required)).toEqual([false, true]);
  });

  it('lists the headers of each response', () => {
    const sites = routesFor<string>({ idempotencyKeyOn: ['POST'] });
    const errors = ['not_found', 'conflict'] as const;
    const document = documentOf([
      sites.route({
        ...parts,
        method: 'POST',
        operationId: 'keep',
        path: '/kept',
        errors,
        body: { ...thing, title: 'Kept' },
      }),
      sites.versionedRoute({
        ...parts,
        method: 'GET',
        operationId: 'readVersioned',
        path: '/versioned',
        handler: () => Promise.resolve({ body: {}, version: '1' }),
      }),
      sites.publicRoute({
        method: 'GET',
        operationId: 'readOpen',
        path: '/open',
        tag: 'T',
        summary: 's',
        response: thing,
        handler: () => ({}),
      }),
    ]);
    const id = 'x-request-id';
    const counted = [id, 'RateLimit-Policy', 'RateLimit'];
    const stored = 'Idempotency-Replayed';
    const unkept = { 403: [id], 500: counted, 503: [...counted, 'Retry-After'] };
    const refusals = { ...unkept, 401: [id, 'WWW-Authenticate'], 429: [...counted, 'Retry-After'] };
    expect(headersByStatus(document)).toEqual({
      '/kept': {
        ...refusals,
        200: [...counted, stored],
        400: [...counted, stored],
        404: [...counted, stored],
        409: [...counted, 'Retry-After', stored],
        413: counted,
        415: counted,
      },
      '/versioned': { ...refusals, 200: [...counted, 'ETag'] },
      '/open': { 200: [id], 403: [id], 429: [id, 'Retry-After'], 500: [id], 503: [id, 'Retry-After'] },
    });
  });

  it('has a refusal that several operations have once, under a readable name, and one of a single operation where it is', () => {
    const sites = routesFor<string>({ idempotencyKeyOn: ['POST'] });
    const body = { ...thing, title: 'Body' } as const;
    const document = documentOf([
      route({ ...parts, operationId: 'readA', method: 'GET', path: '/a', errors: ['not_found'] }),
      route({ ...parts, operationId: 'readB', method: 'GET', path: '/b', errors: ['not_found', 'conflict'] }),
      sites.route({ ...parts, operationId: 'makeA', method: 'POST', path: '/a', errors: ['not_found'], body }),
      sites.route({ ...parts, operationId: 'makeB', method: 'POST', path: '/b', errors: ['not_found'], body }),
    ]);
    const { responses } = document['components'] as { responses: object };
    expect(Object.keys(responses)).toEqual([
      ...['BodyTooLarge', 'Forbidden', 'Internal', 'InvalidBodyReplayable', 'NotFound', 'NotFoundReplayable'],
      ...['RateLimited', 'Unauthenticated', 'Unavailable', 'UnsupportedMediaType'],
    ]);
    const paths = document['paths'] as Record<string, Record<string, { responses: Responses }>>;
    expect(paths['/b']?.['get']?.responses['404']).toEqual({ $ref: '#/components/responses/NotFound' });
    expect(paths['/b']?.['post']?.responses['404']).toEqual({ $ref: '#/components/responses/NotFoundReplayable' });
    expect(paths['/b']?.['get']?.responses['409']).toHaveProperty('description', '- `conflict`: conflict');
  });

  it('rejects two different schemas with one title', () => {
    const closed = { ...thing, additionalProperties: false } as const;
    const routes = [
      route({ ...parts, operationId: 'readA', method: 'GET', path: '/a' }),
      route({ ...parts, operationId: 'readB', method: 'GET', path: '/b', response: closed }),
    ];
    expect(() => documentOf(routes)).toThrow('two different schemas have the title Thing');
  });

  it('rejects two operations with one id, and a tag without a description', () => {
    const one = route({ ...parts, operationId: 'one', method: 'GET', path: '/a' });
    expect(() => documentOf([one, { ...one, path: '/b' }])).toThrow('two operations have the id one');
    expect(() => documentOf([{ ...one, tag: 'Other' }])).toThrow('the tag Other of one has no description');
  });

  it('shows the text of a parameter at the parameter, and an example only where it is required', () => {
    const id = { type: 'integer', description: 'Id.', examples: [7] } as const;
    const one = route({
      ...parts,
      operationId: 'one',
      method: 'GET',
      path: '/a/:id',
      params: { type: 'object', properties: { id } },
      query: { type: 'object', properties: { after: id } },
    });
    const paths = documentOf([one])['paths'] as Record<string, { get: { parameters: unknown } }>;
    const common = { description: 'Id.', schema: { type: 'integer' } };
    expect(paths['/a/{id}']?.get.parameters).toEqual([
      { name: 'id', in: 'path', required: true, example: 7, ...common },
      { name: 'after', in: 'query', required: false, ...common },
    ]);
  });
});

type Responses = Record<
  string,
  { readonly $ref?: string; readonly headers: Record<string, { readonly $ref: string }> }
>;

function headersByStatus(document: Readonly<Record<string, unknown>>): Record<string, Record<string, string[]>> {
  const paths = document['paths'] as Record<string, Record<string, { responses: Responses }>>;
  const { headers: known, responses: shared } = document['components'] as { headers: object; responses: Responses };
  const entries = Object.entries(paths).map(([path, operations]) => {
    const responses = Object.values(operations)[0]?.responses ?? {};
    const names = Object.entries(responses).map(([status, response]) => {
      const { headers } = shared[response.$ref?.split('/').at(-1) ?? ''] ?? response;
      for (const [name, { $ref }] of Object.entries(headers)) expect($ref).toBe(`#/components/headers/${name}`);
      expect(Object.keys(known)).toEqual(expect.arrayContaining(Object.keys(headers)));
      return [status, Object.keys(headers)] as const;
    });
    return [path, Object.fromEntries(names)] as const;
  });
  return Object.fromEntries(entries);
}
