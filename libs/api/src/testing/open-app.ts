// An API on an embedded store and broker, with two clients.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createClient } from '@busbar/domain/clients';
import { createRequestLimits } from '@busbar/http';
import { createReplyChecker } from '@busbar/http/testing';
import { createDeployment, type Deployment } from '@busbar/operations';
import {
  createAuthorizationLink,
  createChargerLink,
  createPlatform,
  createPushLink,
  createStoredSecrets,
  type Platform,
} from '@busbar/runtime';
import {
  ask,
  createRecordingLogger,
  serve,
  type AskOptions,
  type HttpReply,
  type RecordingLogger,
  type Served,
} from '@busbar/testing';
import { createApiApp, type ApiApp, type ApiDefinition, type ApiDeps } from '../api-app';

const PARTITIONS = 4;
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

export type TestClient = Awaited<ReturnType<typeof createClient>>;

type Call = (method: string, path: string, options?: AskOptions) => Promise<HttpReply>;

export interface TestApi {
  readonly platform: Platform;
  readonly deployment: Deployment;
  readonly app: ApiApp;
  readonly logger: RecordingLogger;
  readonly own: TestClient;
  readonly other: TestClient;
  /** A request without credentials. Fails when the response does not match the document. */
  callRaw: Call;
  /** `callRaw` of another process of the API on the same store. */
  second(over?: Partial<ApiDeps>): Promise<Call>;
  close(): Promise<void>;
}

/** `409 conflict`: an error's status and code. */
export function codeOf(reply: HttpReply): string {
  const { code, errorCode } = reply.json();
  return `${String(reply.status)} ${String(code ?? errorCode)}`;
}

export async function openApi(definition: ApiDefinition, over: Partial<ApiDeps> = {}): Promise<TestApi> {
  const logger = createRecordingLogger();
  const directory = mkdtempSync(join(tmpdir(), `busbar-${definition.name}-`));
  const clock = systemClock;
  const platform = createPlatform({
    brokerUrl: 'memory:',
    storeUrl: `file:${directory}`,
    logger,
    clock,
    partitions: PARTITIONS,
  });
  const deployment = createDeployment({ ...platform, clock });
  await platform.start();
  await deployment.start();
  const { records } = platform;
  const own = await createClient({ ...records, clock }, { name: 'Acme' });
  const other = await createClient({ ...records, clock }, { name: 'Other' });
  const common: ApiDeps = {
    records,
    link: createChargerLink({ broker: platform.broker, clock }),
    authorizationLink: createAuthorizationLink(platform.broker),
    pushLink: createPushLink(platform.broker),
    clock,
    logger,
    trustedProxies: ['127.0.0.1'],
    requestLimits: createRequestLimits({ perKey: 10_000, perAddress: 10_000 }, clock),
    commandTimeoutS: 30,
    maskKeys: [],
    secrets: createStoredSecrets(SECRETS_KEY),
    deployment,
    ...over,
  };
  const serving: Served[] = [];

  async function callOf(app: ApiApp): Promise<Call> {
    const check = createReplyChecker(app.openApi);
    const served = await serve(app.handle);
    serving.push(served);
    return async (method, path, options = {}) => {
      const headers = { 'x-forwarded-proto': 'https', ...options.headers };
      const reply = await ask(`${served.origin}${path}`, { method, ...options, headers });
      expect(check({ method, path, ...reply })).toEqual([]);
      return reply;
    };
  }

  const app = createApiApp(definition, common);
  return {
    platform,
    deployment,
    app,
    logger,
    own,
    other,
    callRaw: await callOf(app),
    second: async (more = {}) => callOf(createApiApp(definition, { ...common, ...more })),
    async close() {
      await Promise.all(serving.map((served) => served.close()));
      await deployment.stop();
      await platform.stop();
      rmSync(directory, { recursive: true });
    },
  };
}
