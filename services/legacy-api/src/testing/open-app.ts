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
} from '@busbar/testing';
import { createLegacyApp, type LegacyApp, type LegacyAppDeps } from '../app';

export type MadeClient = Awaited<ReturnType<typeof createClient>>;

export interface TestApp {
  readonly platform: Platform;
  readonly app: LegacyApp;
  readonly logger: RecordingLogger;
  readonly own: MadeClient;
  readonly other: MadeClient;
  /** The path as it is, with no key. Fails when the reply is not as the document says. */
  callRaw(method: string, path: string, options?: AskOptions): Promise<HttpReply>;
  /** Below `/api`, with the own client's key unless told otherwise. */
  call(method: string, path: string, options?: AskOptions, as?: MadeClient): Promise<HttpReply>;
  post(path: string, body: unknown, as?: MadeClient): Promise<HttpReply>;
  close(): Promise<void>;
}

/** `409 conflict`: an error's status and code. */
export function codeOf(reply: HttpReply): string {
  return `${String(reply.status)} ${String(reply.json()['errorCode'])}`;
}

export async function openApp(over: Partial<LegacyAppDeps> = {}): Promise<TestApp> {
  const logger = createRecordingLogger();
  const directory = mkdtempSync(join(tmpdir(), 'busbar-legacy-'));
  const clock = systemClock;
  const platform = createPlatform({ brokerUrl: 'memory:', storeUrl: `file:${directory}`, logger, clock });
  await platform.start();
  const { records } = platform;
  const own = await createClient({ ...records, clock }, { name: 'Acme' });
  const other = await createClient({ ...records, clock }, { name: 'Other' });
  const app = createLegacyApp({
    records,
    link: createChargerLink(platform.broker),
    clock,
    logger,
    trustedProxies: ['127.0.0.1'],
    requestLimits: createRequestLimits({ perKey: 10_000, perAddress: 10_000 }, clock),
    commandTimeoutS: 30,
    maskKeys: [],
    ...over,
  });
  const check = createReplyChecker(app.openApi);
  const { origin, close } = await serve(app.handle);

  async function callRaw(method: string, path: string, options: AskOptions = {}): Promise<HttpReply> {
    const headers = { 'x-forwarded-proto': 'https', ...options.headers };
    const reply = await ask(`${origin}${path}`, { method, ...options, headers });
    expect(check({ method, path, ...reply })).toEqual([]);
    return reply;
  }

  function call(method: string, path: string, options: AskOptions = {}, as = own): Promise<HttpReply> {
    const credentials = `code=${as.secret}&clientId=${as.client.clientId}`;
    return callRaw(method, `/api${path}${path.includes('?') ? '&' : '?'}${credentials}`, options);
  }

  return {
    ...{ platform, app, logger, own, other, callRaw, call },
    post: (path, body, as = own) => call('POST', path, { body }, as),
    async close() {
      await close();
      await platform.stop();
      rmSync(directory, { recursive: true });
    },
  };
}
