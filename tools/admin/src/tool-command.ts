// Runs the commands that the tool itself runs: `smoke` and `backup-every`.
import { resolve } from 'node:path';
import { systemClock } from '@busbar/core';
import {
  askRunningProcess,
  backupEvery,
  intervalOf,
  misuse,
  positional,
  type BackupEvent,
  type ToolCommand,
} from '@busbar/operations';
import { dataDirectoryOf, readSettings, type SettingsOf } from '@busbar/runtime';
import { smokeSettings, type adminSettings } from './config';
import { smoke, type PassedStep } from './smoke/smoke';
import { readText, targetOf, type AskProcess } from './smoke/target';

export interface ToolCommandOptions {
  readonly settings: SettingsOf<typeof adminSettings>;
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  readonly asJson: boolean;
}

const DEFAULT_KEPT = 7;
const MAX_KEPT = 1000;
const KEY_LIVES_MS = 60 * 60 * 1000;
const PERMISSIONS = 'sites:read,sites:write,chargers:read,chargers:write';

/** Rejects with the message of a command that failed. */
export function runToolCommand({ name, given }: ToolCommand, options: ToolCommandOptions): Promise<void> {
  return name === 'smoke' ? runSmoke(given, options) : runBackups(given, options);
}

async function runSmoke(given: ToolCommand['given'], options: ToolCommandOptions): Promise<void> {
  const { settings, signal, print, asJson } = options;
  const directory = dataDirectoryOf(settings.storeUrl);
  const ask: AskProcess = (line) =>
    directory === undefined ? Promise.resolve(undefined) : askRunningProcess(directory, line);
  const target = await targetOf(given, ask);
  const steps: PassedStep[] = [];
  const report = (passed: PassedStep): void => {
    steps.push(passed);
    if (!asJson) print(`ok  ${passed.step}${passed.detail === '' ? '' : `: ${passed.detail}`}`);
  };
  const run = (key: string | undefined): Promise<void> => smoke({ target, key, signal, report });
  const key = keyOf(given);
  const isRunning = given.options['v2'] === undefined;
  if (key === undefined && isRunning) await withTemporaryKey(ask, run);
  else await run(key);
  if (asJson) print(JSON.stringify({ steps }));
  else if (key !== undefined || isRunning) print('Everything works.');
  else print('What needs no key works. Give --key-file or BOOTSTRAP_API_KEY to test a charger too.');
}

function keyOf({ options }: ToolCommand['given']): string | undefined {
  const file = options['key-file'];
  return file === undefined ? readSettings(smokeSettings, process.env).apiKey : readText('--key-file', file);
}

/** It ends by itself should it not be revoked. */
async function withTemporaryKey(ask: AskProcess, work: (key: string) => Promise<void>): Promise<void> {
  const expires = new Date(Date.now() + KEY_LIVES_MS).toISOString();
  const made = await ask(['key', 'create', '--name', 'smoke', '--permissions', PERMISSIONS, '--expires', expires]);
  const { clientId = '', keyId = '', key = '' } = (made?.data ?? {}) as Readonly<Record<string, string>>;
  try {
    await work(key);
  } finally {
    await ask(['key', 'revoke', keyId, '--client', clientId]);
  }
}

async function runBackups(given: ToolCommand['given'], options: ToolCommandOptions): Promise<void> {
  const { settings, signal, print, printError, asJson } = options;
  const dataDirectory = dataDirectoryOf(settings.storeUrl);
  if (dataDirectory === undefined) throw misuse('STORE_URL names a server, which has its own tools for backups.');
  const everyMs = intervalOf(positional(given, 0));
  if (everyMs === undefined) throw misuse('HOURS is a whole number from 1 to 8760.');
  await backupEvery({
    dataDirectory,
    directory: resolve(positional(given, 1)),
    everyMs,
    keep: keptOf(given.options['keep']),
    clock: systemClock,
    signal,
    report(event) {
      const at = new Date().toISOString();
      if (asJson) print(JSON.stringify({ at, ...event }));
      else (event.kind === 'saved' ? print : printError)(`${at} ${textOf(event)}`);
    },
  });
}

function textOf(event: BackupEvent): string {
  if (event.kind === 'waiting') return event.reason;
  if (event.kind === 'failed') return `The backup failed and is tried again at the next time: ${event.reason}`;
  const deleted = event.deleted.length === 0 ? '' : `, deleted ${event.deleted.join(', ')}`;
  return `saved to ${event.file}${deleted}`;
}

function keptOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_KEPT;
  const kept = Number(text);
  if (/^\d{1,4}$/.test(text) && kept >= 1 && kept <= MAX_KEPT) return kept;
  throw misuse(`--keep is a whole number from 1 to ${String(MAX_KEPT)}.`);
}
