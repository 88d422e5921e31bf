// The one-process mode on a data directory that stays over its deaths, with a proxy between it and its chargers.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneProcessEnv } from '@busbar/testing';
import { http } from '../harness/http';
import { startProgram, type Program } from '../harness/program';
import { explained, runEpisode, type EpisodeWorld } from './episode';
import type { Breakable, Endable, Fault, Pausable } from './fault';
import { createApi } from './fleet';
import { API_KEY, CLIENT_ID } from './network';
import type { Random } from './random';
import { openStore } from './stored';
import { startTcpProxy } from './tcp-proxy';

export interface EmbeddedFaultWorld extends EpisodeWorld {
  readonly process: Endable & Pausable;
  /** The connections between chargers and the process. */
  readonly chargers: Breakable;
  /** Another process on the same data directory. */
  startSecond(): Program;
  readonly directory: string;
  /** From now on no file of its can grow, as on a disk without room, until `emptyDisk`. */
  fillDisk(): void;
  emptyDisk(): void;
  /** All its metrics, in Prometheus' format. */
  metrics(): Promise<string>;
  /** An episode in which that breaks. */
  fault(fault: Fault<EmbeddedFaultWorld>, random: Random): Promise<void>;
  stop(): Promise<void>;
}

/** Under more load than a network of processes, which share the machine. */
const PACE_MS = 20;

export async function openEmbeddedFaultWorld(): Promise<EmbeddedFaultWorld> {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-faults-'));
  const chargers = await startTcpProxy({ host: '127.0.0.1', port: 0 });
  const one = oneProcess(directory, (target) => chargers.retarget(target));
  await one.start();
  const api = createApi(
    async () => `https://127.0.0.1:${String((await one.program().bound('public')).port)}/v2`,
    API_KEY,
  );
  const { end, start } = one;
  const world: EmbeddedFaultWorld = {
    api,
    directory,
    chargers,
    ledgers: [],
    // It answers what it has applied.
    consumers: () => [],
    process: {
      name: 'the process',
      end,
      start,
      pause: () => one.program().signal('SIGSTOP'),
      resume: () => one.program().signal('SIGCONT'),
    },
    addresses: () => (one.running() ? [`ws://127.0.0.1:${String(chargers.port)}/ocpp/`] : []),
    async withStore(read) {
      await end('SIGTERM');
      const stored = await openStore(`file:${directory}`);
      try {
        return await read(stored.store);
      } finally {
        await stored.stop();
        await start();
      }
    },
    startSecond: () => launch(directory),
    fillDisk: () => limitFiles(one.program().pid, '4096'),
    emptyDisk: () => limitFiles(one.program().pid, 'unlimited'),
    async metrics() {
      const { host, port } = await one.program().bound('internal');
      return (await http(`http://${host}:${String(port)}/metrics`)).text;
    },
    fault(fault, random) {
      const episode = runEpisode(world, {
        random,
        paceMs: PACE_MS,
        async fault() {
          await fault.run(world, random);
          await one.program().ready();
        },
      });
      return explained(() => [{ name: 'all-in-one', output: one.output }], episode);
    },
    async stop() {
      api.close();
      await end('SIGTERM');
      await chargers.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return world;
}

/** Whether a process's files can be kept from growing here: a full disk without the rights to mount one. */
export function canFillDisk(): boolean {
  return spawnSync('prlimit', ['--version'], { stdio: 'ignore' }).status === 0;
}

interface OneProcess extends Omit<Endable, 'name'> {
  running(): boolean;
  program(): Program;
  /** Everything that it wrote, over all its starts. */
  output(): string;
}

function oneProcess(directory: string, onBound: (target: { host: string; port: number }) => void): OneProcess {
  let program: Program | undefined;
  let isRunning = false;
  const started: Program[] = [];
  const current = (): Program => {
    if (program === undefined) throw new Error('the process was never started');
    return program;
  };
  return {
    running: () => isRunning,
    program: current,
    output: () => started.map((each) => each.output()).join('— started again\n'),
    end(signal) {
      isRunning = false;
      return current().end(signal);
    },
    async start() {
      program = launch(directory);
      started.push(program);
      await program.ready();
      onBound(await program.bound('plain'));
      isRunning = true;
    },
  };
}

function launch(directory: string): Program {
  return startProgram('all-in-one', {
    ...oneProcessEnv({ directory, clientId: CLIENT_ID, apiKey: API_KEY }),
    RATE_LIMIT_PER_KEY: '100000',
    OCPP_PING_INTERVAL_S: '5',
  });
}

/** The soft limit alone, which can be taken back. Node takes the refusal of a write as an error, as it does a full disk's. */
function limitFiles(pid: number, bytes: string): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the files of ${String(pid)} could not be limited: ${stderr}`);
}
