// Runs a command where the data is: in the running process that has the data file to itself, else on the store directly.
import { existsSync } from 'node:fs';
import { channels } from '@busbar/contracts';
import { AppError, systemClock } from '@busbar/core';
import { type StoredDeadLetter } from '@busbar/domain';
import { createConnectionCloser, type Charger } from '@busbar/domain/chargers';
import { type CloseReason } from '@busbar/domain/commands';
import { createDeadLetterStore } from '@busbar/store';
import { createChargerLink } from '@busbar/runtime';
import type { ClientTlsFiles } from '@busbar/runtime';
import { createLogger } from '@busbar/runtime';
import {
  createBroker,
  createStorePlatform,
  dataDirectoryOf,
  type AdapterDeps,
  type StorePlatform,
} from '@busbar/runtime';
import { replayLetter } from '../replay-dead-letter';
import { restoreDataFile } from '../restore-data-file';
import type { LogLevel } from '@busbar/runtime';
import { readPartitions } from '@busbar/runtime';
import { askRunningProcess } from './admin-client';
import type { AdminContext, AdminResult } from './command';
import { runAdminCommand } from './commands';

export interface AdministrationOptions extends ClientTlsFiles {
  readonly storeUrl: string;
  /** Of a deployment, for what goes back into a queue; absent otherwise. */
  readonly brokerUrl?: string | undefined;
  readonly logLevel: LogLevel;
}

/** Rejects with the sentence of a command that failed. */
export async function administer(options: AdministrationOptions, line: readonly string[]): Promise<AdminResult> {
  const directory = dataDirectoryOf(options.storeUrl);
  const answered = directory === undefined ? undefined : await askRunningProcess(directory, line);
  return answered ?? onStore(options, directory, line);
}

async function onStore(
  options: AdministrationOptions,
  directory: string | undefined,
  line: readonly string[],
): Promise<AdminResult> {
  const { storeUrl, brokerUrl, logLevel } = options;
  const deps: AdapterDeps = {
    logger: createLogger({ level: logLevel, name: 'admin' }),
    clock: systemClock,
    tlsFiles: options,
  };
  if (directory !== undefined && line[0] === 'restore') return restoreOffline(directory, line, deps);
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
      // An embedded broker lives in the process that has the data file, which would have been asked.
      ...(brokerUrl?.startsWith('amqp') !== true
        ? {}
        : {
            replay: (letter) => replayOver(brokerUrl, platform, letter, deps),
            connections: { close: (charger, reason) => closeOver(brokerUrl, platform, deps, { charger, reason }) },
          }),
      ...(platform.backup === undefined ? {} : { backup: platform.backup }),
    };
    return await runAdminCommand(context, line);
  } finally {
    await platform.stop();
  }
}

async function replayOver(
  brokerUrl: string,
  { store }: StorePlatform,
  letter: StoredDeadLetter,
  deps: AdapterDeps,
): Promise<void> {
  const partitions = await readPartitions(store);
  if (partitions === undefined) throw new AppError('not_found', 'No charger-state has worked on this store yet.');
  const broker = createBroker(brokerUrl, deps);
  await broker.start();
  try {
    await broker.declareQueue(channels.reports, partitions);
    await replayLetter(broker, partitions, letter);
  } finally {
    await broker.stop();
  }
}

/** The first attempt only: this process ends with its command. */
async function closeOver(
  brokerUrl: string,
  { records }: StorePlatform,
  deps: AdapterDeps,
  { charger, reason }: { readonly charger: Charger; readonly reason: CloseReason },
): Promise<void> {
  const broker = createBroker(brokerUrl, deps);
  try {
    await broker.start();
    await createConnectionCloser({ ...records, ...deps, link: createChargerLink(broker) }).close(charger, reason);
  } catch (cause) {
    const message = 'The change is stored, but the open connection could not be closed. Run the command again.';
    throw new AppError('unavailable', message, { cause });
  } finally {
    await broker.stop();
  }
}

/** The one command that needs the data file closed. */
function restoreOffline(directory: string, line: readonly string[], deps: AdapterDeps): Promise<AdminResult> {
  const nothing = (): never => {
    throw new AppError('internal', 'restore reads no record');
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
