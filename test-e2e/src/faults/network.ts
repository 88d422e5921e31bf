// The service as many processes, each of which, and each connection between which, a test can break: gateways, replicas of
// charger-state, push, both APIs, on a RabbitMQ and a document server of their own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FREE_PORTS, startDocumentServer, startRabbitServer, type PrivateServer } from '@busbar/testing';
import { makeCertificate } from '../harness/certificate';
import { createLastingProgram, type LastingProgram } from './lasting-program';
import { startProxyTo, startTcpProxy, through, type TcpProxy } from './tcp-proxy';

type Kind = 'ocpp-gateway' | 'charger-state' | 'push' | 'v2-api' | 'legacy-api';

/** A process of the service and its connections. */
export interface Node extends LastingProgram {
  /** Between it and RabbitMQ, the store, the chargers: where it has such a connection. */
  readonly proxies: { readonly broker: TcpProxy; readonly store?: TcpProxy; readonly chargers?: TcpProxy };
}

export interface Network {
  readonly rabbit: PrivateServer;
  readonly documents: PrivateServer;
  readonly gateways: readonly Node[];
  readonly replicas: readonly Node[];
  readonly pushes: readonly Node[];
  readonly apis: readonly [v2: Node, legacy: Node];
  /** Where chargers connect, of the gateways that run. */
  chargerAddresses(): readonly string[];
  /** `https://…/v2`, of the process that runs now. */
  v2(): Promise<string>;
  /** A charger-state beside the others. */
  addReplica(): Promise<Node>;
  /** Ends it in order; it does not come back. */
  removeReplica(node: Node): Promise<void>;
  nodes(): readonly Node[];
  stop(): Promise<void>;
}

export interface NetworkOptions {
  readonly gateways: number;
  readonly replicas: number;
  /** Default 0. */
  readonly pushes?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export const CLIENT_ID = 'fault-client';
export const API_KEY = 'fault-key-0123456789abcdef';
/** The settings that the promises assume: the default lease, and pings often enough for half-open sockets. */
const SETTINGS = {
  GATEWAY_LEASE_S: '15',
  OCPP_PING_INTERVAL_S: '5',
  RATE_LIMIT_PER_KEY: '100000',
  RATE_LIMIT_PER_ADDRESS: '100000',
  OCPP_MAX_STARTS_PER_DAY: '0',
  OCPP_MAX_CLIENT_STARTS_PER_DAY: '0',
  DRAIN_S: '2',
};
/** Of push, and of the API that makes webhooks: receivers are on this machine. A refused event is sent again after half a second, and a receiver that was cut off is tried again then. */
const PUSH_SETTINGS = {
  PUSH_TIME_SCALE: '0.1',
  PUSH_PLAIN_HTTP: 'true',
  PUSH_ALLOWED_CIDRS: '127.0.0.0/8',
  SECRETS_KEY: Buffer.alloc(32, 5).toString('base64'),
};

export async function openNetwork(options: NetworkOptions): Promise<Network> {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-faults-'));
  const [rabbit, documents, pair] = await Promise.all([
    startRabbitServer(),
    startDocumentServer(),
    makeCertificate(directory),
  ]);
  const env = {
    ...FREE_PORTS,
    HOST: '127.0.0.1',
    TLS_CERT_FILE: pair.certFile,
    TLS_KEY_FILE: pair.keyFile,
    BOOTSTRAP_CLIENT_ID: CLIENT_ID,
    BOOTSTRAP_API_KEY: API_KEY,
    ...SETTINGS,
    ...(options.pushes === undefined ? {} : PUSH_SETTINGS),
    ...options.env,
  };
  const base = { rabbit, documents, env };
  const make = (kind: Kind, count: number): Promise<Node[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => createNode(base, kind, `${kind} ${String(n + 1)}`)));
  const gateways = await make('ocpp-gateway', options.gateways);
  const replicas = await make('charger-state', options.replicas);
  const pushes = await make('push', options.pushes ?? 0);
  const [v2] = await make('v2-api', 1);
  const [legacy] = await make('legacy-api', 1);
  if (v2 === undefined || legacy === undefined) throw new Error('no APIs');
  const nodes = (): Node[] => [...replicas, ...pushes, v2, legacy, ...gateways];
  await Promise.all(nodes().map((node) => node.start()));

  return {
    rabbit,
    documents,
    gateways,
    replicas,
    pushes,
    apis: [v2, legacy],
    chargerAddresses: () =>
      gateways.flatMap(({ running, proxies }) =>
        running() && proxies.chargers ? [`ws://127.0.0.1:${String(proxies.chargers.port)}/ocpp/`] : [],
      ),
    async v2() {
      const { host, port } = await v2.program().bound('public');
      return `https://${host}:${String(port)}/v2`;
    },
    async addReplica() {
      const node = await createNode(base, 'charger-state', `charger-state ${String(replicas.length + 1)}`);
      replicas.push(node);
      await node.start();
      return node;
    },
    async removeReplica(node) {
      replicas.splice(replicas.indexOf(node), 1);
      await node.end('SIGTERM');
      await Promise.all(Object.values(node.proxies).map((proxy: TcpProxy) => proxy.stop()));
    },
    nodes,
    async stop() {
      await Promise.all(nodes().flatMap((node) => (node.running() ? [node.end('SIGTERM')] : [])));
      await Promise.all(
        nodes().flatMap(({ proxies }) => Object.values(proxies).map((proxy: TcpProxy) => proxy.stop())),
      );
      await Promise.all([rabbit.stop(), documents.stop()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

interface Base {
  readonly rabbit: PrivateServer;
  readonly documents: PrivateServer;
  readonly env: Readonly<Record<string, string>>;
}

async function createNode({ rabbit, documents, env }: Base, kind: Kind, name: string): Promise<Node> {
  const proxies: Node['proxies'] = {
    broker: await startProxyTo(rabbit.url),
    ...(kind === 'ocpp-gateway'
      ? { chargers: await startTcpProxy({ host: '127.0.0.1', port: 0 }) }
      : { store: await startProxyTo(documents.url) }),
  };
  const program = createLastingProgram({
    name,
    service: kind,
    env: {
      ...env,
      BROKER_URL: through(rabbit.url, proxies.broker),
      ...(proxies.store ? { STORE_URL: through(documents.url, proxies.store) } : {}),
    },
    ...(proxies.chargers ? { chargers: proxies.chargers } : {}),
  });
  return { ...program, proxies };
}
