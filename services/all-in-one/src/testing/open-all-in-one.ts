// The one-process mode within the test's process, with a client, a site and chargers on real sockets.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createId, systemClock } from '@busbar/core';
import { createReplyChecker } from '@busbar/http/testing';
import { createMetrics, readBuildInfo, readSettings } from '@busbar/runtime';
import {
  ask,
  connectCharger,
  createRecordingLogger,
  eventually,
  oneProcessEnv,
  type AskOptions,
  type HttpReply,
  type RecordingLogger,
  type ScriptedCharger,
  type ScriptedChargerOptions,
} from '@busbar/testing';
import { allInOneSettings } from '../config';
import { createAllInOne } from '../service';

const CLIENT_ID = 'test-client';
const API_KEY = 'test-key-0123456789abcdef';

export interface AllInOneWorld {
  readonly logger: RecordingLogger;
  readonly directory: string;
  /** Below `/v2`, as the client. Replies of both APIs are checked against their OpenAPI documents. */
  v2(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<HttpReply>;
  /** Below `/api`; the path may have a query. */
  legacy(method: string, path: string, body?: unknown): Promise<HttpReply>;
  register(chargerId?: string): Promise<string>;
  connect(chargerId: string, options?: Omit<ScriptedChargerOptions, 'url'>): Promise<ScriptedCharger>;
  /** As `connect`, by TLS. */
  readonly connectSecurely: AllInOneWorld['connect'];
  /** The address of chargers with TLS, without the id. */
  readonly secureUrl: string;
  /** A registered charger that has booted and is shown connected. */
  connected(options?: Omit<ScriptedChargerOptions, 'url'>): Promise<{ id: string; charger: ScriptedCharger }>;
  isActive(chargerId: string): Promise<boolean>;
  close(): Promise<void>;
}

export async function openAllInOne(env: Readonly<Record<string, string>> = {}): Promise<AllInOneWorld> {
  const directory = await mkdtemp(join(tmpdir(), 'all-in-one-'));
  const lines: string[] = [];
  const settings = readSettings(allInOneSettings, {
    ...oneProcessEnv({ directory, clientId: CLIENT_ID, apiKey: API_KEY }),
    ...env,
  });
  const logger = createRecordingLogger();
  const context = {
    settings,
    logger,
    clock: systemClock,
    metrics: createMetrics(),
    build: readBuildInfo(),
    stopping: () => false,
  };
  const service = await createAllInOne(context, { print: (line) => lines.push(line), isTerminal: true });
  await service.start();
  const origin = /Address +(\S+)/.exec(lines.join('\n'))?.[1] ?? '';
  const plain = /(ws:\S+\/ocpp\/)/.exec(lines.join('\n'))?.[1] ?? '';
  const secureUrl = /(wss:\S+\/ocpp\/)/.exec(lines.join('\n'))?.[1] ?? '';

  const documents = await Promise.all(['/v2/openapi.json', '/api/swagger.json'].map((path) => ask(`${origin}${path}`)));
  const checks = documents.map((document) => createReplyChecker(document.json()));
  /** Fails when the reply contradicts the OpenAPI document of its API. */
  const checked = async (path: string, options: AskOptions): Promise<HttpReply> => {
    const reply = await ask(`${origin}${path}`, options);
    const { method = 'GET' } = options;
    expect(checks.flatMap((check) => check({ method, path, ...reply }))).toEqual([]);
    return reply;
  };
  const v2: AllInOneWorld['v2'] = (method, path, body, headers) =>
    checked(`/v2${path}`, {
      method,
      headers: { 'x-api-key': API_KEY, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  const isActive = async (chargerId: string): Promise<boolean> =>
    (await v2('GET', `/chargers/${chargerId}`)).json()['activeConnection'] === true;
  const register = async (chargerId = createId()): Promise<string> => {
    const reply = await v2('POST', '/chargers', { name: 'A charger', chargerId });
    if (reply.status !== 200) throw new Error(reply.text);
    return chargerId;
  };
  const connect: AllInOneWorld['connect'] = (chargerId, options = {}) =>
    connectCharger({ url: `${plain}${chargerId}`, ...options });
  await v2('POST', '/sites', { name: 'A site' });

  return {
    logger,
    directory,
    v2,
    legacy(method, path, body) {
      const credentials = new URLSearchParams({ code: API_KEY, clientId: CLIENT_ID }).toString();
      const whole = `/api${path}${path.includes('?') ? '&' : '?'}${credentials}`;
      return checked(whole, { method, ...(body === undefined ? {} : { body }) });
    },
    register,
    connect,
    connectSecurely: (chargerId, options = {}) => connectCharger({ url: `${secureUrl}${chargerId}`, ...options }),
    secureUrl,
    async connected(options) {
      const id = await register();
      const charger = await connect(id, options);
      await charger.boot();
      await eventually(() => isActive(id));
      return { id, charger };
    },
    isActive,
    async close() {
      await service.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
