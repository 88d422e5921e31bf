// Runs a program in network, mount and process namespaces of its own, with a control group of its own, and leaves nothing of it
// behind: processes, mounts, links, packet filters and most kernel settings end with the namespaces. A guard removes the
// rest, also when this process is killed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const CGROUPS = '/sys/fs/cgroup';
/** The addresses of the two nodes; the first is the control plane's too. They exist in the namespace only. */
export const HOST_ADDRESSES = ['10.211.0.1', '10.211.0.2'];
/**
 * The weight of the processors, sixteen times that of one process: in version 1 and in version 2 of control groups.
 * Half of it is for the group `host`, of what is in no container, beside two groups of nodes with the usual weight.
 */
const WEIGHTS = { 'cpu.shares': '16384', 'cpu.weight': '1600' };
const HOST_WEIGHTS = { 'cpu.shares': '2048', 'cpu.weight': '200' };
const PROBE_MS = 20_000;

/** At the end of its input: waits until the processes are gone, which they are with the first one, and removes the rest. */
const GUARD = `
cat >/dev/null
name=$1 directory=$2
left() { find /sys/fs/cgroup -mindepth 1 -maxdepth 2 -type d -name "$name"; }
for attempt in $(seq 300); do
  left | while read -r group; do find "$group" -depth -type d -exec rmdir {} + 2>/dev/null; done
  rm -rf "$directory" 2>/dev/null
  [ -d "$directory" ] || [ -n "$(left)" ] || exit 0
  sleep 0.1
done
exit 1
`;

/** Returns why namespaces and control groups cannot be made here; undefined when they can. */
export function kernelRefuses() {
  const { status, stderr } = spawnSync(
    'unshare',
    [
      '--net',
      '--mount',
      '--pid',
      '--fork',
      '--mount-proc',
      'sh',
      '-c',
      'mount -t tmpfs tmpfs /run && ip link add b0 type bridge',
    ],
    { encoding: 'utf8', timeout: PROBE_MS },
  );
  if (status !== 0) return `namespaces cannot be made: ${stderr.trim() || `unshare ended with ${status}`}`;
  const name = `busbar-probe-${process.pid}`;
  try {
    makeControlGroup(name);
    for (const root of controlGroupRoots()) rmdirSync(join(root, name));
    return undefined;
  } catch (error) {
    return `control groups cannot be made: ${error.message}`;
  }
}

/**
 * Resolves with the program's exit code, once everything is gone again. The program finds in its environment DIRECTORY (for its files),
 * CONTROL_GROUP (a name below each hierarchy's root) and HOST_ADDRESSES.
 */
export async function runInNamespaces(command, env = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-cluster-'));
  const name = basename(directory);
  const guard = spawn('/bin/sh', ['-c', GUARD, 'guard', name, directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const guardEnds = new Promise((resolve) => guard.once('exit', resolve));
  try {
    makeControlGroup(name);
    makeHostGroup(name);
    return await run(command, { ...process.env, ...env, DIRECTORY: directory, CONTROL_GROUP: name });
  } finally {
    guard.stdin.end();
    if ((await guardEnds) !== 0) process.stderr.write(`Left behind: ${directory} or the control group ${name}.\n`);
  }
}

/** The chain of --pdeathsig and --kill-child ends the first process, and the kernel all others with it, whichever process dies. */
function run(command, env) {
  const child = spawn(
    'setpriv',
    [
      ...['--pdeathsig', 'KILL', 'unshare', '--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'],
      ...['bash', join(HERE, 'enter.sh'), ...command],
    ],
    // A group of its own: Ctrl-C reaches this process alone, which ends all of them.
    {
      env: { ...env, HOST_ADDRESSES: HOST_ADDRESSES.join(' ') },
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    },
  );
  return new Promise((resolve, reject) => {
    let interrupted;
    const interrupt = (signal) => {
      interrupted = signal;
      child.kill('SIGKILL');
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);
    child.once('error', reject);
    child.once('exit', (code) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, interrupt);
      resolve(interrupted === undefined ? (code ?? 1) : interrupted === 'SIGINT' ? 130 : 143);
    });
  });
}

function makeControlGroup(name) {
  for (const root of controlGroupRoots()) {
    mkdirSync(join(root, name));
    // A child of cpuset has no processors and no memory until it is given some.
    for (const file of ['cpuset.cpus', 'cpuset.mems']) {
      const own = join(root, name, file);
      if (existsSync(own) && !isUnified()) writeFileSync(own, readFileSync(join(root, file)));
    }
    if (isUnified()) enableControllers(root, name);
    // As much as the processes in it had if each stood for itself, beside others of the machine that do.
    setWeights(join(root, name), WEIGHTS);
  }
}

/** Only where processors are shared out. The first process of the namespaces joins it. */
function makeHostGroup(name) {
  for (const root of controlGroupRoots()) {
    const files = Object.keys(HOST_WEIGHTS).filter((file) => existsSync(join(root, name, file)));
    if (files.length === 0) continue;
    mkdirSync(join(root, name, 'host'));
    setWeights(join(root, name, 'host'), HOST_WEIGHTS);
  }
}

function setWeights(group, weights) {
  for (const [file, weight] of Object.entries(weights)) {
    if (existsSync(join(group, file))) writeFileSync(join(group, file), weight);
  }
}

function enableControllers(root, name) {
  const controllers = readFileSync(join(root, 'cgroup.controllers'), 'utf8').trim().split(' ');
  const all = controllers.map((controller) => `+${controller}`).join(' ');
  for (const folder of [root, join(root, name)]) writeFileSync(join(folder, 'cgroup.subtree_control'), all);
}

/** Returns the one hierarchy of version 2, or that of each controller of version 1. */
function controlGroupRoots() {
  if (isUnified()) return [CGROUPS];
  return readdirSync(CGROUPS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'unified')
    .map((entry) => join(CGROUPS, entry.name));
}

function isUnified() {
  return existsSync(join(CGROUPS, 'cgroup.controllers'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await runInNamespaces(process.argv.slice(2));
