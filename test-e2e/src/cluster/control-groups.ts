// Control groups of nodes and containers, in version 1 and in version 2: making them, and what is in them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CONTROL_GROUPS = '/sys/fs/cgroup';
const MEMORY = {
  v1: { limit: 'memory.limit_in_bytes', usage: 'memory.usage_in_bytes' },
  v2: { limit: 'memory.max', usage: 'memory.current' },
} as const;

export function makeControlGroup(path: string): void {
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

/** The ids of the processes in this group and those below it; only of groups whose path contains `part`, where it is given. */
export function processesIn(path: string, part = ''): number[] {
  // By the hierarchy that has every container.
  const root = hierarchies().find((each) => each.endsWith('/pids')) ?? CONTROL_GROUPS;
  return readdirSync(join(root, path), { withFileTypes: true, recursive: true })
    .filter((each) => each.isDirectory())
    .map((folder) => join(folder.parentPath, folder.name))
    .filter((folder) => folder.includes(part))
    .flatMap(processesOf);
}

function processesOf(folder: string): number[] {
  try {
    return readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    // Its container has ended meanwhile.
    return [];
  }
}

/** In bytes, of the container that the process is in. */
export function memoryLimitOf(pid: number): number {
  const { folder, files } = memoryOf(pid);
  return Number(readFileSync(join(folder, files.limit), 'utf8'));
}

/**
 * Lowers the limit to what is in use, so that the kernel ends the process when it next needs memory. Repeated until that
 * happens: memory that can be reclaimed counts as used at first.
 */
export function exhaustMemory(pid: number): void {
  const { folder, files } = memoryOf(pid);
  const usage = readFileSync(join(folder, files.usage), 'utf8').trim();
  writeFileSync(join(folder, files.limit), usage);
}

function memoryOf(pid: number): { folder: string; files: (typeof MEMORY)[keyof typeof MEMORY] } {
  const groups = readFileSync(`/proc/${String(pid)}/cgroup`, 'utf8').split('\n');
  const own = (controller: string): string | undefined =>
    groups.find((line) => line.split(':')[1]?.split(',').includes(controller))?.replace(/^\d+:[^:]*:/, '');
  const inVersion1 = own('memory');
  return inVersion1 === undefined
    ? { folder: join(CONTROL_GROUPS, own('') ?? ''), files: MEMORY.v2 }
    : { folder: join(CONTROL_GROUPS, 'memory', inVersion1), files: MEMORY.v1 };
}

/** Version 1 of control groups has a hierarchy for each controller. */
function hierarchies(): string[] {
  if (existsSync(join(CONTROL_GROUPS, 'cgroup.controllers'))) return [CONTROL_GROUPS];
  return readdirSync(CONTROL_GROUPS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'unified')
    .map((entry) => join(CONTROL_GROUPS, entry.name));
}
