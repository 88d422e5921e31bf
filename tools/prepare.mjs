// Brings a clone to where it can be run: dependencies as the lock file says, generated files, dist/. One at a time, since
// several services may be started at once.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const LOCK_FILE = join(root, 'package-lock.json');
const MODULES = join(root, 'node_modules');
const STAMP = join(MODULES, '.busbar-lock');
const BUILD_LOCK = join(tmpdir(), `busbar-build-${hash(root).slice(0, 16)}.lock`);
const LOCK_WITHIN_MS = 10 * 60_000;

/** A failure with a sentence for the person at the terminal, and no stack. */
export class Refusal extends Error {}

/** Installs and builds what is missing or out of date, and prints what takes time. Throws `Refusal`. */
export async function prepare({ buildToo }) {
  await lock();
  try {
    if (!isInstalled()) {
      print('Installing dependencies (npm ci) …');
      await must(npm(['ci', '--include=dev']), 'npm ci failed: see what it says above.');
      stamp();
    }
    if (buildToo) await must([process.execPath, join(root, 'tools/build.mjs')], 'The build failed: see above.');
  } finally {
    rmSync(BUILD_LOCK, { force: true });
  }
}

/** Runs a program in the clone to its end, on this terminal or into an open file. Resolves with its exit code; a signal ends it too. */
export function runProgram([program, ...args], output = 'inherit') {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: ['inherit', output, output] });
    const passOn = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, passOn);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      for (const each of ['SIGINT', 'SIGTERM']) process.off(each, passOn);
      resolve(signal === null ? (code ?? 1) : signal === 'SIGINT' ? 130 : 143);
    });
  });
}

export function print(line) {
  process.stderr.write(`${line}\n`);
}

async function must(command, sentence) {
  const code = await runProgram(command);
  if (code >= 128) process.exit(code);
  if (code !== 0) throw new Refusal(sentence);
}

/** The command of the npm that runs this script, else of the one in the path. */
export function npm(args) {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js') ? [process.execPath, script, ...args] : ['npm', ...args];
}

// By content: the times of files say when they were copied, not what is in them.
function isInstalled() {
  if (!existsSync(MODULES)) return false;
  if (existsSync(STAMP)) return readFileSync(STAMP, 'utf8') === hash(readFileSync(LOCK_FILE));
  if (!isInstalledByHand()) return false;
  stamp();
  return true;
}

function stamp() {
  writeFileSync(STAMP, hash(readFileSync(LOCK_FILE)));
}

/** Returns whether somebody ran npm here, and npm's own record equals the lock file. */
function isInstalledByHand() {
  const noted = packagesOf(join(MODULES, '.package-lock.json'));
  const wanted = packagesOf(LOCK_FILE);
  if (noted === undefined || wanted === undefined) return false;
  return Object.entries(wanted).every(([path, { version, optional, devOptional, link }]) => {
    const outside = path === '' || !path.includes('node_modules/') || link === true;
    const absent = noted[path] === undefined && (optional === true || devOptional === true);
    return outside || absent || noted[path]?.version === version;
  });
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

async function lock() {
  const end = Date.now() + LOCK_WITHIN_MS;
  for (let isReported = false; ;) {
    if (tryLock()) {
      // Two that find the same dead holder may both have removed its lock: only one of their names stays in the file.
      await wait(isReported ? 50 : 0);
      if (holder() === process.pid) return;
    }
    if (Date.now() > end)
      throw new Refusal(`Another build holds ${BUILD_LOCK} for too long: end it or remove the file.`);
    if (!isReported) print('Waiting for another install or build to finish …');
    isReported = true;
    await wait(100);
  }
}

function tryLock() {
  const pid = holder();
  if (pid !== undefined && !isAlive(pid)) rmSync(BUILD_LOCK, { force: true });
  try {
    writeFileSync(BUILD_LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function holder() {
  try {
    const pid = Number(readFileSync(BUILD_LOCK, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function hash(content) {
  return createHash('sha256').update(content).digest('hex');
}
