// The one-process mode on a data directory that stays over its deaths.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { http } from '../harness/http';
import { startProgram, type Program } from '../harness/program';
import type { EpisodeWorld } from './episode';
import { createApi } from './fleet';
import { API_KEY, CLIENT_ID } from './network';
import { openStore } from './stored';

export interface EmbeddedFaultWorld extends EpisodeWorld {
  /** Ends it with that signal and starts it again; gives the exit code. */
  restart(signal: NodeJS.Signals): Promise<number | null>;
  /** Another process on the same data directory. */
  startSecond(): Program;
  readonly directory: string;
  /** From now on no file of its can grow, as on a disk without room, until `emptyDisk`. */
  fillDisk(): void;
  emptyDisk(): void;
  /** The value of a metric. */
  metric(name: string): Promise<number>;
  stop(): Promise<void>;
}

export async function openEmbeddedFaultWorld(): Promise<EmbeddedFaultWorld> {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-faults-'));
  const launch = (): Program =>
    startProgram('all-in-one', {
      PORT: '0',
      OCPP_PLAIN_PORT: '0',
      INTERNAL_PORT: '0',
      STORE_URL: `file:${directory}`,
      BOOTSTRAP_CLIENT_ID: CLIENT_ID,
      BOOTSTRAP_API_KEY: API_KEY,
      RATE_LIMIT_PER_KEY: '100000',
      OCPP_PING_INTERVAL_S: '5',
    });
  let program = launch();
  let plainPort: number | undefined;

  async function begin(): Promise<void> {
    await program.ready();
    plainPort = (await program.bound('plain')).port;
  }
  async function end(signal: NodeJS.Signals): Promise<number | null> {
    plainPort = undefined;
    return program.end(signal);
  }
  async function again(): Promise<void> {
    program = launch();
    await begin();
  }

  await begin();
  const api = createApi(async () => `https://127.0.0.1:${String((await program.bound('public')).port)}/v2`, API_KEY);
  return {
    api,
    directory,
    ledgers: [],
    addresses: () => (plainPort === undefined ? [] : [`ws://127.0.0.1:${String(plainPort)}/ocpp/`]),
    async withStore(read) {
      await end('SIGTERM');
      const stored = await openStore(`file:${directory}`);
      try {
        return await read(stored.store);
      } finally {
        await stored.stop();
        await again();
      }
    },
    async restart(signal) {
      const code = await end(signal);
      await again();
      return code;
    },
    startSecond: launch,
    fillDisk: () => limitFiles(program.pid, '4096'),
    emptyDisk: () => limitFiles(program.pid, 'unlimited'),
    async metric(name) {
      const { host, port } = await program.bound('internal');
      const { text } = await http(`http://${host}:${String(port)}/metrics`);
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    },
    async stop() {
      api.close();
      await program.end('SIGTERM');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Whether a process's files can be kept from growing here: a full disk without the rights to mount one. */
export function canFillDisk(): boolean {
  return spawnSync('prlimit', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** The soft limit alone, which can be taken back. Node takes the refusal of a write as an error, as it does a full disk's. */
function limitFiles(pid: number, bytes: string): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the files of ${String(pid)} could not be limited: ${stderr}`);
}
