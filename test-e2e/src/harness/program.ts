// A program of the project as a child process: its output kept, its ports read from it, ended by its own id.
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createGuard, eventually } from '@busbar/testing';
import { http } from './http';

export interface Program {
  readonly pid: number;
  /** Everything it wrote so far, both streams. */
  output(): string;
  /** Returns its standard output. */
  printed(): string;
  /** The address a log line says was bound, by what is served there. Rejects at once when it has ended. */
  bound(what: string): Promise<{ host: string; port: number }>;
  /** Resolves when it reports that it is ready. */
  ready(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal and resolves with the exit code (null when a signal ended it). */
  end(signal: NodeJS.Signals): Promise<number | null>;
  exited(): Promise<number | null>;
}

const ROOT = join(__dirname, '../../..');
const OUTPUT_CAP = 2_000_000;
/** Where the lines that say what was bound stand, kept however much is written afterwards. */
const START_CAP = 50_000;

/** Starts `services/{service}` as it is started in production, out of this checkout or another folder. */
export function startProgram(service: string, env: Readonly<Record<string, string>>, folder = ROOT): Program {
  const main = join(folder, 'services', service, 'dist', 'main.js');
  return startCommand(service, [process.execPath, main], env, folder);
}

/** Starts a command that becomes the program: signals go to its process. */
export function startCommand(
  name: string,
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  folder = ROOT,
): Program {
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, for the guard; and so that Ctrl-C does not reach it before the test does.
    detached: true,
  });
  return programOf(child, name);
}

function programOf(child: ChildProcess, name: string): Program {
  let start = '';
  let output = '';
  let printed = '';
  const keep = (text: string, chunk: Buffer): string => (text + chunk.toString('utf8')).slice(-OUTPUT_CAP);
  const take = (chunk: Buffer): void => {
    if (start.length < START_CAP) start += chunk.toString('utf8');
    output = keep(output, chunk);
  };
  child.stdout?.on('data', (chunk: Buffer) => {
    take(chunk);
    printed = keep(printed, chunk);
  });
  child.stderr?.on('data', take);
  let code: number | null | undefined;
  const exit = new Promise<number | null>((resolve) => {
    child.once('exit', (exitCode) => {
      code = exitCode;
      resolve(exitCode);
    });
  });
  // A test run that is interrupted leaves nothing behind.
  const guard = createGuard('busbar-program');
  if (child.pid !== undefined) guard.watch(name, child.pid);
  void exit.then(() => {
    guard.forget(name);
    return guard.release();
  });

  async function bound(what: string): Promise<{ host: string; port: number }> {
    const found = await eventually(() => (code === undefined ? boundAddress(start, what) : 'ended'), 60_000);
    // Rejects at once: a program that has ended logs nothing more, and callers may start the next one.
    if (found === 'ended') throw new Error(`${name} ended with ${String(code)}:\n${output}`);
    return found;
  }

  return {
    pid: child.pid ?? -1,
    output: () => output,
    printed: () => printed,
    bound,
    async ready() {
      const { host, port } = await bound('internal');
      await eventually(async () => (await http(`http://${host}:${String(port)}/readyz`)).status === 200, 60_000);
    },
    signal: (signal) => void child.kill(signal),
    end(signal) {
      child.kill(signal);
      return exit;
    },
    exited: () => exit,
  };
}

/** Out of the log line `{"msg":"listening","what":…,"host":…,"port":…}`. */
function boundAddress(output: string, what: string): { host: string; port: number } | undefined {
  for (const line of output.split('\n')) {
    if (!line.includes('"listening"')) continue;
    const entry = parse(line);
    if (entry?.what === what && entry.host !== undefined && entry.port !== undefined) {
      return { host: entry.host === '0.0.0.0' ? '127.0.0.1' : entry.host, port: entry.port };
    }
  }
  return undefined;
}

function parse(line: string): { what?: string; host?: string; port?: number } | undefined {
  try {
    return JSON.parse(line) as { what?: string; host?: string; port?: number };
  } catch {
    return undefined;
  }
}
