// A receiver of webhooks out of examples/, as an integrator runs it: a process that has its events in a file.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@busbar/testing';
import { ROOT } from './documented-commands';
import { startCommand, type Program } from './program';

/** One as tools/receivers.mjs has installed it. */
export interface InstalledReceiver {
  readonly name: string;
  /** Where `command` runs. */
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
  /** What the machine lacks for it. */
  readonly skipped?: string;
  /** How its installation failed. */
  readonly failed?: string;
}

export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number | null;
  readonly chargerId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Receiver {
  readonly url: string;
  readonly program: Program;
  /** The lines that it printed about events. */
  lines(): readonly string[];
}

export interface ReceiverSettings {
  readonly secret: string;
  /** The path of its file. */
  readonly file: string;
  /** 0: a free one. */
  readonly port?: number;
}

/** Installs what is missing, from the package registries: at most some minutes the first time. */
export function installReceivers(): readonly InstalledReceiver[] {
  const printed = execFileSync(process.execPath, [join(ROOT, 'tools/receivers.mjs')], { encoding: 'utf8' });
  return JSON.parse(printed) as readonly InstalledReceiver[];
}

export async function startReceiver(
  { name, command, folder }: InstalledReceiver,
  { secret, file, port = 0 }: ReceiverSettings,
): Promise<Receiver> {
  const env = { WEBHOOK_SECRET: secret, EVENTS_FILE: file, PORT: String(port), PYTHONDONTWRITEBYTECODE: '1' };
  const program = startCommand(name, command, env, folder);
  const lines = (): readonly string[] => program.printed().split('\n').slice(0, -1);
  const [, bound] = await eventually(() => /^listening on (\d+)$/.exec(lines()[0] ?? '') ?? undefined, 30_000);
  return { url: `http://127.0.0.1:${bound ?? ''}/`, program, lines: () => lines().slice(1) };
}

/** The events that a receiver has stored, in the order of their arrival. */
export function storedEvents(file: string): readonly ReceivedEvent[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as ReceivedEvent);
}
