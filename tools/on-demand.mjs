// Installs dependencies of some tests that `npm ci` does not install, into a separate cache, at the versions that
// a file in the repository fixes.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { print } from './prepare.mjs';

const STAMP = '.installed';
const PROBE_MS = 30_000;
const INSTALL_MS = 10 * 60_000;
const OUTPUT_CAP = 2_000;
const OLDEST_PYTHON = 310;

/** Commands that put what requirements.txt names into `.venv`. */
export const PYTHON_INSTALL = [
  ['python3', '-m', 'venv', '.venv'],
  ['.venv/bin/pip', 'install', '--quiet', '--requirement', 'requirements.txt'],
];

/**
 * Copies `source` to `directory` and installs there what is missing or out of date. `misses()` says what the machine lacks;
 * `locked` names the file that fixes the versions; `build` is run each time. Resolves with `{skipped?, failed?}`: what the
 * machine lacks, or how it failed.
 */
export async function installOnDemand({ title, source, directory, misses, locked, install, build }) {
  const wanted = createHash('sha256')
    .update(readFileSync(join(source, locked)))
    .digest('hex');
  const stamp = join(directory, STAMP);
  const missing = misses();
  if (missing !== undefined) return { skipped: missing };
  const isInstalled = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (!isInstalled) rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  // The sources are small and change more often than what is installed beside them.
  cpSync(source, directory, { recursive: true });
  if (!isInstalled) print(`Installing ${title} …`);
  const commands = [...(isInstalled ? [] : install), ...(build === undefined ? [] : [build])];
  for (const command of commands) {
    const failure = await run(command, directory);
    if (failure !== undefined) return { failed: `${command.join(' ')}: ${failure}` };
  }
  writeFileSync(stamp, wanted);
  return {};
}

export function pythonMisses() {
  const version = output('python3', [
    '-c',
    'import sys, venv, ensurepip; print(sys.version_info[0] * 100 + sys.version_info[1])',
  ]);
  return Number(version) >= OLDEST_PYTHON ? undefined : 'Python 3.10 or newer with venv and ensurepip';
}

/** Returns the output of the program; empty when there is none, or it fails. */
export function output(program, args) {
  const { status, stdout } = spawnSync(program, args, { timeout: PROBE_MS, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}

/** Resolves with how it failed, or with undefined. */
export function run([program, ...args], cwd, { env = process.env, withinMs = INSTALL_MS } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: withinMs });
    let output = '';
    const keep = (chunk) => (output = (output + chunk.toString('utf8')).slice(-OUTPUT_CAP));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? undefined : `ended with ${signal ?? code}: ${output}`));
  });
}
