// The service as many processes, each of which, and each connection between which, a test can break: gateways, replicas of
// charger-state, both APIs, on a RabbitMQ and a document server of their own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FREE_PORTS, startDocumentServer, startRabbitServer, type PrivateServer } from '@busbar/testing';
import { makeCertificate } from '../harness/certificate';
import { http } from '../harness/http';
import { startProgram, type Program } from '../harness/program';
import { startTcpProxy, type Target, type TcpProxy } from './tcp-proxy';

export type Kind = 'ocpp-gateway' | 'charger-state' | 'v2-api' | 'legacy-api';

/** A process of the service and its connections. */
export interface Node {
  readonly name: string;
  readonly kind: Kind;
  /** Between it and RabbitMQ, the store, the chargers: where it has such a connection. */
  readonly proxies: { readonly broker: TcpProxy; readonly store?: TcpProxy; readonly chargers?: TcpProxy };
  running(): boolean;
  program(): Program;
  /** Starts it (again); resolves when it says that it is ready. */
  start(): Promise<void>;
  /** Sends the signal; resolves with the exit code when it is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  metrics(): Promise<string>;
  /** Everything that it wrote, over all its starts. */
  output(): string;
}

export interface Network {
  readonly rabbit: PrivateServer;
  readonly documents: PrivateServer;
  readonly gateways: readonly Node[];
  readonly replicas: readonly Node[];
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
  readonly env?: Readonly<Record<string, string>>;
}

export const CLIENT_ID = 'fault-client';
export const API_KEY = 'fault-key-0123456789abcdef';
/** What the promises are measured in: the default lease, and pings often enough for half-open sockets. */
const SETTINGS = { GATEWAY_LEASE_S: '15', OCPP_PING_INTERVAL_S: '5', RATE_LIMIT_PER_KEY: '100000' };

export async function openNetwork(options: NetworkOptions): Promise<Network> {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-faults-'));
  const [rabbit, documents, pair] = await Promise.all([
    startRabbitServer(),
    startDocumentServer({ durable: true }),
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
    ...options.env,
  };
  const base = { rabbit, documents, env };
  const make = (kind: Kind, count: number): Promise<Node[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => createNode(base, kind, `${kind} ${String(n + 1)}`)));
  const gateways = await make('ocpp-gateway', options.gateways);
  const replicas = await make('charger-state', options.replicas);
  const [v2] = await make('v2-api', 1);
  const [legacy] = await make('legacy-api', 1);
  if (v2 === undefined || legacy === undefined) throw new Error('no APIs');
  const nodes = (): Node[] => [...replicas, v2, legacy, ...gateways];
  await Promise.all(nodes().map((node) => node.start()));

  return {
    rabbit,
    documents,
    gateways,
    replicas,
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

/** Starts of one process, one after the other, until the servers that it needs answer it. */
const MOST_STARTS = 5;

interface Base {
  readonly rabbit: PrivateServer;
  readonly documents: PrivateServer;
  readonly env: Readonly<Record<string, string>>;
}

async function createNode({ rabbit, documents, env }: Base, kind: Kind, name: string): Promise<Node> {
  const proxies: Node['proxies'] = {
    broker: await startTcpProxy(addressOf(rabbit.url)),
    ...(kind === 'ocpp-gateway'
      ? { chargers: await startTcpProxy({ host: '127.0.0.1', port: 0 }) }
      : { store: await startTcpProxy(addressOf(documents.url)) }),
  };
  let program: Program | undefined;
  const started: Program[] = [];
  const current = (): Program => {
    if (program === undefined) throw new Error(`${name} does not run`);
    return program;
  };
  const launch = (): Program => {
    program = startProgram(kind, {
      ...env,
      BROKER_URL: through(rabbit.url, proxies.broker),
      ...(proxies.store ? { STORE_URL: through(documents.url, proxies.store) } : {}),
    });
    started.push(program);
    return program;
  };
  const serves = async (launched: Program): Promise<undefined> => {
    if (proxies.chargers) proxies.chargers.retarget(await launched.bound('plain'));
    await launched.ready();
  };
  return {
    name,
    kind,
    proxies,
    running: () => program !== undefined,
    program: current,
    async start() {
      for (let attempt = 1; ; attempt += 1) {
        const launched = launch();
        const ended = await Promise.race([serves(launched), launched.exited().then((code) => ({ code }))]);
        if (ended === undefined) return;
        // A server that does not answer at once ends a start with that sentence; whoever runs the processes starts again.
        const isTold = ended.code === 1 && launched.output().includes('does not answer');
        if (!isTold || program !== launched || attempt === MOST_STARTS) {
          throw new Error(`${name} ended with ${String(ended.code)} while it started`);
        }
      }
    },
    async end(signal) {
      const ending = current();
      program = undefined;
      return ending.end(signal);
    },
    output: () => started.map((each) => each.output()).join('— started again\n'),
    async metrics() {
      const { host, port } = await current().bound('internal');
      return (await http(`http://${host}:${String(port)}/metrics`)).text;
    },
  };
}

/** Of a server at one address: what several names or a look-up stand for cannot be put behind a proxy. */
function addressOf(url: string): Target {
  const [, host, port] = /^[a-z]+:\/\/(?:[^@/]*@)?([^:/,]+):(\d+)(?:[/?]|$)/.exec(url) ?? [];
  if (host === undefined) throw new Error('fault tests want a server at one host and port');
  return { host, port: Number(port) };
}

/** The same address by way of the proxy. Asked directly: a driver that asks the server who it is would go around it. */
function through(url: string, proxy: TcpProxy): string {
  const moved = url.replace(/(^[a-z]+:\/\/(?:[^@/]*@)?)[^/?]*/, `$1127.0.0.1:${String(proxy.port)}`);
  if (!url.startsWith('mongodb')) return moved;
  return `${moved}${moved.includes('?') ? '&' : '?'}directConnection=true`;
}
