// The foreign OCPP stacks of `npm run test:interop`: what each needs on the machine, how it is installed into a cache of
// its own, and the command that is a charger on it. A stack is a folder in test-e2e/interop and a line here.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm, root, tell } from './prepare.mjs';

const SOURCES = join(root, 'test-e2e/interop');
const CACHE = join(root, 'node_modules/.cache/busbar-interop');
const STAMP = '.installed';
const PROBE_MS = 30_000;
const INSTALL_MS = 10 * 60_000;
const OUTPUT_CAP = 2_000;
const OLDEST_PYTHON = 310;
const OLDEST_JAVA = 17;
/** Of 1.x. */
const OLDEST_RUST = 87;
/** What the tests may ask of a stack, and not all can: test-e2e/src/interop/stacks.ts. */
const ABLE = { hasSecurity: true, readsTenths: true };

/**
 * One folder of sources may hold several stacks. `misses` says what the machine lacks; `locked` names what is installed;
 * `build` is for sources that are not run as they are.
 */
const FOLDERS = {
  npm: {
    misses: () => undefined,
    locked: 'package-lock.json',
    install: () => [npm(['ci', '--ignore-scripts'])],
    stacks: {
      'ocpp-rpc 2.2.1 (npm, strict mode)': { command: [process.execPath, 'ocpp-rpc.mjs'], ...ABLE },
      'ocpp-ts 0.3.0 (npm)': { command: [process.execPath, 'ocpp-ts.mjs'], hasSecurity: false, readsTenths: false },
    },
  },
  python: {
    misses: pythonMisses,
    locked: 'requirements.txt',
    install: () => [
      ['python3', '-m', 'venv', '.venv'],
      ['.venv/bin/pip', 'install', '--quiet', '--requirement', 'requirements.txt'],
    ],
    stacks: { 'ocpp 2.1.0 (PyPI)': { command: ['.venv/bin/python', 'charger.py'], ...ABLE } },
  },
  cargo: {
    misses: rustMisses,
    locked: 'Cargo.toml',
    // Fetches too. Takes minutes the first time.
    install: () => [],
    build: ['cargo', 'build', '--quiet'],
    stacks: { 'ocpp-client 0.6.0 (crates)': { command: ['target/debug/busbar-interop'], ...ABLE } },
  },
  java: {
    misses: javaMisses,
    locked: 'pom.xml',
    install: () => [['mvn', '--quiet', '--batch-mode', 'dependency:copy-dependencies', '-DoutputDirectory=lib']],
    build: ['javac', '-cp', 'lib/*', '-d', 'classes', 'Charger.java'],
    stacks: {
      'Java-OCA-OCPP 1.1.0 (Maven)': {
        command: ['java', '-XX:+UseSerialGC', '-cp', 'lib/*:classes', 'Charger'],
        ...ABLE,
      },
    },
  },
};

/**
 * Installs what is missing or out of date. Gives `[{name, folder, command, …, skipped?, failed?}]`: `skipped` says what the
 * machine lacks, `failed` how the installation ended, the rest what the stack can.
 */
export async function installStacks() {
  const stacks = [];
  for (const [name, folder] of Object.entries(FOLDERS)) {
    const directory = join(CACHE, name);
    const outcome = await installFolder(name, folder, directory);
    for (const [stack, how] of Object.entries(folder.stacks)) {
      stacks.push({ name: stack, folder: directory, ...how, ...outcome });
    }
  }
  return stacks;
}

async function installFolder(name, { misses, locked, install, build }, directory) {
  const source = join(SOURCES, name);
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
  if (!isInstalled) tell(`Installing the ${name} stacks of the interoperability tests …`);
  const commands = [...(isInstalled ? [] : install()), ...(build === undefined ? [] : [build])];
  for (const command of commands) {
    const failure = await run(command, directory);
    if (failure !== undefined) return { failed: `${command.join(' ')}: ${failure}` };
  }
  writeFileSync(stamp, wanted);
  return {};
}

/** Resolves with how it failed, or with undefined. */
function run([program, ...args], cwd) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: INSTALL_MS });
    let said = '';
    const keep = (chunk) => (said = (said + chunk.toString('utf8')).slice(-OUTPUT_CAP));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? undefined : `ended with ${signal ?? code}: ${said}`));
  });
}

function pythonMisses() {
  const version = output('python3', [
    '-c',
    'import sys, venv, ensurepip; print(sys.version_info[0] * 100 + sys.version_info[1])',
  ]);
  return Number(version) >= OLDEST_PYTHON ? undefined : 'Python 3.10 or newer with venv and ensurepip';
}

function javaMisses() {
  const version = /^jdk\.compiler@(\d+)/m.exec(output('java', ['--list-modules']))?.[1];
  if (!(Number(version) >= OLDEST_JAVA)) return `a JDK of version ${OLDEST_JAVA} or newer`;
  return output('mvn', ['-v']) === '' ? 'Maven, to fetch its packages with' : undefined;
}

function rustMisses() {
  const version = /^cargo 1\.(\d+)/.exec(output('cargo', ['--version']))?.[1];
  if (!(Number(version) >= OLDEST_RUST)) return `Rust 1.${OLDEST_RUST} or newer`;
  return output('cc', ['--version']) === '' ? 'a C compiler, which its cryptography is built with' : undefined;
}

/** What the program prints; empty when there is none, or it fails. */
function output(program, args) {
  const { status, stdout } = spawnSync(program, args, { timeout: PROBE_MS, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}
