// Locks a data directory for one process. Each process writes a claim, a file named after its id, its start time and
// the boot of the machine, and then looks for others. At least one of two simultaneous ones sees the other. A dead
// process's claim can be removed safely, since no other process will have its name. In a container the same process id
// returns with another start time.
import { open, readdir, rm } from 'node:fs/promises';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { AppError, messageOf } from '@busbar/core';

const CLAIM = /^busbar\.lock\.(\d+)\.(\d+)\.([0-9a-z]+)$/;
const ATTEMPTS = 5;
const MAX_WAIT_MS = 60;

export interface DirectoryLock {
  release(): void;
}

/**
 * Rejects with AppError `invalid_configuration`, naming directory and process id, while another process (or another
 * store of this one) has the directory. Claims of killed processes are removed.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const own = nameOf(process.pid);
  for (let attempt = 1; ; attempt += 1) {
    const holder = await claim(directory, own);
    if (holder === undefined) return { release: () => rmSync(join(directory, own), { force: true }) };
    if (attempt === ATTEMPTS) throw refusal(directory, holder);
    // Two processes that started together have both withdrawn: a random wait breaks the symmetry.
    await wait(Math.ceil(Math.random() * MAX_WAIT_MS));
  }
}

/** Rejects as `lockDirectory` does while a process has the directory, and changes nothing. A missing directory is free. */
export async function assertDirectoryFree(directory: string): Promise<void> {
  const claims = await claimsOn(directory).catch(() => []);
  const holder = claims.find(isAlive);
  if (holder !== undefined) throw refusal(directory, holder);
}

interface Claim {
  readonly file: string;
  readonly pid: number;
}

/** The claim of the holder, or undefined when this process has the directory now. */
async function claim(directory: string, own: string): Promise<Claim | undefined> {
  if (!(await createFile(join(directory, own)))) return { file: own, pid: process.pid };
  for (const other of await claimsOn(directory)) {
    if (other.file === own) continue;
    if (isAlive(other)) {
      await rm(join(directory, own), { force: true });
      return other;
    }
    await rm(join(directory, other.file), { force: true });
  }
  return undefined;
}

async function createFile(file: string): Promise<boolean> {
  try {
    await (await open(file, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new AppError(
      'invalid_configuration',
      `The data directory ${dirname(file)} cannot be written (${messageOf(error)}): correct its rights, or set STORE_URL to another directory.`,
      { cause: error },
    );
  }
}

async function claimsOn(directory: string): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const file of await readdir(directory)) {
    const pid = CLAIM.exec(file)?.[1];
    if (pid !== undefined) claims.push({ file, pid: Number(pid) });
  }
  return claims;
}

function isAlive({ file, pid }: Claim): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is alive and another user's.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return nameOf(pid) === file;
}

/** Without /proc the process id alone identifies it. */
function nameOf(pid: number): string {
  return `busbar.lock.${String(pid)}.${startTicks(pid)}.${bootId()}`;
}

/** Field 22 of /proc/PID/stat, counted after the command's name, which may contain anything but ends with `)`. */
function startTicks(pid: number): string {
  const stat = contents(`/proc/${String(pid)}/stat`);
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie is dead; its parent has not reaped it yet.
  return state === 'Z' ? 'gone' : (fields[18] ?? '0');
}

function bootId(): string {
  return contents('/proc/sys/kernel/random/boot_id').slice(0, 8) || '0';
}

function contents(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function refusal(directory: string, { file, pid }: Claim): AppError {
  const since = createdAt(join(directory, file));
  return new AppError(
    'invalid_configuration',
    `The data directory ${directory} is in use by process ${String(pid)}${since === undefined ? '' : ` since ${since}`}: ` +
      'use that one, stop it (Ctrl-C in its terminal), or set STORE_URL to another directory, such as file:./data-2.',
    { details: { directory, pid } },
  );
}

/** Nothing writes to a claim after it is created. */
function createdAt(file: string): string | undefined {
  try {
    return statSync(file).mtime.toISOString();
  } catch {
    return undefined;
  }
}
