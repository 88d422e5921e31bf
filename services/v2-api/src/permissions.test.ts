import type { Permission } from '@busbar/domain/clients';
import { codeOf, openApp, type TestApp } from './testing/open-app';

describe('permissions of the v2 API', () => {
  let world: TestApp;
  beforeAll(async () => {
    world = await openApp();
  });
  afterAll(() => world.close());

  const keyWith = async (permissions: readonly Permission[]): Promise<string> =>
    String((await world.post('/api-keys', { name: 'limited', permissions })).json()['key']);

  it.each([
    ['POST', '/sites', 'sites:write'],
    ['POST', '/chargers', 'chargers:write'],
    ['GET', '/sites', 'sites:read'],
    ['GET', '/sites/1', 'sites:read'],
    ['PATCH', '/sites/1', 'sites:write'],
    ['DELETE', '/sites/1', 'sites:write'],
    ['GET', '/chargers', 'chargers:read'],
    ['GET', '/chargers/ACME_1', 'chargers:read'],
    ['PATCH', '/chargers/ACME_1', 'chargers:write'],
    ['DELETE', '/chargers/NONE_1', 'chargers:write'],
    ['PUT', '/chargers/ACME_1/sockets', 'chargers:write'],
    ['PATCH', '/chargers/ACME_1/sockets/1', 'chargers:write'],
    ['PUT', '/chargers/ACME_1/authentication', 'chargers:write'],
    ['DELETE', '/chargers/ACME_1/authentication', 'chargers:write'],
    ['GET', '/api-keys', 'keys:read'],
    ['POST', '/api-keys', 'keys:write'],
    ['DELETE', '/api-keys/nothing', 'keys:write'],
    ['GET', '/chargers/ACME_1/ocpp-logs', 'logs:read'],
    ['GET', '/connection-attempts', 'logs:read'],
    ['GET', '/commands/01ARZ3NDEKTSV4RRFFQ69G5FAV', 'chargers:read'],
    ['GET', '/chargers/state-time-series', 'chargers:read'],
    ['GET', '/sites/state-time-series', 'chargers:read'],
    ['GET', '/sessions', 'sessions:read'],
    ['GET', '/sessions/1', 'sessions:read'],
    ['GET', '/sessions/1/meter-values', 'sessions:read'],
    ['POST', '/sessions/1/end', 'sessions:write'],
    ['GET', '/tags', 'tags:read'],
    ['POST', '/tags', 'tags:write'],
    ['GET', '/tags/x', 'tags:read'],
    ['PATCH', '/tags/x', 'tags:write'],
    ['DELETE', '/tags/x', 'tags:write'],
    ['GET', '/statistics', 'chargers:read'],
  ] as const)('%s %s requires %s', async (method, path, permission) => {
    const others = world.own.key.permissions.filter((each) => each !== permission);
    const without = { 'x-api-key': await keyWith(others) };
    expect(codeOf(await world.call(method, path, { headers: without }))).toBe('403 forbidden');
    const only = { 'x-api-key': await keyWith([permission]) };
    expect((await world.call(method, path, { headers: only })).status).not.toBe(403);
  });
});
