// Runs a command in the process that has the data file, or else on the store directly.
import { existsSync } from 'node:fs';
import { channels } from '@busbar/contracts';
import { AppError, systemClock } from '@busbar/core';
import type { StoredDeadLetter } from '@busbar/domain/reports';
import { createConnectionCloser, type Charger } from '@busbar/domain/chargers';
import { type CloseReason } from '@busbar/domain/commands';
import { createDeadLetterStore } from '@busbar/store';
import {
  createBroker,
  createChargerLink,
  createLogger,
  createStorePlatform,
  dataDirectoryOf,
  readPartitions,
  type AdapterDeps,
  type ClientTlsFiles,
  type LogLevel,
  type StorePlatform,
} from '@busbar/runtime';
import { replayLetter } from '../replay-dead-letter';
import { restoreDataFile } from '../restore-data-file';
import { askRunningProcess } from './admin-client';
import type { AdminContext, AdminResult } from './command';
import { runAdminCommand } from './commands';

export interface AdministrationOptions extends ClientTlsFiles {
  readonly storeUrl: string;
  /** The broker of a deployment, to replay messages and close connections. */
  readonly brokerUrl?: string | undefined;
  readonly logLevel: LogLevel;
}

/** Rejects with the message of a command that failed. */
export async function administer(options: AdministrationOptions, line: readonly string[]): Promise<AdminResult> {
  const directory = dataDirectoryOf(options.storeUrl);
  const answered = directory === undefined ? undefined : await askRunningProcess(directory, line);
  if (answered !== undefined) return answered;
  if (directory !== undefined && line[0] === 'restore') return restoreOffline(directory, line, depsOf(options));
  return onStore(options, directory, (run) => run(line));
}

/** Runs command lines, one after the other, until `work` resolves. A store of a deployment stays open meanwhile. */
export async function administerAll<T>(
  options: AdministrationOptions,
  work: (run: (line: readonly string[]) => Promise<AdminResult>) => Promise<T>,
): Promise<T> {
  const directory = dataDirectoryOf(options.storeUrl);
  if (directory === undefined) return onStore(options, directory, work);
  return work(async (line) => {
    const answered = await askRunningProcess(directory, line);
    if (answered !== undefined) return answered;
    const message = `No process runs on ${directory}, so nothing new happens: start it with "npm start", or set STORE_URL.`;
    throw new AppError('unavailable', message);
  });
}

async function onStore<T>(
  options: AdministrationOptions,
  directory: string | undefined,
  work: (run: (line: readonly string[]) => Promise<AdminResult>) => Promise<T>,
): Promise<T> {
  const { storeUrl, brokerUrl } = options;
  const deps = depsOf(options);
  if (directory !== undefined && !existsSync(directory)) {
    throw new AppError('not_found', `There is no data in ${directory}: start the service once, or set STORE_URL.`);
  }
  const platform = createStorePlatform(storeUrl, deps);
  await platform.start();
  try {
    const context: AdminContext = {
      records: platform.records,
      clock: systemClock,
      setPartitions: platform.setPartitions,
      raiseCounters: platform.raiseCounters,
      deadLetters: createDeadLetterStore(platform.store),
      // An embedded broker is in the process that has the data file, which would have run the command.
      ...(brokerUrl?.startsWith('amqp') !== true
        ? {}
        : {
            replay: (letter) => replayOver(brokerUrl, platform, letter, deps),
            connections: { close: (charger, reason) => closeOver(brokerUrl, platform, deps, { charger, reason }) },
          }),
      ...(platform.backup === undefined ? {} : { backup: platform.backup }),
    };
    return await work((line) => runAdminCommand(context, line));
  } finally {
    await platform.stop();
  }
}

function depsOf(options: AdministrationOptions): AdapterDeps {
  return {
    logger: createLogger({ level: options.logLevel, name: 'admin' }),
    clock: systemClock,
    tlsFiles: options,
  };
}

async function replayOver(
  brokerUrl: string,
  { store }: StorePlatform,
  letter: StoredDeadLetter,
  deps: AdapterDeps,
): Promise<void> {
  const partitions = await readPartitions(store);
  if (partitions === undefined)
    throw new AppError('not_found', 'No charger-state has used this store yet: start one first.');
  const broker = createBroker(brokerUrl, deps);
  await broker.start();
  try {
    await broker.declareQueue(channels.reports, partitions);
    await replayLetter(broker, partitions, letter);
  } finally {
    await broker.stop();
  }
}

/** One attempt: this process ends with its command. */
async function closeOver(
  brokerUrl: string,
  { records }: StorePlatform,
  deps: AdapterDeps,
  { charger, reason }: { readonly charger: Charger; readonly reason: CloseReason },
): Promise<void> {
  const broker = createBroker(brokerUrl, deps);
  try {
    await broker.start();
    const link = createChargerLink({ broker, clock: deps.clock });
    await createConnectionCloser({ ...records, ...deps, link }).close(charger, reason);
  } catch (cause) {
    const message = 'The change is stored, but the open connection could not be closed. Run the command again.';
    throw new AppError('unavailable', message, { cause });
  } finally {
    await broker.stop();
  }
}

/** The only command that needs the data file closed. */
function restoreOffline(directory: string, line: readonly string[], deps: AdapterDeps): Promise<AdminResult> {
  const nothing = (): never => {
    throw new AppError('internal', 'restore reads no records');
  };
  const context: AdminContext = {
    get records() {
      return nothing();
    },
    clock: systemClock,
    restore: (file) => restoreDataFile(directory, file, deps),
  };
  return runAdminCommand(context, line);
}
