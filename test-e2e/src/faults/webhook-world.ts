// The service with webhooks to receivers on this machine, in both ways of running, whose parts a test kills.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneProcessEnv } from '@busbar/testing';
import { createFeedSource, type FeedSource } from './feed-followers';
import { createLastingProgram } from './lasting-program';
import { API_KEY, CLIENT_ID, openNetwork, type Node } from './network';
import { startTcpProxy } from './tcp-proxy';

export interface WebhookWorld extends FeedSource {
  /** Where chargers connect, whichever process serves them now. */
  readonly chargers: string;
  /** Kills this process or server, and starts it again: one of `ONE_PROCESS`, or of `PROCESSES` and `SERVERS`. */
  kill(name: string): Promise<void>;
  stop(): Promise<void>;
}

export const ONE_PROCESS = ['the process'] as const;
export const PROCESSES = ['push', 'charger-state', 'v2-api', 'legacy-api', 'ocpp-gateway'] as const;
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
    ...createFeedSource(v2Address),
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
  const network = await openNetwork({ gateways: 1, replicas: 1, pushes: 1, env: SETTINGS });
  const [chargers = ''] = network.chargerAddresses();
  const servers = { RabbitMQ: network.rabbit, 'the document server': network.documents } satisfies Record<
    (typeof SERVERS)[number],
    object
  >;
  const named: Readonly<Record<(typeof PROCESSES)[number], Node | undefined>> = {
    push: network.pushes[0],
    'charger-state': network.replicas[0],
    'v2-api': network.apis[0],
    'legacy-api': network.apis[1],
    'ocpp-gateway': network.gateways[0],
  };
  return {
    chargers,
    ...createFeedSource(network.v2),
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
