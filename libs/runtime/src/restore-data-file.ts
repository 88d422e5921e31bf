// Puts a backup in the place of the one-process mode's data file, while no store has it open.
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, isAppError } from '@busbar/core';
import { DATA_FILE, lockDirectory } from '@busbar/store';
import { errnoOf } from './errno';
import { createStorePlatform, type AdapterDeps } from './platform';

/** How every SQLite database begins (its file format, 1.3.1). */
const MAGIC = 'SQLite format 3\0';
/** The write-ahead log belongs to its data file: it must never meet another. */
const PARTS = ['', '-wal'];

/**
 * Replaces the data file in `directory` by a copy of `file` and opens it once to see that it is good. What was there stays
 * beside it, ending in `.before-restore`. Throws `invalid_request` for a file that is no backup, and
 * `invalid_configuration` while a process has the directory; the data is then as it was.
 */
export async function restoreDataFile(directory: string, file: string, deps: AdapterDeps): Promise<void> {
  await checkIsDatabase(file);
  const target = join(directory, DATA_FILE);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(directory);
  try {
    await exchange(target, file);
  } finally {
    lock.release();
  }
  try {
    const platform = createStorePlatform(`file:${directory}`, deps);
    await platform.start();
    await platform.stop();
  } catch (cause) {
    await putBack(target);
    const reason = isAppError(cause) ? cause.message : 'it cannot be opened';
    throw unusable(file, `${reason}; the data is as it was`, cause);
  }
}

async function checkIsDatabase(file: string): Promise<void> {
  try {
    const handle = await open(file, 'r');
    try {
      const { buffer } = await handle.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
      if (buffer.toString('latin1') === MAGIC) return;
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw unusable(file, `it cannot be read (${errnoOf(cause) ?? 'unknown'})`, cause);
  }
  throw unusable(file, 'it is no backup of this service');
}

async function exchange(target: string, file: string): Promise<void> {
  const incoming = `${target}.incoming`;
  await copyFile(file, incoming);
  const handle = await open(incoming, 'r+');
  await handle.chmod(0o600);
  await handle.sync();
  await handle.close();
  for (const part of PARTS) await move(`${target}${part}`, `${target}.before-restore${part}`);
  await rename(incoming, target);
}

async function putBack(target: string): Promise<void> {
  for (const part of PARTS) {
    await rm(`${target}${part}`, { force: true });
    await move(`${target}.before-restore${part}`, `${target}${part}`);
  }
}

/** Moves what is there; what lies at the goal is gone either way. */
async function move(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  try {
    await rename(from, to);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

function unusable(file: string, reason: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `${file} was not brought back: ${reason}.`, { cause });
}
