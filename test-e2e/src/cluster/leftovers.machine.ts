// A test in the cluster that is interrupted leaves the machine as it was. Run by `npm run test:cluster`, outside the namespaces.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@busbar/testing';

const ROOT = join(__dirname, '../../..');
const START_MS = 300_000;
const END_MS = 120_000;
const SETTINGS = ['vm/overcommit_memory', 'kernel/panic', 'kernel/panic_on_oops', 'net/ipv4/ip_forward'];
/** Where containers' tools write unless they are configured otherwise. */
const PLACES = ['/run/netns', '/run/containerd', '/var/lib/cni', '/var/lib/kubelet', '/var/log/pods', '/etc/cni'];

it.each([
  ['Ctrl-C once the release is installed', 'SIGINT', 'the release is installed'],
  ['a SIGKILL once the nodes are ready', 'SIGKILL', 'both nodes are ready'],
] as const)(
  'leaves nothing of a cluster after %s',
  async (_name, signal, line) => {
    const before = stateOfMachine();
    const known = new Set(directories());
    const run = startClusterTest();
    const isThere = (): boolean => run.output().includes(line);
    await eventually(() => isThere() || run.child.exitCode !== null, START_MS).catch(() => undefined);
    if (!isThere()) process.kill(-(run.child.pid ?? 0), 'SIGKILL');
    expect(run.output()).toContain(line);
    const [directory = ''] = directories().filter((name) => !known.has(name));
    expect(processesOf(directory).length).toBeGreaterThan(5);
    const ended = once(run.child, 'exit');
    process.kill(-(run.child.pid ?? 0), signal);
    await ended;
    await eventually(() => {
      expect({ processes: processesOf(directory), ...stateOfMachine() }).toEqual({ processes: [], ...before });
      expect(directories().filter((name) => !known.has(name))).toEqual([]);
      return true;
    }, END_MS);
  },
  START_MS + END_MS,
);

function startClusterTest(): { child: ChildProcess; output(): string } {
  const jest = [process.execPath, join(ROOT, 'node_modules/jest/bin/jest.js'), '--testMatch', '**/release.cluster.ts'];
  // A group of its own, as a shell gives each command: Ctrl-C reaches all of the group.
  const child = spawn(process.execPath, [join(ROOT, 'tools/kubernetes/cluster/namespaces.mjs'), ...jest], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString('utf8')).slice(-100_000)));
  }
  return { child, output: () => output };
}

function stateOfMachine(): Readonly<Record<string, unknown>> {
  return {
    mounts: readFileSync('/proc/self/mounts', 'utf8'),
    links: execFileSync('ip', ['-oneline', '-brief', 'link'], { encoding: 'utf8' }),
    chains: execFileSync('iptables', ['--list-rules'], { encoding: 'utf8' }),
    nat: execFileSync('iptables', ['--table', 'nat', '--list-rules'], { encoding: 'utf8' }),
    settings: SETTINGS.map((name) => readFileSync(join('/proc/sys', name), 'utf8')),
    places: PLACES.filter((place) => existsSync(place)),
    controlGroups: controlGroups('/sys/fs/cgroup').filter((path) => path.includes('busbar')),
  };
}

/** Returns the directory of each run, named as its control groups are. */
function directories(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('busbar-cluster-'));
}

/** By the control group of containers, and by the environment of everything else. */
function processesOf(directory: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const about = ['cgroup', 'environ'].map((file) => readFileSync(join('/proc', pid, file), 'utf8')).join('\n');
      return about.includes(directory);
    } catch {
      // Gone meanwhile.
      return false;
    }
  });
}

function controlGroups(root: string): string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}
