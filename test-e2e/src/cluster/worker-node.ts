// A node of the cluster: a kubelet with a container runtime, a bridge and a control group of its own. Two of them share one network
// namespace, so each has ports of its own too.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@busbar/testing';
import { startPart, type Part } from './part';
import type { Surroundings } from './surroundings';

export interface WorkerNode {
  readonly name: string;
  readonly parts: readonly Part[];
  /** Its kubelet, its container runtime and all processes in its containers, at once, as when its power is cut. */
  cutPower(): Promise<void>;
  /** Starts what `cutPower` ended. */
  start(): Promise<void>;
}

export type NodeNumber = 1 | 2;

const CONTROL_GROUPS = '/sys/fs/cgroup';
const START_MS = 60_000;
const IMPORT_MS = 300_000;

export async function createWorkerNode(
  around: Surroundings,
  number: NodeNumber,
  kubeconfig: string,
): Promise<WorkerNode> {
  const name = `node${String(number)}`;
  const home = join(around.directory, name);
  const controlGroup = `/${around.controlGroup}/${name}`;
  mkdirSync(join(home, 'cni'), { recursive: true });
  makeControlGroup(controlGroup);
  const socket = join(home, 'containerd.sock');
  writeFileSync(join(home, 'containerd.toml'), containerdConfig(home, socket));
  writeFileSync(join(home, 'cni/10-bridge.conflist'), JSON.stringify(bridge(home, number)));
  const config = kubeletConfig({ home, socket, controlGroup, number, address: around.addresses[number - 1] ?? '' });
  writeFileSync(join(home, 'kubelet.json'), JSON.stringify(config));
  let parts: Part[] = [];

  const start = async (): Promise<void> => {
    const command: [string, ...string[]] = ['containerd', '--config', join(home, 'containerd.toml')];
    parts = [startPart({ name: `containerd of ${name}`, command, logFile: join(home, 'containerd.log') })];
    await eventually(() => promisify(execFile)('ctr', ['--address', socket, 'version']), START_MS);
  };
  const startKubelet = (): void => {
    parts.push(
      startPart({
        name: `kubelet of ${name}`,
        command: [
          ...[around.kube, 'kubelet', '--config', join(home, 'kubelet.json'), '--kubeconfig', kubeconfig],
          ...['--hostname-override', name, '--root-dir', join(home, 'kubelet'), '--cert-dir', join(home, 'pki')],
          ...[
            '--node-ip',
            around.addresses[number - 1] ?? '',
            '--node-labels',
            `topology.kubernetes.io/zone=zone${String(number)}`,
          ],
        ] as [string, ...string[]],
        logFile: join(home, 'kubelet.log'),
      }),
    );
  };
  await start();
  for (const image of around.images) {
    const command = ['--address', socket, '--namespace', 'k8s.io', 'images', 'import', image];
    await promisify(execFile)('ctr', command, { timeout: IMPORT_MS });
  }
  startKubelet();

  return {
    name,
    get parts() {
      return parts;
    },
    async cutPower() {
      await Promise.all(parts.map((part) => part.end('SIGKILL')));
      for (const pid of processesIn(controlGroup)) process.kill(pid, 'SIGKILL');
      await eventually(() => processesIn(controlGroup).length === 0, START_MS);
    },
    async start() {
      await start();
      startKubelet();
    },
  };
}

/** Version 1 of control groups has a hierarchy for each controller. */
function hierarchies(): string[] {
  if (existsSync(join(CONTROL_GROUPS, 'cgroup.controllers'))) return [CONTROL_GROUPS];
  return readdirSync(CONTROL_GROUPS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'unified')
    .map((entry) => join(CONTROL_GROUPS, entry.name));
}

function makeControlGroup(path: string): void {
  for (const root of hierarchies()) {
    mkdirSync(join(root, path), { recursive: true });
    const controllers = join(root, 'cgroup.controllers');
    if (existsSync(controllers)) {
      const all = readFileSync(controllers, 'utf8').trim().split(' ');
      writeFileSync(join(root, path, 'cgroup.subtree_control'), all.map((controller) => `+${controller}`).join(' '));
      continue;
    }
    // A child of cpuset has no processors and no memory until it is given some.
    for (const file of ['cpuset.cpus', 'cpuset.mems']) {
      const own = join(root, path, file);
      if (existsSync(own)) writeFileSync(own, readFileSync(join(root, file)));
    }
  }
}

/** By the hierarchy that has every container. */
function processesIn(path: string): number[] {
  const root = hierarchies().find((each) => each.endsWith('/pids')) ?? CONTROL_GROUPS;
  const folders = readdirSync(join(root, path), { withFileTypes: true, recursive: true }).filter((each) =>
    each.isDirectory(),
  );
  return folders.flatMap((folder) =>
    readFileSync(join(folder.parentPath, folder.name, 'cgroup.procs'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map(Number),
  );
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
  const ranges = [[{ subnet: `10.212.${String(number)}.0/24` }]];
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
}

function kubeletConfig({ home, socket, controlGroup, number, address }: KubeletSettings): unknown {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address,
    port: 10_250,
    healthzPort: 10_247 + number,
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
    volumePluginDir: join(home, 'volume-plugins'),
    // The machine's disk is not the node's.
    evictionHard: { 'memory.available': '0%', 'nodefs.available': '0%', 'imagefs.available': '0%' },
    imageGCHighThresholdPercent: 100,
  };
}
