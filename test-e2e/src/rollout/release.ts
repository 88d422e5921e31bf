// A release of the chart as plain processes on this machine: four Deployments on two nodes, with the environment that the chart
// renders, in front of each that listens two load balancers, and a RabbitMQ and a document server of its own.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDocumentServer, startRabbitServer } from '@busbar/testing';
import { createApi, type Api } from '../faults/fleet';
import type { Random } from '../faults/random';
import { readStore, type LoadedSystem } from '../faults/under-load';
import { makeCertificate } from '../harness/certificate';
import { readMetric } from '../harness/metrics';
import { startBalancer } from './balancer';
import { startDeployment, type Balancers, type Deployment } from './deployment';
import type { Pod } from './pod';
import { COMPONENTS, PROBE, RENDERED, SECRETS, type Component, type Environment } from './rendered';

export interface Release {
  readonly api: Api;
  readonly deployments: Readonly<Record<Component, Deployment>>;
  /** As its chargers use it, through this load balancer. */
  system(through: keyof Balancers): LoadedSystem;
  everyPod(): readonly Pod[];
  stop(): Promise<void>;
}

const CLIENT_ID = 'rollout-client';
const API_KEY = 'rollout-key-0123456789abcdef';
const LAG_SECONDS = 1;
const LISTENING = ['gateway', 'v2-api', 'legacy-api'] as const;

/** Resolves when every process is ready. `folder`: of the checkout that they are started from. */
export async function openRelease(random: Random, folder?: string): Promise<Release> {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-rollout-'));
  // No rollout ends the document server, and a synced write would cost it most of a processor.
  const [rabbit, documents] = await Promise.all([startRabbitServer(), startDocumentServer({ storage: 'memory' })]);
  await writeSecrets(directory, { brokerUrl: rabbit.url, storeUrl: documents.url });
  const balancers = Object.fromEntries(
    await Promise.all(LISTENING.map(async (component) => [component, await startBalancers(random)] as const)),
  ) as Readonly<Record<Component, Balancers>>;
  const started = await Promise.all(
    COMPONENTS.map(async (component) => {
      const { env, replicas, minReadySeconds, terminationGracePeriodSeconds } = RENDERED[component];
      const deployment = await startDeployment({
        component,
        replicas,
        template: { env: localEnvironment(env, directory), folder },
        probe: PROBE,
        lagSeconds: LAG_SECONDS,
        minReadySeconds,
        graceSeconds: terminationGracePeriodSeconds,
        ...(component === 'charger-state' ? {} : { balancers: balancers[component] }),
      });
      return [component, deployment] as const;
    }),
  );
  const deployments = Object.fromEntries(started) as Readonly<Record<Component, Deployment>>;
  const originOf = (component: Component): string => `https://127.0.0.1:${String(balancers[component].endpoints.port)}`;
  const api = createApi(() => Promise.resolve(`${originOf('v2-api')}/v2`), API_KEY);

  return {
    api,
    deployments,
    system: (through) => ({
      api,
      withStore: (read) => readStore(documents.url, read),
      pages: [
        { url: `${originOf('v2-api')}/v2/sites`, headers: { 'x-api-key': API_KEY } },
        { url: `${originOf('legacy-api')}/api/group?code=${API_KEY}&clientId=${CLIENT_ID}` },
      ],
      ...throughBalancer(deployments.gateway, balancers.gateway[through]),
    }),
    everyPod: () => Object.values(deployments).flatMap((deployment) => deployment.everyPod()),
    async stop() {
      api.close();
      const ends = await Promise.allSettled(Object.values(deployments).map((deployment) => deployment.stop()));
      await Promise.all(
        Object.values(balancers).flatMap(({ endpoints, processes }) => [endpoints.stop(), processes.stop()]),
      );
      await Promise.all([rabbit.stop(), documents.stop()]);
      rmSync(directory, { recursive: true, force: true });
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
  };
}

export async function startBalancers(random: Random): Promise<Balancers> {
  const [endpoints, processes] = await Promise.all([startBalancer(random.fork()), startBalancer(random.fork())]);
  return { endpoints, processes };
}

/** Returns the gateways behind the load balancer, as chargers need them. */
export function throughBalancer(
  gateways: Deployment,
  balancer: Balancers['endpoints'],
): Pick<LoadedSystem, 'addresses' | 'gatewayOf' | 'sockets'> {
  return {
    addresses: () => [`wss://127.0.0.1:${String(balancer.port)}/ocpp/`],
    gatewayOf: balancer.nameOf,
    async sockets() {
      const running = gateways.everyPod().filter((pod) => pod.isRunning());
      return new Map(await Promise.all(running.map(async (pod) => [pod.name, await socketsOf(pod)] as const)));
    },
  };
}

async function socketsOf(pod: Pod): Promise<number> {
  return readMetric(await pod.metrics(), 'busbar_gateway_connections') || 0;
}

/** The Secrets of the release as files, as the chart mounts them. */
export async function writeSecrets(
  directory: string,
  { brokerUrl, storeUrl }: { readonly brokerUrl: string; readonly storeUrl: string },
): Promise<void> {
  const { certFile, keyFile } = await makeCertificate(directory);
  const files = {
    'broker/url': brokerUrl,
    'store/url': storeUrl,
    'bootstrap/client-id': CLIENT_ID,
    'bootstrap/api-key': API_KEY,
    'tls/tls.crt': readFileSync(certFile, 'utf8'),
    'tls/tls.key': readFileSync(keyFile, 'utf8'),
  };
  for (const [name, content] of Object.entries(files)) {
    const file = join(directory, name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content, { mode: 0o600 });
  }
}

/** As the chart renders it, but on loopback, on free ports, and with the Secrets in this directory. */
export function localEnvironment(env: Environment, directory: string): Environment {
  const files = Object.entries(env).map(([name, value]) => [
    name,
    value.startsWith(`${SECRETS}/`) ? join(directory, value.slice(SECRETS.length)) : value,
  ]);
  return {
    ...(Object.fromEntries(files) as Environment),
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: '0',
  };
}
