// The product in the cluster as a platform team has it: the chart, installed by Helm with values for production.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@busbar/testing';
import { stringify } from 'yaml';
import { CHART, TOOLS, type Values } from '../chart/helm';
import { createApi, type Api } from '../faults/fleet';
import { makeCertificate } from '../harness/certificate';
import type { Cluster } from './cluster';
import type { KubernetesObject } from './kubernetes-api';
import { secretOf } from './servers';
import { watchServiceConnections } from './service-connections';
import { IMAGE } from './surroundings';

export type Component = (typeof COMPONENTS)[number] | 'all-in-one';

export interface Release {
  readonly namespace: string;
  /** The v2 API, through its Service. */
  readonly v2: Api;
  /** A read of each API through its Service. */
  readonly reads: readonly Read[];
  /** Where chargers connect through the gateways' Service: ends in a slash. */
  readonly chargerAddress: string;
  /** The address of the pod that a charger's newest connection from this port goes to. */
  gatewayOf(localPort: number): string | undefined;
  /** Returns the pods of the release, by name. */
  pods(component?: Component): Promise<readonly Pod[]>;
  /** Resolves when there are so many pods of a component, all of them ready, and no other. */
  scaled(component: Component, replicas: number): Promise<void>;
  /** In the release's namespace. */
  kubectl(...kubectlArguments: readonly string[]): Promise<string>;
  /** `helm` with these arguments, of this release. Rejects with what it wrote when it fails. */
  helm(command: string, ...helmArguments: readonly string[]): Promise<string>;
  /** `helm upgrade` to these values on top of those of the installation; resolves when all pods are ready. */
  upgrade(values?: Values): Promise<void>;
  /** The same, and resolves at once. */
  beginUpgrade(values: Values): Promise<void>;
  /** Resolves when Helm has removed it. */
  uninstall(): Promise<void>;
}

export interface Read {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ReleaseOptions {
  readonly namespace: string;
  readonly values: Values;
  /** The process behind each Service. */
  readonly serving: { readonly chargers: Component; readonly v2: Component; readonly legacy: Component };
}

export interface Pod extends KubernetesObject {
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly { readonly resources: { readonly limits?: { readonly memory?: string } } }[];
  };
  readonly status: {
    readonly podIP?: string;
    readonly phase: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly {
      readonly restartCount: number;
      readonly started?: boolean;
      readonly state: Readonly<Record<string, { readonly reason?: string } | undefined>>;
      readonly lastState: Readonly<Record<string, { readonly reason?: string } | undefined>>;
    }[];
  };
}

export const COMPONENTS = ['gateway', 'charger-state', 'v2-api', 'legacy-api'] as const;
export const RELEASE = 'busbar';
/** Seconds over which a gateway that stops closes its sockets. A rollout takes a multiple of them. */
export const DRAIN_S = process.env['CLUSTER_ALL'] === '1' ? 10 : 5;
/** For which it serves on before: the least that the chart takes. */
const DELAY_S = 6;
const CLIENT_ID = 'cluster-client';
const API_KEY = 'cluster-key-0123456789abcdef';
const READY_WITHIN = '180s';
const SETTLED_MS = 180_000;
const HELM_MS = 300_000;
const PORT = 8443;

/** Much less than production's, since both nodes are one small machine. Memory stays as it is. */
const CPU = { resources: { requests: { cpu: '10m' } } };
const UNLIMITED_STARTS = { OCPP_MAX_STARTS_PER_DAY: 0, OCPP_MAX_CLIENT_STARTS_PER_DAY: 0 };
const UNLIMITED = { RATE_LIMIT_PER_KEY: 100_000, RATE_LIMIT_PER_ADDRESS: 100_000 };

const COMMON = {
  image: { repository: IMAGE, tag: '1', pullPolicy: 'Never' },
  bootstrap: { existingSecret: 'bootstrap' },
  tls: { certificate: { existingSecret: 'certificate' } },
  smoke: { caSecret: { name: 'certificate', key: 'tls.crt' }, host: 'localhost' },
  shutdown: { delaySeconds: DELAY_S },
};

export const SERVICES: Values = {
  ...COMMON,
  broker: { existingSecret: { name: 'servers', key: 'broker' } },
  store: { existingSecret: { name: 'servers', key: 'store' } },
  upgradeStrategy: 'rolling',
  gateway: {
    ...CPU,
    settings: { DRAIN_S, OCPP_PING_INTERVAL_S: 5, OCPP_MAX_CONNECTIONS: 1_000 },
    passthrough: { enabled: true, type: 'ClusterIP' },
  },
  chargerState: { ...CPU, settings: UNLIMITED_STARTS },
  v2Api: { ...CPU, settings: UNLIMITED },
  legacyApi: { ...CPU, settings: UNLIMITED },
};

/** The one process, in a namespace of its own. */
export const ONE_PROCESS: Values = {
  ...COMMON,
  mode: 'allInOne',
  backup: { enabled: true },
  allInOne: { ...CPU, settings: { ...UNLIMITED, ...UNLIMITED_STARTS, OCPP_PING_INTERVAL_S: 5 } },
};

/** Resolves when Helm says that all pods are ready. */
export async function installRelease(
  { api, kubeconfig }: Pick<Cluster, 'api' | 'kubeconfig'>,
  { namespace, values, serving }: ReleaseOptions,
): Promise<Release> {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-release-'));
  const [ofInstallation, ofUpgrade] = [join(directory, 'values.yaml'), join(directory, 'more.yaml')];
  writeFileSync(ofInstallation, stringify(values));
  await api.kubectl(['apply', '-f', '-'], {
    apiVersion: 'v1',
    kind: 'List',
    items: await secrets(directory, namespace),
  });

  const helm = helmIn(kubeconfig, namespace);
  const upgradeTo = async (more: Values, ...helmArguments: readonly string[]): Promise<void> => {
    writeFileSync(ofUpgrade, stringify(more));
    await helm('upgrade', CHART, '--values', ofInstallation, '--values', ofUpgrade, ...helmArguments);
  };
  const untilReady = ['--wait', '--timeout', READY_WITHIN];
  await helm('install', CHART, '--values', ofInstallation, ...untilReady);

  const addressOf = async (component: Component): Promise<string> => {
    const path = `/api/v1/namespaces/${namespace}/services/${RELEASE}-${component}`;
    return `${(await api.get<{ spec: { clusterIP: string } }>(path)).spec.clusterIP}:${String(PORT)}`;
  };
  const [ofChargers, ofV2] = [await addressOf(serving.chargers), await addressOf(serving.v2)];
  const connections = watchServiceConnections(ofChargers.split(':')[0] ?? '');
  const query = `code=${API_KEY}&clientId=${CLIENT_ID}`;
  const reads: readonly Read[] = [
    { url: `https://${ofV2}/v2/sites`, headers: { 'x-api-key': API_KEY } },
    // Without the chargers: hundreds of them, read all the time, would be most of the load.
    { url: `https://${await addressOf(serving.legacy)}/api/group?excludeDetails=true&${query}`, headers: {} },
  ];
  const v2 = createApi(() => Promise.resolve(`https://${ofV2}/v2`), API_KEY);
  // kube-proxy learns a moment later than Helm that the pods are ready.
  await eventually(() => v2.statistics());

  const pods = async (component?: Component): Promise<readonly Pod[]> => {
    const of = component === undefined ? '' : `,app.kubernetes.io/component=${component}`;
    const selector = encodeURIComponent(`app.kubernetes.io/instance=${RELEASE}${of}`);
    return (await api.get<{ items: Pod[] }>(`/api/v1/namespaces/${namespace}/pods?labelSelector=${selector}`)).items;
  };
  return {
    namespace,
    v2,
    reads,
    chargerAddress: `wss://${ofChargers}/ocpp/`,
    gatewayOf: connections.podOf,
    pods,
    async scaled(component, replicas) {
      await eventually(async () => {
        const own = await pods(component);
        return own.length === replicas && own.every(isReady);
      }, SETTLED_MS);
    },
    kubectl: (...kubectlArguments) => api.kubectl(['--namespace', namespace, ...kubectlArguments]),
    helm,
    upgrade: (more = {}) => upgradeTo(more, ...untilReady),
    beginUpgrade: (more) => upgradeTo(more),
    async uninstall() {
      v2.close();
      await connections.stop();
      await helm('uninstall', '--wait');
    },
  };
}

/** `helm` of the release in a namespace. Rejects with what it wrote when it fails. */
export function helmIn(kubeconfig: string, namespace: string): Release['helm'] {
  return async (command, ...helmArguments) => {
    const all = [command, RELEASE, ...helmArguments, '--kubeconfig', kubeconfig, '--namespace', namespace];
    const { stdout } = await promisify(execFile)(join(TOOLS, 'helm'), all, { timeout: HELM_MS });
    return stdout;
  };
}

async function secrets(directory: string, namespace: string): Promise<readonly unknown[]> {
  const pair = await makeCertificate(directory);
  const certificate = { 'tls.crt': readFileSync(pair.certFile, 'utf8'), 'tls.key': readFileSync(pair.keyFile, 'utf8') };
  return [
    secretOf(namespace, 'bootstrap', { 'client-id': CLIENT_ID, 'api-key': API_KEY }),
    { ...secretOf(namespace, 'certificate', certificate), type: 'kubernetes.io/tls' },
  ];
}

export function isReady({ metadata, status }: Pod): boolean {
  const ready = status.conditions?.find((condition) => condition.type === 'Ready');
  return metadata.deletionTimestamp === undefined && ready?.status === 'True';
}
