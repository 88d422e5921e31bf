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
  /** As pods reach them. No name: the cluster looks none up. */
  readonly brokerUrl: string;
  readonly storeUrl: string;
  stop(): Promise<void>;
}

export const NAMESPACE = 'busbar';
const BROKER_ADDRESS = '10.96.0.10';
const STORE_ADDRESS = '10.96.0.11';
const AMQP_PORT = 5672;
const MONGODB_PORT = 27_017;

/** The namespace of the release enforces the strictest level of Pod Security. */
export async function startServers({ api, host }: Pick<Cluster, 'api' | 'host'>): Promise<Servers> {
  const [rabbit, documents] = await Promise.all([startRabbitServer(), startDocumentServer({ durable: true })]);
  // The servers listen on loopback, which no pod reaches.
  const [broker, store] = await Promise.all([
    forward('broker', rabbit.url, host),
    forward('store', documents.url, host),
  ]);
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await api.kubectl(['apply', '-f', '-'], {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE, labels } },
      ...external('broker', { address: BROKER_ADDRESS, port: AMQP_PORT, target: { host, port: broker.port } }),
      ...external('store', { address: STORE_ADDRESS, port: MONGODB_PORT, target: { host, port: store.port } }),
    ],
  });
  const database = new URL(documents.url).pathname;
  return {
    rabbit,
    documents,
    brokerUrl: `amqp://guest:guest@${BROKER_ADDRESS}:${String(AMQP_PORT)}`,
    storeUrl: `mongodb://${STORE_ADDRESS}:${String(MONGODB_PORT)}${database}`,
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

interface External {
  readonly address: string;
  readonly port: number;
  readonly target: { readonly host: string; readonly port: number };
}

function external(name: string, { address, port, target }: External): readonly unknown[] {
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
