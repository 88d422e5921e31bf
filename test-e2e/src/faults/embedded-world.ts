// The one-process mode on a data directory that stays over its deaths, with a proxy between it and its chargers.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneProcessEnv } from '@busbar/testing';
import { startProgram, type Program } from '../harness/program';
import { explained, runEpisode, type EpisodeWorld } from './episode';
import type { Breakable, Fault } from './fault';
import { createFeedSource } from './feed-followers';
import { createApi } from './fleet';
import { createLastingProgram, type LastingProgram } from './lasting-program';
import { API_KEY, CLIENT_ID } from './network';
import type { Random } from './random';
import { openStore } from './stored';
import { startTcpProxy } from './tcp-proxy';

export interface EmbeddedFaultWorld extends EpisodeWorld {
  readonly process: LastingProgram;
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

type Environment = Readonly<Record<string, string>>;

/** Under more load than a network of processes, which share the machine. */
const PACE_MS = 20;

/** `env`: beside what is given to it anyway, as another broker than its own. */
export async function openEmbeddedFaultWorld(env: Environment = {}): Promise<EmbeddedFaultWorld> {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-faults-'));
  const chargers = await startTcpProxy({ host: '127.0.0.1', port: 0 });
  const own = environmentOf(directory, env);
  const one = createLastingProgram({ name: 'the process', service: 'all-in-one', env: own, chargers });
  await one.start();
  const v2 = async () => `https://127.0.0.1:${String((await one.program().bound('public')).port)}/v2`;
  const api = createApi(v2, API_KEY);
  const world: EmbeddedFaultWorld = {
    api,
    directory,
    chargers,
    ledgers: [],
    // None that could be suspended while it answers.
    consumers: () => [],
    counters: () => [one],
    process: one,
    events: createFeedSource(v2),
    addresses: () => (one.running() ? [`ws://127.0.0.1:${String(chargers.port)}/ocpp/`] : []),
    async withStore(read) {
      await one.end('SIGTERM');
      const stored = await openStore(`file:${directory}`);
      try {
        return await read(stored.store);
      } finally {
        await stored.stop();
        await one.start();
      }
    },
    startSecond: () => startProgram('all-in-one', own),
    fillDisk: () => limitFiles(one.program().pid, '4096'),
    emptyDisk: () => limitFiles(one.program().pid, 'unlimited'),
    metrics: one.metrics,
    fault(fault, random) {
      const episode = runEpisode(world, {
        random,
        paceMs: PACE_MS,
        disconnectsNobody: fault.disconnectsNobody ?? false,
        async fault() {
          await fault.run(world, random);
          await one.program().ready();
        },
      });
      return explained(() => [one], episode);
    },
    async stop() {
      api.close();
      if (one.running()) await one.end('SIGTERM');
      await chargers.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return world;
}

/** Returns whether a process's files can be kept from growing here: a full disk without the rights to mount one. */
export function canFillDisk(): boolean {
  return spawnSync('prlimit', ['--version'], { stdio: 'ignore' }).status === 0;
}

function environmentOf(directory: string, env: Environment): Environment {
  return {
    ...oneProcessEnv({ directory, clientId: CLIENT_ID, apiKey: API_KEY }),
    RATE_LIMIT_PER_KEY: '100000',
    OCPP_MAX_STARTS_PER_DAY: '0',
    OCPP_MAX_CLIENT_STARTS_PER_DAY: '0',
    RATE_LIMIT_PER_ADDRESS: '100000',
    OCPP_PING_INTERVAL_S: '5',
    PUSH_PLAIN_HTTP: 'true',
    PUSH_TIME_SCALE: '0.1',
    ...env,
  };
}

/** The soft limit alone, which can be taken back. Node takes the refusal of a write as an error, as it does a full disk's. */
function limitFiles(pid: number, bytes: string): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the files of ${String(pid)} could not be limited: ${stderr}`);
}
