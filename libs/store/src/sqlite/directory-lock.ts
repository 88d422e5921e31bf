// Locks a data directory for one process: by SQLite's lock on a file of its own, which the kernel releases when the process
// ends, however it ends. Other containers of the machine see it too. Nothing else in this process may open that file:
// closing it would release the lock (POSIX).
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { types } from 'node:util';

import { AppError, messageOf } from '@busbar/core';
import { DatabaseSync } from '@photostructure/sqlite';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** It is never removed: two processes could then have a lock each, on two files of this name. */
const LOCK_FILE = 'busbar.lock';
/** Process id and time of the lock, for the message to other processes. */
const HOLDER_FILE = 'busbar.pid';
/** https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

export interface DirectoryLock {
  release(): void;
}

/**
 * Throws AppError `invalid_configuration`, naming directory and process id, while another process (or another store of
 * this one) has the directory, and where the directory cannot be written.
 */
export function lockDirectory(directory: string): DirectoryLock {
  let lock: DatabaseSyncInstance | undefined;
  try {
    lock = new DatabaseSync(join(directory, LOCK_FILE));
    lock.exec('BEGIN EXCLUSIVE');
    writeFileSync(join(directory, HOLDER_FILE), `${String(process.pid)} ${new Date().toISOString()}\n`, {
      mode: 0o600,
    });
    return {
      release() {
        if (lock?.isOpen !== true) return;
        rmSync(join(directory, HOLDER_FILE), { force: true });
        lock.close();
      },
    };
  } catch (error) {
    lock?.close();
    throw isBusy(error) ? refusal(directory) : unwritable(directory, error);
  }
}

/** Throws as `lockDirectory` does while a process has the directory. A directory that never had a store is free. */
export function assertDirectoryFree(directory: string): void {
  if (existsSync(join(directory, LOCK_FILE))) lockDirectory(directory).release();
}

function isBusy(error: unknown): boolean {
  // Errors of native code are no instances of a test's own `Error`.
  return types.isNativeError(error) && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function unwritable(directory: string, cause: unknown): AppError {
  const message = `The data directory ${directory} cannot be written (${messageOf(cause)}): correct its rights, or set STORE_URL to another directory.`;
  return new AppError('invalid_configuration', message, { cause });
}

function refusal(directory: string): AppError {
  const [pid, since] = holder(directory);
  return new AppError(
    'invalid_configuration',
    `The data directory ${directory} is in use by ${pid === '' ? 'another process' : `process ${pid} since ${since}`}: ` +
      'use that one, stop it (Ctrl-C in its terminal), or set STORE_URL to another directory, such as file:./data-2.',
    { details: { directory, pid: Number(pid) } },
  );
}

/** Empty texts while the holder is just writing them. */
function holder(directory: string): [pid: string, since: string] {
  try {
    const [pid = '', since = ''] = readFileSync(join(directory, HOLDER_FILE), 'utf8').trimEnd().split(' ');
    return [pid, since];
  } catch {
    return ['', ''];
  }
}
