// RabbitMQ and the document server beside the cluster, as a platform has them beside it too: pods reach them by a Service
// without a selector, whose one endpoint is the machine.
import { join } from 'node:path';
import { eventually, startDocumentServer, startRabbitServer, type PrivateServer } from '@busbar/testing';
import type { Cluster } from './cluster';
import { startPart, type Part } from './part';
import { surroundings } from './surroundings';

export interface Servers {
  readonly rabbit: PrivateServer;
  readonly documents: PrivateServer;
  stop(): Promise<void>;
}

export const NAMESPACE = 'busbar';
const BROKER_ADDRESS = '10.96.0.10';
const STORE_ADDRESS = '10.96.0.11';
const AMQP_PORT = 5672;
const MONGODB_PORT = 27_017;
/** For hundreds of thousands of messages, of which the stand-in for MongoDB reads all for some queries. No test ends it: nothing is synced. */
const STORE_MEMORY_MB = 4_096;

/**
 * In a namespace for the release that enforces the strictest level of Pod Security. Its Secret `servers` has their addresses;
 * `servers-elsewhere` names a broker where none is.
 */
export async function startServers({ api, host }: Pick<Cluster, 'api' | 'host'>): Promise<Servers> {
  const [rabbit, documents] = await Promise.all([
    startRabbitServer(),
    startDocumentServer({ storage: 'memory', memoryMb: STORE_MEMORY_MB }),
  ]);
  // The servers listen on loopback, which no pod reaches.
  const [broker, store] = await Promise.all([
    forward('broker', rabbit.url, host),
    forward('store', documents.url, host),
  ]);
  await api.kubectl(['apply', '-f', '-'], {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      restrictedNamespace(NAMESPACE),
      ...externalService('broker', { address: BROKER_ADDRESS, port: AMQP_PORT, target: { host, port: broker.port } }),
      ...externalService('store', { address: STORE_ADDRESS, port: MONGODB_PORT, target: { host, port: store.port } }),
      secretOf(NAMESPACE, 'servers', {
        broker: `amqp://guest:guest@${BROKER_ADDRESS}:${String(AMQP_PORT)}`,
        store: `mongodb://${STORE_ADDRESS}:${String(MONGODB_PORT)}${new URL(documents.url).pathname}`,
      }),
      secretOf(NAMESPACE, 'servers-elsewhere', {
        broker: `amqp://guest:guest@${BROKER_ADDRESS}:${String(AMQP_PORT + 1)}`,
      }),
    ],
  });
  return {
    rabbit,
    documents,
    async stop() {
      await Promise.all([broker.part.end('SIGKILL'), store.part.end('SIGKILL')]);
      await Promise.all([rabbit.stop(), documents.stop()]);
    },
  };
}

async function forward(name: string, url: string, host: string): Promise<{ part: Part; port: number }> {
  const logFile = join(surroundings().directory, `forward-${name}.log`);
  const program = join(__dirname, 'forward.mjs');
  const part = startPart({ name, command: [process.execPath, program, host, new URL(url).port], logFile });
  return { part, port: await eventually(() => Number(part.output().trim()) || undefined) };
}

export function restrictedNamespace(name: string): unknown {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

export function secretOf(namespace: string, name: string, stringData: Readonly<Record<string, string>>): object {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData };
}

interface External {
  readonly address: string;
  readonly port: number;
  readonly target: { readonly host: string; readonly port: number };
}

/** Leads to what no pod serves. */
export function externalService(name: string, { address, port, target }: External): readonly unknown[] {
  const metadata = { name, namespace: NAMESPACE };
  return [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP: address, ports: [{ port }] } },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': name } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [target.host] }],
      ports: [{ port: target.port }],
    },
  ];
}
