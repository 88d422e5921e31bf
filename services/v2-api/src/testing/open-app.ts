// The app on an embedded store and broker, with two clients: one call for a test's world.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createClient } from '@busbar/domain';
import { createReplyChecker } from '@busbar/http';
import { createChargerLink, createPlatform, type Platform } from '@busbar/runtime';
import { ask, createRecordingLogger, type AskOptions, type HttpReply, type RecordingLogger } from '@busbar/testing';
import { createV2App, type V2App, type V2AppDeps } from '../app';

export type MadeClient = Awaited<ReturnType<typeof createClient>>;

export interface TestApp {
  readonly platform: Platform;
  readonly app: V2App;
  readonly logger: RecordingLogger;
  readonly own: MadeClient;
  readonly other: MadeClient;
  /** Below `/v2`, with the own client's key. Fails when the reply is not as the document says. */
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
    rateLimitPerKey: 10_000,
    commandTimeoutS: 30,
    ...over,
  };
  const servers: Server[] = [];

  async function serve(app: V2App): Promise<TestApp['call']> {
    const check = createReplyChecker(app.openApi);
    const server = createServer((request, response) => {
      app.handle(request, response);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return async (method, path, options = {}) => {
      const reply = await ask(`http://127.0.0.1:${String(port)}/v2${path}`, {
        method,
        ...options,
        headers: { 'x-forwarded-proto': 'https', 'x-api-key': own.secret, ...options.headers },
      });
      const contentType = reply.headers['content-type'];
      if (contentType?.includes('json') === true) {
        const [plainPath = path] = path.split('?');
        const served = { method, path: `/v2${plainPath}`, status: reply.status, contentType, body: reply.json() };
        expect(check(served)).toEqual([]);
      }
      return reply;
    };
  }

  const app = createV2App(common);
  const call = await serve(app);
  return {
    ...{ platform, app, logger, own, other, call },
    post: (path, body, headers = {}) => call('POST', path, { body, headers }),
    second: (more = {}) => serve(createV2App({ ...common, ...more })),
    async close() {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      await platform.stop();
      rmSync(directory, { recursive: true });
    },
  };
}
