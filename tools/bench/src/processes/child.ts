// A program of the bench or of the product as a child process, known by its id and ended by it.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asking, type Ask, type Commands } from './commands';

export interface Child<C extends Commands<C>> {
  readonly name: string;
  readonly pid: number;
  readonly ask: Ask<C>;
  /** Returns its output so far, of both streams. */
  output(): string;
  hasEnded(): boolean;
  /** SIGKILL. Resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM, then SIGKILL. Resolves when it is gone. Idempotent. */
  end(): Promise<void>;
}

export interface ChildSpec {
  readonly name: string;
  /** A JavaScript file. */
  readonly script: string;
  /** Where its output file goes. */
  readonly directory: string;
  readonly nodeArguments?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const STOP_MS = 15_000;

/** Starts it in a process group of its own, so that Ctrl-C reaches the bench alone, which then ends it. */
export function startChild<C extends Commands<C>>(spec: ChildSpec): Child<C> {
  const file = join(spec.directory, `${spec.name}-${String(process.hrtime.bigint())}.out`);
  const output = openSync(file, 'a');
  const child = spawn(process.execPath, [...(spec.nodeArguments ?? []), spec.script], {
    // To a file: lines that nobody has to read while something is measured.
    stdio: ['ignore', output, output, 'ipc'],
    detached: true,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...spec.env },
  });
  closeSync(output);
  child.on('error', () => undefined);
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void gone.then(() => process.removeListener('exit', kill));
  let ending: Promise<void> | undefined;
  return {
    name: spec.name,
    pid: child.pid ?? -1,
    ask: asking<C>(child, spec.name),
    output: () => readFileSync(file, 'utf8'),
    hasEnded: () => hasEnded(child),
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    end: () => (ending ??= end(child, gone)),
  };
}

async function end(child: ChildProcess, gone: Promise<void>): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(timer);
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}
