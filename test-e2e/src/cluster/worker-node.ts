// A node of the cluster: a kubelet with a container runtime, a bridge and a control group of its own. Two of them share one network
// namespace, so each has ports of its own too.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@busbar/testing';
import { http } from '../harness/http';
import { makeControlGroup, processesIn } from './control-groups';
import { CLUSTER_DOMAIN } from './name-server';
import { startPart, type Part } from './part';
import type { Surroundings } from './surroundings';

export interface WorkerNode {
  readonly name: string;
  readonly parts: readonly Part[];
  /** A folder of it, for volumes that stay with the node. */
  readonly volumes: string;
  /** Its kubelet, its container runtime and all processes in its containers, at once and in silence, as when its power is cut. */
  cutPower(): Promise<void>;
  /** Starts what `cutPower` ended. */
  start(): Promise<void>;
  /** The ids of the processes in the containers of a pod. */
  processesOf(podUid: string): readonly number[];
}

export type NodeNumber = 1 | 2;

const START_MS = 60_000;
const IMPORT_MS = 300_000;
/** Of one kubelet, so that one that cannot run fails the test, with its log. */
const STARTS_MAX = 20;

export async function createWorkerNode(
  around: Surroundings,
  number: NodeNumber,
  kubeconfig: string,
): Promise<WorkerNode> {
  const name = `node${String(number)}`;
  const home = join(around.directory, name);
  const controlGroup = `/${around.controlGroup}/${name}`;
  const volumes = join(home, 'volumes');
  for (const folder of [join(home, 'cni'), volumes]) mkdirSync(folder, { recursive: true });
  makeControlGroup(controlGroup);
  const socket = join(home, 'containerd.sock');
  writeFileSync(join(home, 'containerd.toml'), containerdConfig(home, socket));
  writeFileSync(join(home, 'cni/10-bridge.conflist'), JSON.stringify(bridge(home, number)));
  const [nameServer] = around.addresses;
  const address = around.addresses[number - 1] ?? '';
  const config = kubeletConfig({ home, socket, controlGroup, number, address, nameServer });
  writeFileSync(join(home, 'kubelet.json'), JSON.stringify(config));
  let parts: readonly Part[] = [];
  let isPowered = false;

  const startRuntime = async (): Promise<Part> => {
    const command: [string, ...string[]] = ['containerd', '--config', join(home, 'containerd.toml')];
    const runtime = startPart({ name: `containerd of ${name}`, command, logFile: join(home, 'containerd.log') });
    await eventually(() => promisify(execFile)('ctr', ['--address', socket, 'version']), START_MS);
    return runtime;
  };
  const startKubelet = (): Part =>
    startPart({
      name: `kubelet of ${name}`,
      command: [
        ...[around.kube, 'kubelet', '--config', join(home, 'kubelet.json'), '--kubeconfig', kubeconfig],
        ...['--hostname-override', name, '--root-dir', join(home, 'kubelet'), '--cert-dir', join(home, 'pki')],
        ...['--node-ip', address, '--node-labels', `topology.kubernetes.io/zone=zone${String(number)}`],
      ] as [string, ...string[]],
      logFile: join(home, 'kubelet.log'),
    });
  /**
   * Starts the kubelet, and again where it ends by itself, as a supervisor does: it ends where its runtime answers and is not
   * ready yet, and where the other node's kubelet makes the socket of device plugins at the same moment (its path is fixed).
   */
  const superviseKubelet = (runtime: Part, startsLeft: number): void => {
    const kubelet = startKubelet();
    parts = [runtime, kubelet];
    void kubelet.gone.then(() => {
      if (isPowered && startsLeft > 1) superviseKubelet(runtime, startsLeft - 1);
    });
  };
  const keepKubelet = async (runtime: Part): Promise<void> => {
    isPowered = true;
    superviseKubelet(runtime, STARTS_MAX);
    await eventually(
      async () => (await http(`http://127.0.0.1:${String(healthPortOf(number))}/healthz`)).status === 200,
      START_MS,
    );
  };
  const images = async (...command: readonly string[]): Promise<void> => {
    const all = ['--address', socket, '--namespace', 'k8s.io', 'images', ...command];
    await promisify(execFile)('ctr', all, { timeout: IMPORT_MS });
  };
  const runtime = await startRuntime();
  for (const image of around.images) await images('import', image);
  await keepKubelet(runtime);

  return {
    name,
    volumes,
    get parts() {
      return parts;
    },
    processesOf: (podUid) => processesIn(controlGroup, `pod${podUid}`),
    async cutPower() {
      isPowered = false;
      await silence('--insert', number);
      await Promise.all(parts.map((part) => part.end('SIGKILL')));
      for (const pid of processesIn(controlGroup)) process.kill(pid, 'SIGKILL');
      await eventually(() => processesIn(controlGroup).length === 0, START_MS);
    },
    async start() {
      await silence('--delete', number);
      await keepKubelet(await startRuntime());
    },
  };
}

/** Drops what a process sends when the kernel ends it: the peers of a machine without power receive nothing. */
async function silence(how: '--insert' | '--delete', number: NodeNumber): Promise<void> {
  for (const [chain, direction] of [
    ['PREROUTING', '--source'],
    ['POSTROUTING', '--destination'],
  ] as const) {
    const rule = ['--wait', '--table', 'mangle', how, chain, direction, podAddresses(number), '--jump', 'DROP'];
    await promisify(execFile)('iptables', rule);
  }
}

/** Away from those that parts of Kubernetes have by default. */
function healthPortOf(number: NodeNumber): number {
  return 10_300 + number;
}

function podAddresses(number: NodeNumber): string {
  return `10.212.${String(number)}.0/24`;
}

function containerdConfig(home: string, socket: string): string {
  return `version = 2
root = "${home}/containerd"
state = "${home}/containerd-state"
[grpc]
  address = "${socket}"
[plugins."io.containerd.internal.v1.opt"]
  path = "${home}/opt"
[plugins."io.containerd.grpc.v1.cri"]
  # The machine may not let even root lower these.
  restrict_oom_score_adj = true
  disable_apparmor = true
  netns_mounts_under_state_dir = true
  sandbox_image = "busbar.test/pause:1"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${home}/cni"
`;
}

function bridge(home: string, number: NodeNumber): unknown {
  const ranges = [[{ subnet: podAddresses(number) }]];
  const ipam = { type: 'host-local', dataDir: join(home, 'ipam'), ranges, routes: [{ dst: '0.0.0.0/0' }] };
  return {
    cniVersion: '0.4.0',
    name: 'pods',
    plugins: [{ type: 'bridge', bridge: `pods${String(number)}`, isGateway: true, hairpinMode: true, ipam }],
  };
}

interface KubeletSettings {
  readonly home: string;
  readonly socket: string;
  readonly controlGroup: string;
  readonly number: NodeNumber;
  readonly address: string;
  readonly nameServer: string;
}

function kubeletConfig({ home, socket, controlGroup, number, address, nameServer }: KubeletSettings): unknown {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address,
    port: 10_250,
    healthzPort: healthPortOf(number),
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    cgroupDriver: 'cgroupfs',
    cgroupRoot: controlGroup,
    failCgroupV1: false,
    failSwapOn: false,
    enforceNodeAllocatable: [],
    localStorageCapacityIsolation: false,
    containerRuntimeEndpoint: `unix://${socket}`,
    podLogsDir: join(home, 'pod-logs'),
    resolvConf: '',
    clusterDNS: [nameServer],
    clusterDomain: CLUSTER_DOMAIN,
    volumePluginDir: join(home, 'volume-plugins'),
    // The machine's disk is not the node's.
    evictionHard: { 'memory.available': '0%', 'nodefs.available': '0%', 'imagefs.available': '0%' },
    imageGCHighThresholdPercent: 100,
  };
}
