// Runs a command where the data is: in the running process that has the data file to itself, else on the store directly.
import { existsSync } from 'node:fs';
import { systemClock, AppError } from '@busbar/core';
import {
  askRunningProcess,
  createLogger,
  createStorePlatform,
  dataDirectoryOf,
  restoreDataFile,
  runAdminCommand,
  type AdminContext,
  type AdminResult,
  type AdapterDeps,
  type LogLevel,
} from '@busbar/runtime';

export interface AdministrationOptions {
  readonly storeUrl: string;
  readonly logLevel: LogLevel;
}

/** Rejects with the sentence of a command that failed. */
export async function administer(options: AdministrationOptions, line: readonly string[]): Promise<AdminResult> {
  const directory = dataDirectoryOf(options.storeUrl);
  const answered = directory === undefined ? undefined : await askRunningProcess(directory, line);
  return answered ?? onStore(options, directory, line);
}

async function onStore(
  { storeUrl, logLevel }: AdministrationOptions,
  directory: string | undefined,
  line: readonly string[],
): Promise<AdminResult> {
  const deps: AdapterDeps = { logger: createLogger({ level: logLevel, name: 'admin' }), clock: systemClock };
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
      ...(platform.backup === undefined ? {} : { backup: platform.backup }),
    };
    return await runAdminCommand(context, line);
  } finally {
    await platform.stop();
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
