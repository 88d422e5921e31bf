// The tests that both APIs pass.
import { systemClock } from '@busbar/core';
import { grantApiKey, type ApiKey, type Permission } from '@busbar/domain/clients';
import type { HttpReply } from '@busbar/testing';
import type { ApiDefinition } from '../api-app';
import { codeOf, openApi, type TestApi } from './open-app';

export interface ApiSuite {
  readonly definition: ApiDefinition;
  /** The headers or query with which a request carries an API key. */
  readonly credentialsOf: (key: { readonly secret: string; readonly clientId: string }) => {
    readonly headers?: Readonly<Record<string, string>>;
    readonly query?: string;
  };
  /** Paths are below the base path. */
  readonly permissions: readonly (readonly [method: string, path: string, permission: Permission])[];
  readonly unknownMethod: { readonly method: string; readonly path: string; readonly allow: string };
}

export function describeApi({ definition, credentialsOf, permissions, unknownMethod }: ApiSuite): void {
  const { name, basePath, documentPath } = definition;

  describe(`the rules of both APIs, in ${name}`, () => {
    let api: TestApi;
    beforeAll(async () => {
      api = await openApi(definition);
    });
    afterAll(() => api.close());

    const call = (method: string, path: string, secret = api.own.secret): Promise<HttpReply> => {
      const { headers = {}, query } = credentialsOf({ secret, clientId: api.own.client.clientId });
      return api.callRaw(method, `${basePath}${path}${query === undefined ? '' : `?${query}`}`, { headers });
    };

    const secretWith = async (granted: readonly Permission[]): Promise<string> => {
      const { apiKeys } = api.platform.records;
      const owner: ApiKey = api.own.key;
      const input = { name: 'limited', permissions: granted, expiresAt: null };
      return (await grantApiKey({ apiKeys, clock: systemClock }, owner, input)).secret;
    };

    it.each(permissions)('responds to %s %s with 403 without the permission %s', async (method, path, permission) => {
      const others = api.own.key.permissions.filter((each) => each !== permission);
      expect(codeOf(await call(method, path, await secretWith(others)))).toBe('403 forbidden');
      expect((await call(method, path, await secretWith([permission]))).status).not.toBe(403);
    });

    it('rejects plain HTTP first', async () => {
      const headers = { 'x-forwarded-proto': 'http' };
      for (const path of [unknownMethod.path, '/nothing', '/docs', documentPath]) {
        expect(codeOf(await api.callRaw('GET', `${basePath}${path}`, { headers }))).toBe('403 https_required');
      }
    });

    it('responds 404 to an unknown path and 405 to an unknown method, also without a key', async () => {
      for (const path of ['', '/', '/nothing', `${unknownMethod.path}/`]) {
        expect(codeOf(await api.callRaw('GET', `${basePath}${path}`))).toBe('404 not_found');
      }
      const { method, path, allow } = unknownMethod;
      const reply = await api.callRaw(method, `${basePath}${path}`);
      expect([codeOf(reply), reply.headers.allow]).toEqual(['405 method_not_allowed', allow]);
    });

    it('responds 401 without a valid key, and names the scheme', async () => {
      const [method, path] = permissions[0] ?? ['GET', '/'];
      expect(codeOf(await api.callRaw(method, `${basePath}${path}`))).toBe('401 unauthenticated');
      const reply = await call(method, path, 'bb_wrong');
      expect([codeOf(reply), reply.headers['www-authenticate']?.includes('realm="busbar"')]).toEqual([
        '401 unauthenticated',
        true,
      ]);
    });

    it('never logs a key, nor a query', () => {
      expect(api.logger.lines.length).toBeGreaterThan(20);
      const text = JSON.stringify(api.logger.lines);
      expect(text).not.toContain(api.own.secret);
      expect(text).not.toContain('bb_wrong');
      expect(text).not.toContain('clientId=');
      expect(api.logger.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
    });
  });
}
