// The v2 API of a test, called with the own client's key.
import { codeOf, openApi, type TestApi } from '@busbar/api/testing';
import type { ApiDeps } from '@busbar/api';
import { systemClock } from '@busbar/core';
import { ALL_PERMISSIONS, createApiKey, createClient, OPERATOR, type Permission } from '@busbar/domain/clients';
import type { AskOptions, HttpReply } from '@busbar/testing';
import { v2Api } from '../app';

export { codeOf };

type Call = TestApi['callRaw'];

export interface TestApp extends Omit<TestApi, 'second'> {
  /** Below `/v2`. */
  readonly call: Call;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<HttpReply>;
  /** The header of a new key of the own client with these permissions; by default all, and that of operators. */
  keyHeader(...permissions: readonly Permission[]): Promise<Record<'x-api-key', string>>;
  /** `call` of another process of the API on the same store. */
  second(over?: Partial<ApiDeps>): Promise<Call>;
  /** The same app, called by two new clients: they see nothing of what is stored for others, and an app takes long to open. */
  withNewClients(): Promise<TestApp>;
}

export async function openApp(over: Partial<ApiDeps> = {}): Promise<TestApp> {
  return appOf(await openApi(v2Api, over));
}

function appOf(api: TestApi): TestApp {
  const withKey =
    (raw: Call): Call =>
    (method, path, options: AskOptions = {}) =>
      raw(method, path, { ...options, headers: { 'x-api-key': api.own.secret, ...options.headers } });
  const below =
    (raw: Call): Call =>
    (method, path, options) =>
      withKey(raw)(method, `/v2${path}`, options);
  const call = below(api.callRaw);
  return {
    ...api,
    callRaw: withKey(api.callRaw),
    call,
    post: (path, body, headers = {}) => call('POST', path, { body, headers }),
    async keyHeader(...permissions) {
      const { apiKeys } = api.platform.records;
      const { clientId } = api.own.client;
      const granted: readonly Permission[] = permissions.length === 0 ? [...ALL_PERMISSIONS, OPERATOR] : permissions;
      const input = { clientId, name: 'x', permissions: granted, expiresAt: null };
      return { 'x-api-key': (await createApiKey({ apiKeys, clock: systemClock }, input)).secret };
    },
    second: async (more) => below(await api.second(more)),
    async withNewClients() {
      const deps = { ...api.platform.records, clock: systemClock };
      const own = await createClient(deps, { name: 'Acme' });
      return appOf({ ...api, own, other: await createClient(deps, { name: 'Other' }) });
    },
  };
}
