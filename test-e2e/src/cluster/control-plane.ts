// etcd, the API server, the controllers, the scheduler and kube-proxy, one of each, in the namespaces of the test.
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@busbar/testing';
import { createKubernetesApi, type KubernetesApi } from './kubernetes-api';
import { startPart, type Part } from './part';
import type { Surroundings } from './surroundings';

export interface ControlPlane {
  readonly api: KubernetesApi;
  /** For a client that may do anything, helm for example. */
  readonly kubeconfig: string;
  readonly parts: readonly Part[];
  /** Writes a file with which this user is known to the API server. */
  kubeconfigOf(user: User): string;
}

const SERVICE_ADDRESSES = '10.96.0.0/16';
const POD_ADDRESSES = '10.212.0.0/16';
const API_PORT = 16_443;
const ETCD = 'http://127.0.0.1:2379';
const START_MS = 90_000;

/** By name: group, beside that of all authenticated users. What each may do is defined by Kubernetes' own roles. */
const USERS = {
  admin: 'system:masters',
  'system:kube-scheduler': '',
  'system:kube-proxy': '',
  'system:node:node1': 'system:nodes',
  'system:node:node2': 'system:nodes',
} as const;
type User = keyof typeof USERS;

/** Resolves when the API server is ready. */
export async function startControlPlane({ kube, directory, addresses: [host] }: Surroundings): Promise<ControlPlane> {
  const home = join(directory, 'control-plane');
  mkdirSync(home);
  const file = (name: string): string => join(home, name);
  const kubeconfigOf = (user: User): string => writeKubeconfig(file(`${user}.kubeconfig`), host, user);
  const kubeconfig = kubeconfigOf('admin');
  writeFileSync(file('tokens.csv'), tokens());
  writeServiceAccountKeys(file);
  // Without a route nothing could be sent there that kube-proxy would turn to a pod.
  await promisify(execFile)('ip', ['route', 'add', SERVICE_ADDRESSES, 'dev', 'busbar0']);

  const parts: Part[] = [];
  const start = (name: string, command: readonly [string, ...string[]]): void => {
    parts.push(startPart({ name, command, logFile: file(`${name}.log`) }));
  };
  start('etcd', ['etcd', '--data-dir', file('etcd'), '--listen-client-urls', ETCD, '--advertise-client-urls', ETCD]);
  start('kube-apiserver', [kube, 'kube-apiserver', ...apiServerFlags(file, host)]);
  const api = createKubernetesApi({ host, port: API_PORT, token: tokenOf('admin'), kube, kubeconfig });
  await eventually(async () => {
    const ended = parts.find((part) => !part.isRunning());
    // Nothing comes of waiting for one that is gone: its own words say why.
    if (ended !== undefined) return ended;
    await api.get('/api/v1/namespaces/kube-system');
    return 'ready' as const;
  }, START_MS).then((outcome) => {
    if (outcome !== 'ready') throw new Error(`${outcome.name} ended: ${outcome.output()}`);
  });
  start('kube-controller-manager', [
    ...[kube, 'kube-controller-manager', '--kubeconfig', kubeconfig, '--leader-elect=false'],
    ...['--service-account-private-key-file', file('accounts.key'), '--use-service-account-credentials=false'],
    ...['--node-monitor-grace-period=20s', '--horizontal-pod-autoscaler-sync-period=5s'],
  ] as [string, ...string[]]);
  const scheduler = kubeconfigOf('system:kube-scheduler');
  start('kube-scheduler', [kube, 'kube-scheduler', '--kubeconfig', scheduler, '--leader-elect=false']);
  // One for both nodes, which share the network namespace.
  start('kube-proxy', [
    ...[kube, 'kube-proxy', '--kubeconfig', kubeconfigOf('system:kube-proxy'), '--hostname-override=node1'],
    ...['--proxy-mode=iptables', '--cluster-cidr', POD_ADDRESSES, '--conntrack-max-per-core=0', '--conntrack-min=0'],
  ] as [string, ...string[]]);
  return { api, kubeconfig, parts, kubeconfigOf };
}

function apiServerFlags(file: (name: string) => string, host: string): string[] {
  return [
    ...['--etcd-servers', ETCD, '--cert-dir', file('pki'), '--secure-port', String(API_PORT)],
    ...[
      '--advertise-address',
      host,
      '--endpoint-reconciler-type=none',
      '--service-cluster-ip-range',
      SERVICE_ADDRESSES,
    ],
    ...['--authorization-mode=Node,RBAC', '--token-auth-file', file('tokens.csv')],
    ...['--service-account-key-file', file('accounts.pub'), '--service-account-signing-key-file', file('accounts.key')],
    ...['--service-account-issuer=https://kubernetes.default.svc', '--enable-admission-plugins=NodeRestriction'],
    // Debian's etcd cannot serve lists by watching: clients that ask for one fall back only where it is switched off.
    '--feature-gates=WatchList=false',
    // Not a name that has to be looked up, nor loopback, where two nodes would have the same address.
    ...['--kubelet-preferred-address-types=InternalIP', '--allow-privileged=false'],
  ];
}

function tokens(): string {
  return Object.entries(USERS)
    .map(([user, group], n) => `${tokenOf(user)},${user},${String(n)}${group === '' ? '' : `,"${group}"`}\n`)
    .join('');
}

/** No secret: it is good for the length of a test, in namespaces that nobody else is in. */
function tokenOf(user: string): string {
  return `token-of-${user}`;
}

/** JSON is YAML. The certificate is the API server's own making. */
function writeKubeconfig(path: string, host: string, user: User): string {
  const server = `https://${host}:${String(API_PORT)}`;
  const content = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: user, user: { token: tokenOf(user) } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user } }],
    'current-context': 'test',
  };
  writeFileSync(path, JSON.stringify(content), { mode: 0o600 });
  return path;
}

function writeServiceAccountKeys(file: (name: string) => string): void {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  writeFileSync(file('accounts.pub'), publicKey);
  writeFileSync(file('accounts.key'), privateKey, { mode: 0o600 });
}
