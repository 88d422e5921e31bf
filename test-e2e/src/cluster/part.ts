// A program of the cluster: its output in a file, ended by its own id.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

export interface Part {
  readonly name: string;
  readonly pid: number;
  isRunning(): boolean;
  /** Resolves when it is gone, however it ended. */
  readonly gone: Promise<void>;
  /** The end of what it wrote. */
  output(): string;
  /** Resolves when it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface PartOptions {
  readonly name: string;
  readonly command: readonly [program: string, ...programArguments: string[]];
  readonly logFile: string;
  readonly env?: Readonly<Record<string, string>>;
}

const OUTPUT_TAIL = 3_000;

export function startPart({ name, command, logFile, env }: PartOptions): Part {
  const [program, ...programArguments] = command;
  const output = openSync(logFile, 'a');
  const child = spawn(program, programArguments, {
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
  });
  closeSync(output);
  const gone = once(child, 'exit').then(
    () => undefined,
    () => undefined,
  );
  const isRunning = (): boolean => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    name,
    pid: child.pid ?? -1,
    isRunning,
    gone,
    output: () => readFileSync(logFile, 'utf8').slice(-OUTPUT_TAIL),
    async end(signal) {
      if (!isRunning()) return;
      child.kill(signal);
      await gone;
    },
  };
}
