// A document server of its own for one test file: `mongod`, or the stand-in, as a program with a data directory that
// goes with it.
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { createId } from '@busbar/core';

import { eventually } from '../eventually';
import { freePort } from './free-port';
import { createGuard, type Guard } from './guard';
import { pauseProcess } from './pause-process';
import type { PrivateServer } from './private-server';

const PROBE_MS = 10_000;
const FETCH_MS = 300_000;
const START_MS = 60_000;
const LOG_TAIL = 2_000;
const MIN_JAVA = 17;
const STAND_IN = resolve(__dirname, '../../document-server');
const JARS = join(STAND_IN, 'lib');
const LAUNCHER = join(STAND_IN, 'Server.java');

type Command = (port: number, directory: string) => readonly [program: string, ...programArguments: string[]];

export function mongodAnswers(): boolean {
  return runs('mongod', ['--version']);
}

/** Returns what the stand-in lacks on this machine, or undefined. */
export function standInMisses(): string | undefined {
  // Its launcher is compiled here, so a Java without compiler does not do.
  const { status, stdout } = spawnSync('java', ['--list-modules'], { timeout: PROBE_MS, encoding: 'utf8' });
  const compiler = status === 0 ? Number(/^jdk\.compiler@(\d+)/m.exec(stdout)?.[1]) : 0;
  if (!(compiler >= MIN_JAVA)) return `a JDK of version ${String(MIN_JAVA)} or newer`;
  if (!existsSync(JARS) && !runs('mvn', ['-v'])) return 'Maven, to fetch its packages with';
  return undefined;
}

export function startMongod(database: string): Promise<PrivateServer> {
  return startProgram('mongod', database, (port, directory) => [
    'mongod',
    ...['--dbpath', directory, '--port', String(port), '--bind_ip', '127.0.0.1'],
  ]);
}

export interface DocumentServerOptions {
  /**
   * `file`: a write is answered after it is synced. `memory`: the stand-in has the same order of reads and writes, but nothing survives
   * its end. `benchmark`: also faster, and a result may show writes that came after it. Default `file`.
   */
  readonly storage?: 'file' | 'memory' | 'benchmark';
  /** The most that the stand-in takes for itself, but for benchmarks. Default 512. */
  readonly memoryMb?: number;
}

/** For each connection: one that is busy with a long command must not hold up the driver's checks on another. */
const THREAD_EACH = '-Dio.netty.eventLoopThreads=64';
const LARGE_HEAP_MB = 2_048;

/** Fetches its packages through Maven and compiles its launcher the first time. */
export async function startStandIn(
  database: string,
  { storage = 'file', memoryMb = 512 }: DocumentServerOptions,
): Promise<PrivateServer> {
  if (!existsSync(JARS)) await fetchJars();
  const classPath = [join(JARS, '*'), await compiledLauncher()].join(delimiter);
  const isBenchmark = storage === 'benchmark';
  const heap = isBenchmark ? ['-Xmx3g'] : heapOf(memoryMb);
  return startProgram('document-server', database, (port, directory) => [
    'java',
    ...(isBenchmark ? [] : [THREAD_EACH]),
    ...['-XX:+UseSerialGC', ...heap, '-cp', classPath, 'Server', String(port)],
    ...(isBenchmark ? [] : [storage === 'file' ? join(directory, 'data.mv') : storage]),
  ]);
}

/**
 * A large heap has its size from the start, a third of it for young objects: one that grows is collected as a whole again and again,
 * and the driver takes a server that pauses for seconds for lost.
 */
function heapOf(mb: number): string[] {
  const maxHeap = `-Xmx${String(mb)}m`;
  return mb < LARGE_HEAP_MB ? [maxHeap] : [maxHeap, `-Xms${String(mb)}m`, `-Xmn${String(Math.floor(mb / 3))}m`];
}

async function startProgram(name: string, database: string, command: Command): Promise<PrivateServer> {
  const guard = createGuard(`busbar-${name}`);
  const port = await freePort();
  let server: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    server = launch(guard, command(port, guard.directory));
    await untilReady(server, port, name, guard.directory);
  };
  const kill = async (): Promise<void> => {
    if (server) await end(server);
    guard.forget('server');
    server = undefined;
  };
  const stop = async (): Promise<void> => {
    await kill();
    await guard.release();
  };
  const runningPid = (): number => {
    if (server?.pid === undefined) throw new Error('the server does not run');
    return server.pid;
  };

  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  let stopped: Promise<void> | undefined;
  return {
    url: `mongodb://127.0.0.1:${String(port)}/${database}`,
    pid: () => server?.pid,
    kill,
    restart: async () => {
      await kill();
      await start();
    },
    pause: () => pauseProcess(runningPid()),
    resume: () => void process.kill(runningPid(), 'SIGCONT'),
    stop: () => (stopped ??= stop()),
  };
}

function runs(program: string, programArguments: readonly string[]): boolean {
  return spawnSync(program, programArguments, { timeout: PROBE_MS, stdio: 'ignore' }).status === 0;
}

function launch(guard: Guard, [program, ...programArguments]: ReturnType<Command>): ChildProcess {
  const output = openSync(outputFile(guard.directory), 'a');
  // A group of its own, so that Ctrl-C does not reach it before the test does.
  const child = spawn(program, programArguments, { detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  child.on('error', () => undefined);
  child.unref();
  if (child.pid !== undefined) guard.watch('server', child.pid);
  return child;
}

/** SIGKILL; resolves when the process is gone. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.ref();
  child.kill('SIGKILL');
  await gone;
}

async function untilReady(server: ChildProcess, port: number, name: string, directory: string): Promise<void> {
  const ready = eventually(async () => {
    if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined) return 'ended' as const;
    return (await answers(port)) ? ('ready' as const) : undefined;
  }, START_MS);
  const outcome = await ready.catch(() => 'silent' as const);
  if (outcome === 'ready') return;
  const output = outputFile(directory);
  const printed = existsSync(output) ? readFileSync(output, 'utf8').slice(-LOG_TAIL) : '';
  throw new Error(`${name} did not start (${outcome}): ${printed}`);
}

function answers(port: number): Promise<boolean> {
  return new Promise((reported) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      reported(true);
    });
    socket.once('error', () => reported(false));
  });
}

function outputFile(directory: string): string {
  return join(directory, 'server.out');
}

/** Into a folder of its own first: several test processes may come here at once. */
async function fetchJars(): Promise<void> {
  const fetched = `${JARS}.${createId()}`;
  const fetching = ['-q', 'dependency:copy-dependencies', `-DoutputDirectory=${fetched}`];
  try {
    await promisify(execFile)('mvn', fetching, { cwd: STAND_IN, timeout: FETCH_MS });
    await rename(fetched, JARS).catch((error: unknown) => {
      if (!existsSync(JARS)) throw error;
    });
  } finally {
    await rm(fetched, { recursive: true, force: true });
  }
}

/**
 * Returns the folder of the compiled launcher. Run from source it is compiled at each start, which takes three times the
 * processor time of the start itself.
 */
async function compiledLauncher(): Promise<string> {
  const version = createHash('sha256').update(readFileSync(LAUNCHER)).digest('hex').slice(0, 16);
  const classes = join(JARS, `launcher-${version}`);
  if (existsSync(classes)) return classes;
  // Into a folder of its own first, as the packages.
  const made = `${classes}.${createId()}`;
  const packages = readdirSync(JARS).filter((file) => file.endsWith('.jar'));
  const classPath = packages.map((file) => join(JARS, file)).join(delimiter);
  const compiler = ['-m', 'jdk.compiler/com.sun.tools.javac.Main', '-cp', classPath, '-d', made, LAUNCHER];
  try {
    await promisify(execFile)('java', compiler, { timeout: START_MS });
    await rename(made, classes).catch((error: unknown) => {
      if (!existsSync(classes)) throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  return classes;
}
