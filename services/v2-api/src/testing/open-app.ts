// The app on an embedded store and broker, with two clients: one call for a test's world.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createClient } from '@busbar/domain/clients';
import { createReplyChecker, createRequestLimits } from '@busbar/http';
import { createChargerLink, createPlatform, type Platform } from '@busbar/runtime';
import {
  ask,
  createRecordingLogger,
  serve,
  type AskOptions,
  type HttpReply,
  type RecordingLogger,
  type Served,
} from '@busbar/testing';
import { createV2App, type V2App, type V2AppDeps } from '../app';

export type MadeClient = Awaited<ReturnType<typeof createClient>>;

export interface TestApp {
  readonly platform: Platform;
  readonly app: V2App;
  readonly logger: RecordingLogger;
  readonly own: MadeClient;
  readonly other: MadeClient;
  /** The path as it is, with the own client's key. Fails when the reply is not as the document says. */
  callRaw(method: string, path: string, options?: AskOptions): Promise<HttpReply>;
  /** Below `/v2`, with the own client's key. */
  call(method: string, path: string, options?: AskOptions): Promise<HttpReply>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<HttpReply>;
  /** Another process of the API on the same store: its `call`. */
  second(over?: Partial<V2AppDeps>): Promise<TestApp['call']>;
  close(): Promise<void>;
}

/** `409 conflict`: an error's status and code. */
export function codeOf(reply: HttpReply): string {
  return `${String(reply.status)} ${String(reply.json()['code'])}`;
}

export async function openApp(over: Partial<V2AppDeps> = {}): Promise<TestApp> {
  const logger = createRecordingLogger();
  const directory = mkdtempSync(join(tmpdir(), 'busbar-v2-'));
  const clock = systemClock;
  const platform = createPlatform({ brokerUrl: 'memory:', storeUrl: `file:${directory}`, logger, clock });
  await platform.start();
  const { records } = platform;
  const own = await createClient({ ...records, clock }, { name: 'Acme' });
  const other = await createClient({ ...records, clock }, { name: 'Other' });
  const common = {
    records,
    link: createChargerLink(platform.broker),
    clock,
    logger,
    trustedProxies: ['127.0.0.1'],
    requestLimits: createRequestLimits({ perKey: 10_000, perAddress: 10_000 }, clock),
    commandTimeoutS: 30,
    maskKeys: [],
    ...over,
  };
  const serving: Served[] = [];

  async function callOf(app: V2App): Promise<TestApp['callRaw']> {
    const check = createReplyChecker(app.openApi);
    const served = await serve(app.handle);
    serving.push(served);
    return async (method, path, options = {}) => {
      const headers = { 'x-forwarded-proto': 'https', 'x-api-key': own.secret, ...options.headers };
      const reply = await ask(`${served.origin}${path}`, { method, ...options, headers });
      expect(check({ method, path, ...reply })).toEqual([]);
      return reply;
    };
  }

  const app = createV2App(common);
  const callRaw = await callOf(app);
  const below =
    (raw: TestApp['callRaw']): TestApp['call'] =>
    (method, path, options) =>
      raw(method, `/v2${path}`, options);
  const call = below(callRaw);
  return {
    ...{ platform, app, logger, own, other, callRaw, call },
    post: (path, body, headers = {}) => call('POST', path, { body, headers }),
    second: async (more = {}) => below(await callOf(createV2App({ ...common, ...more }))),
    async close() {
      await Promise.all(serving.map((served) => served.close()));
      await platform.stop();
      rmSync(directory, { recursive: true });
    },
  };
}
