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
import { NAMESPACE, type Servers } from './servers';

export type Component = 'gateway' | 'charger-state' | 'v2-api' | 'legacy-api';

export interface Release {
  /** Of the v2 API, through its Service. */
  readonly v2: Api;
  /** Where chargers connect through the gateways' Service: ends in a slash. */
  readonly chargerAddress: string;
  /** Of the release, by name. */
  pods(component?: Component): Promise<readonly Pod[]>;
  /** `helm` with these arguments, of this release. Rejects with what it wrote when it fails. */
  helm(command: string, ...helmArguments: readonly string[]): Promise<string>;
  /** `helm upgrade` to these values on top of those of the installation; resolves when all pods are ready. */
  upgrade(values?: Values): Promise<void>;
  stop(): Promise<void>;
}

export interface Pod extends KubernetesObject {
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly podIP?: string;
    readonly phase: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly {
      readonly restartCount: number;
      readonly state: Readonly<Record<string, { readonly reason?: string } | undefined>>;
      readonly lastState: Readonly<Record<string, { readonly reason?: string } | undefined>>;
    }[];
  };
}

export const RELEASE = 'busbar';
export const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
/** Seconds over which a gateway that stops closes its sockets, and for which it serves on before. */
export const DRAIN_S = 15;
const DELAY_S = 6;
const API_KEY = 'cluster-key-0123456789abcdef';
const READY_WITHIN = '180s';
const HELM_MS = 300_000;
const PORT = 8443;

/** Much less than production's, since both nodes are one small machine. Memory stays as it is. */
const CPU = { resources: { requests: { cpu: '10m' } } };
const UNLIMITED = { RATE_LIMIT_PER_KEY: 100_000, RATE_LIMIT_PER_ADDRESS: 100_000 };

const VALUES = {
  image: { repository: 'busbar.test/busbar', tag: '1', pullPolicy: 'Never' },
  broker: { existingSecret: { name: 'servers', key: 'broker' } },
  store: { existingSecret: { name: 'servers', key: 'store' } },
  bootstrap: { existingSecret: 'bootstrap' },
  tls: { certificate: { existingSecret: 'certificate' } },
  shutdown: { delaySeconds: DELAY_S },
  upgradeStrategy: 'rolling',
  gateway: { ...CPU, settings: { DRAIN_S, OCPP_PING_INTERVAL_S: 5 } },
  chargerState: { ...CPU, settings: { OCPP_MAX_STARTS_PER_DAY: 0, OCPP_MAX_CLIENT_STARTS_PER_DAY: 0 } },
  v2Api: { ...CPU, settings: UNLIMITED },
  legacyApi: { ...CPU, settings: UNLIMITED },
};

/** Resolves when Helm says that all pods are ready. */
export async function installRelease({ api, kubeconfig }: Cluster, servers: Servers): Promise<Release> {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-release-'));
  const values = join(directory, 'values.yaml');
  writeFileSync(values, stringify(VALUES));
  await api.kubectl(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'List', items: await secrets(directory, servers) });

  async function helm(command: string, ...helmArguments: readonly string[]): Promise<string> {
    const all = [command, RELEASE, ...helmArguments, '--kubeconfig', kubeconfig, '--namespace', NAMESPACE];
    const { stdout } = await promisify(execFile)(join(TOOLS, 'helm'), all, { timeout: HELM_MS });
    return stdout;
  }
  await helm('install', CHART, '--values', values, '--wait', '--timeout', READY_WITHIN);

  const addressOf = async (component: Component): Promise<string> => {
    const path = `/api/v1/namespaces/${NAMESPACE}/services/${RELEASE}-${component}`;
    return `${(await api.get<{ spec: { clusterIP: string } }>(path)).spec.clusterIP}:${String(PORT)}`;
  };
  const [gateways, apis] = [await addressOf('gateway'), await addressOf('v2-api')];
  const v2 = createApi(() => Promise.resolve(`https://${apis}/v2`), API_KEY);
  // kube-proxy learns a moment later than Helm that the pods are ready.
  await eventually(() => v2.statistics());

  return {
    v2,
    chargerAddress: `wss://${gateways}/ocpp/`,
    async pods(component) {
      const of = component === undefined ? '' : `,app.kubernetes.io/component=${component}`;
      const selector = encodeURIComponent(`app.kubernetes.io/instance=${RELEASE}${of}`);
      return (await api.get<{ items: Pod[] }>(`${PODS}?labelSelector=${selector}`)).items;
    },
    helm,
    async upgrade(more) {
      const file = join(directory, 'more.yaml');
      writeFileSync(file, stringify(more ?? {}));
      await helm('upgrade', CHART, '--values', values, '--values', file, '--wait', '--timeout', READY_WITHIN);
    },
    async stop() {
      v2.close();
      await helm('uninstall', '--wait');
    },
  };
}

async function secrets(directory: string, servers: Servers): Promise<readonly unknown[]> {
  const pair = await makeCertificate(directory);
  const secret = (name: string, stringData: Readonly<Record<string, string>>, type = 'Opaque'): unknown => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: NAMESPACE },
    type,
    stringData,
  });
  const certificate = { 'tls.crt': readFileSync(pair.certFile, 'utf8'), 'tls.key': readFileSync(pair.keyFile, 'utf8') };
  return [
    secret('servers', { broker: servers.brokerUrl, store: servers.storeUrl }),
    secret('bootstrap', { 'client-id': 'cluster-client', 'api-key': API_KEY }),
    secret('certificate', certificate, 'kubernetes.io/tls'),
  ];
}

export function isReady({ metadata, status }: Pod): boolean {
  const ready = status.conditions?.find((condition) => condition.type === 'Ready');
  return metadata.deletionTimestamp === undefined && ready?.status === 'True';
}
