import { buildOpenApi, type OpenApiOptions } from './open-api';
import type { ErrorPresenter } from './presenter';
import { routesFor } from './route';

const { route } = routesFor<string>();

const presenter: ErrorPresenter = {
  contentType: 'application/json; charset=utf-8',
  schema: { title: 'Error', type: 'object' },
  statusOf: () => 400,
  nameOf: (code) => code,
  bodyOf: () => ({}),
};

const documentOf = (routes: OpenApiOptions<string>['routes']) =>
  buildOpenApi({
    openapi: '3.1.0',
    title: 'A',
    version: '1',
    description: '',
    basePath: '',
    routes,
    securitySchemes: {},
    security: [],
    presenter,
  });

const thing = { title: 'Thing', type: 'object', properties: { a: { type: 'string' } } } as const;

const parts = { tag: 'T', permission: 'p', summary: 's', response: thing, handler: () => ({}) } as const;

describe('the document of an API', () => {
  it('has a schema with a title once, wherever it is used', () => {
    const document = documentOf([
      route({ ...parts, method: 'GET', path: '/a' }),
      route({ ...parts, method: 'GET', path: '/b', response: { ...thing } }),
    ]);
    expect(Object.keys((document['components'] as { schemas: object }).schemas)).toEqual(['Error', 'Thing']);
  });

  it('says that a body may be left out where nothing of it is required', () => {
    const partsOfPost = { ...parts, method: 'POST' } as const;
    const document = documentOf([
      route({ ...partsOfPost, path: '/a', body: { type: 'object', properties: { a: {} } } }),
      route({ ...partsOfPost, path: '/b', body: { type: 'object', properties: { a: {} }, required: ['a'] } }),
    ]);
    const paths = document['paths'] as Record<string, { post: { requestBody: { required: boolean } } }>;
    expect(Object.values(paths).map(({ post }) => post.requestBody.required)).toEqual([false, true]);
  });

  it('is none where two different schemas have one title', () => {
    const closed = { ...thing, additionalProperties: false } as const;
    const routes = [
      route({ ...parts, method: 'GET', path: '/a' }),
      route({ ...parts, method: 'GET', path: '/b', response: closed }),
    ];
    expect(() => documentOf(routes)).toThrow('two different schemas have the title Thing');
  });
});
