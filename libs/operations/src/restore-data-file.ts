// Replaces the data file of the one-process mode by a backup, while no store has it open.
import { copyFile, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, isAppError } from '@busbar/core';
import {
  checkDataFile,
  checksumFileOf,
  DATA_FILE,
  lockDirectory,
  makeDataDirectory,
  readChecksum,
  sha256Of,
} from '@busbar/store';
import type { RestoreReport } from './admin/command';
import { createStorePlatform, errnoOf, isThere, REPLACED_SUFFIX, type AdapterDeps } from '@busbar/runtime';

/** The first bytes of an SQLite database (its file format, 1.3.1). */
const MAGIC = 'SQLite format 3\0';
/**
 * The write-ahead log and the journal belong to their data file, and must never be read with another.
 */
const PARTS = ['', '-wal', '-journal'];

export interface RestoreDeps extends AdapterDeps {
  /** Closes the store of this process, after the backup is verified. */
  readonly release?: () => Promise<void>;
}

/**
 * Replaces the data file in `directory` by a copy of `file`. The copy is verified first: its checksum, if there is one, and
 * all of its pages. The new file is opened once, and its counters are raised above those assigned since the backup. The old
 * file stays beside it as `.before-restore`. Throws `invalid_request` for a damaged or foreign file, and
 * `invalid_configuration` while a process has the directory; the data is then unchanged.
 */
export async function restoreDataFile(directory: string, file: string, deps: RestoreDeps): Promise<RestoreReport> {
  await checkIsDatabase(file);
  const target = join(directory, DATA_FILE);
  await makeDataDirectory(directory);
  const incoming = `${target}.incoming`;
  let report: RestoreReport;
  let rollback: () => Promise<void>;
  try {
    report = await copyVerified(file, incoming);
    await deps.release?.();
    const lock = lockDirectory(directory);
    try {
      rollback = await exchange(target, incoming, file);
    } finally {
      lock.release();
    }
  } finally {
    await rm(incoming, { force: true });
  }
  try {
    const platform = createStorePlatform(`file:${directory}`, deps);
    await platform.start();
    try {
      await platform.raiseCounters();
    } finally {
      await platform.stop();
    }
  } catch (cause) {
    await rollback();
    const reason = isAppError(cause) ? cause.message : 'it cannot be opened';
    throw unusable(file, `${reason}; the data is unchanged`, cause);
  }
  return report;
}

/** Verifies the copy, which no other process changes. */
async function copyVerified(file: string, incoming: string): Promise<RestoreReport> {
  const expected = await readChecksum(file);
  try {
    await copyIn(file, incoming);
  } catch (cause) {
    throw unusable(file, `it cannot be copied (${errnoOf(cause) ?? 'unknown'}); the data is unchanged`, cause);
  }
  if (expected !== undefined && (await sha256Of(incoming)) !== expected) {
    throw unusable(file, `it does not match its checksum ${checksumFileOf(file)}; the data is unchanged`);
  }
  const damage = await checkDataFile(incoming, 'full');
  if (damage !== undefined) throw unusable(file, `it is damaged (${damage}); the data is unchanged`);
  return { isVerified: expected !== undefined };
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
  throw unusable(file, 'it is not a backup of this service');
}

/**
 * Returns the rollback. A kill in between leaves no data file, and `broken-off-restore.ts` of libs/runtime then refuses a
 * start. A repeated restore keeps the file that the first one moved.
 */
async function exchange(target: string, incoming: string, file: string): Promise<() => Promise<void>> {
  const moved: string[] = [];
  let placed = false;
  const rollback = async (): Promise<void> => {
    if (placed) for (const part of PARTS) await rm(`${target}${part}`, { force: true });
    // The data file last: without it no process starts.
    for (const part of moved.toReversed()) await rename(`${target}${REPLACED_SUFFIX}${part}`, `${target}${part}`);
    await syncDirectory(dirname(target));
  };
  try {
    if (await isThere(target))
      for (const part of PARTS) await rm(`${target}${REPLACED_SUFFIX}${part}`, { force: true });
    for (const part of PARTS)
      if (await move(`${target}${part}`, `${target}${REPLACED_SUFFIX}${part}`)) moved.push(part);
    await rename(incoming, target);
    placed = true;
    await syncDirectory(dirname(target));
  } catch (cause) {
    await rollback();
    throw unusable(file, `it cannot be copied (${errnoOf(cause) ?? 'unknown'}); the data is unchanged`, cause);
  }
  return rollback;
}

async function copyIn(file: string, incoming: string): Promise<void> {
  await copyFile(file, incoming);
  const handle = await open(incoming, 'r+');
  try {
    await handle.chmod(0o600);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A rename is durable when its directory is synced. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** False where there is nothing to move. */
async function move(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function unusable(file: string, reason: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `${file} was not restored: ${reason}.`, { cause });
}
