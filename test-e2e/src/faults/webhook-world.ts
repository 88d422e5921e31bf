// The service with webhooks to receivers on this machine, in both ways of running, whose parts a test kills.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneProcessEnv } from '@busbar/testing';
import { http, type HttpCall, type HttpReply } from '../harness/http';
import { createLastingProgram } from './lasting-program';
import { API_KEY, CLIENT_ID, openNetwork, type Node } from './network';
import { startTcpProxy } from './tcp-proxy';

export interface WebhookWorld {
  /** Where chargers connect, whichever process serves them now. */
  readonly chargers: string;
  /** `https://…/v2`, of the process that runs now. Rejects where none does. */
  v2Address(): Promise<string>;
  /** A request to the v2 API. Rejects where it does not run. */
  v2(path: string, call?: HttpCall): Promise<HttpReply>;
  /** Kills this process or server, and starts it again: one of `ONE_PROCESS`, or of `PROCESSES` and `SERVERS`. */
  kill(name: string): Promise<void>;
  stop(): Promise<void>;
}

export const ONE_PROCESS = ['the process'] as const;
export const PROCESSES = ['push', 'charger-state', 'v2-api', 'ocpp-gateway'] as const;
export const SERVERS = ['RabbitMQ', 'the document server'] as const;

/** Waits of webhooks are five hundred times shorter: 5 s are 10 ms, 72 h are 9 min. */
const SETTINGS = {
  PUSH_TIME_SCALE: '0.002',
  PUSH_PLAIN_HTTP: 'true',
};

export async function openOneProcess(): Promise<WebhookWorld> {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-webhooks-'));
  const chargers = await startTcpProxy({ host: '127.0.0.1', port: 0 });
  const env = { ...oneProcessEnv({ directory, clientId: CLIENT_ID, apiKey: API_KEY }), ...SETTINGS };
  const one = createLastingProgram({ name: 'the process', service: 'all-in-one', env, chargers });
  await one.start();
  const v2Address = async () => `https://127.0.0.1:${String((await one.program().bound('public')).port)}/v2`;
  return {
    chargers: `ws://127.0.0.1:${String(chargers.port)}/ocpp/`,
    v2Address,
    v2: async (path, call) => ask(`${await v2Address()}${path}`, call),
    async kill() {
      await one.end('SIGKILL');
      await one.start();
    },
    async stop() {
      await one.end('SIGTERM');
      await chargers.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export async function openProcesses(): Promise<WebhookWorld> {
  const env = {
    ...SETTINGS,
    PUSH_ALLOWED_CIDRS: '127.0.0.0/8',
    SECRETS_KEY: Buffer.alloc(32, 5).toString('base64'),
  };
  const network = await openNetwork({ gateways: 1, replicas: 1, pushes: 1, env });
  const [chargers = ''] = network.chargerAddresses();
  const servers = { RabbitMQ: network.rabbit, 'the document server': network.documents } satisfies Record<
    (typeof SERVERS)[number],
    object
  >;
  const named: Readonly<Record<(typeof PROCESSES)[number], Node | undefined>> = {
    push: network.pushes[0],
    'charger-state': network.replicas[0],
    'v2-api': network.apis[0],
    'ocpp-gateway': network.gateways[0],
  };
  return {
    chargers,
    v2Address: () => network.v2(),
    v2: async (path, call) => ask(`${await network.v2()}${path}`, call),
    async kill(name) {
      const server = Object.entries(servers).find(([each]) => each === name)?.[1];
      if (server !== undefined) {
        await server.restart();
        return;
      }
      const node = Object.entries(named).find(([each]) => each === name)?.[1];
      if (node === undefined) throw new Error(`there is no ${name}`);
      await node.end('SIGKILL');
      await node.start();
    },
    stop: () => network.stop(),
  };
}

function ask(url: string, call: HttpCall = {}): Promise<HttpReply> {
  return http(url, { ...call, headers: { 'x-api-key': API_KEY, ...call.headers } });
}
