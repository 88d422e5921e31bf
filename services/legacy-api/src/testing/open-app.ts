// The v1 (legacy) API of a test.
import { codeOf, openApi, type TestApi, type TestClient } from '@busbar/api/testing';
import type { ApiDeps } from '@busbar/api';
import type { AskOptions, HttpReply } from '@busbar/testing';
import { legacyApi } from '../app';

export { codeOf };
export type { TestClient };

export interface TestApp extends TestApi {
  /** Below `/api`, with the credentials of the own client or another one. */
  call(method: string, path: string, options?: AskOptions, as?: TestClient): Promise<HttpReply>;
  post(path: string, body: unknown, as?: TestClient): Promise<HttpReply>;
}

export async function openApp(over: Partial<ApiDeps> = {}): Promise<TestApp> {
  const api = await openApi(legacyApi, over);
  const call: TestApp['call'] = (method, path, options = {}, as = api.own) => {
    const credentials = `code=${as.secret}&clientId=${as.client.clientId}`;
    return api.callRaw(method, `/api${path}${path.includes('?') ? '&' : '?'}${credentials}`, options);
  };
  return { ...api, call, post: (path, body, as = api.own) => call('POST', path, { body }, as) };
}
