import { AppError } from '@busbar/core';
import { placeIssues } from './place-issues';
import { routesFor, type Call } from '../route';

const id = { type: 'string' } as const;

async function pathsOf(details: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { route } = routesFor<undefined>();
  const placed = placeIssues(
    route({
      method: 'PUT',
      path: '/things/:id',
      tag: 'Things',
      operationId: 'putThing',
      summary: 'Change a thing',
      permission: 'write',
      params: { type: 'object', properties: { id } },
      query: { type: 'object', properties: { from: id } },
      response: { type: 'object' },
      handler: () => Promise.reject(new AppError('invalid_request', 'No.', { details })),
    }),
  );
  const call = {} as Call<undefined, unknown, unknown, unknown>;
  return Promise.resolve(placed.handler(call)).catch((error: unknown) => (error as AppError).details);
}

it.each([
  ['id', ':id'],
  ['from', '?from'],
  ['name', '/name'],
  ['sockets/0/id', '/sockets/0/id'],
])('names the place of the field %s: %s', async (field, path) => {
  const details = { commandId: 'k', issues: [{ field, message: 'is wrong' }] };
  await expect(pathsOf(details)).resolves.toEqual({ commandId: 'k', issues: [{ path, message: 'is wrong' }] });
});

it.each([[{ issues: [{ path: '/payload/type', message: 'is wrong' }] }], [{ allow: 'GET' }]])(
  'leaves an error that has its place, or none: %j',
  async (details) => {
    await expect(pathsOf(details)).resolves.toEqual(details);
  },
);
