// Puts a backup in the place of the one-process mode's data file, while no store has it open.
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, isAppError } from '@busbar/core';
import { checkDataFile, checksumFileOf, DATA_FILE, lockDirectory, readChecksum, sha256Of } from '@busbar/store';
import type { RestoreReport } from './admin/command';
import { isThere, KEPT } from '@busbar/runtime';
import { errnoOf } from '@busbar/runtime';
import { createStorePlatform, type AdapterDeps } from '@busbar/runtime';

/** How every SQLite database begins (its file format, 1.3.1). */
const MAGIC = 'SQLite format 3\0';
/**
 * The write-ahead log belongs to its data file: it must never meet another. Nor the journal, which is there for a moment
 * while a file is closed.
 */
const PARTS = ['', '-wal', '-journal'];

export interface RestoreDeps extends AdapterDeps {
  /** Closes the store of this process, once the backup is found to be sound. */
  readonly release?: () => Promise<void>;
}

/**
 * Replaces the data file in `directory` by a copy of `file`, which is verified first (its checksum, where one lies beside it,
 * and all of its pages), and opened once; raises its counters above what was given since, which a broker outside the process
 * may still name. What was there stays beside it, ending in `.before-restore`. Throws `invalid_request` for a file that is no
 * backup or is damaged, and `invalid_configuration` while a process has the directory; the data is then as it was.
 */
export async function restoreDataFile(directory: string, file: string, deps: RestoreDeps): Promise<RestoreReport> {
  await checkIsDatabase(file);
  const target = join(directory, DATA_FILE);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const incoming = `${target}.incoming`;
  let report: RestoreReport;
  let putBack: () => Promise<void>;
  try {
    report = await copyVerified(file, incoming);
    await deps.release?.();
    const lock = await lockDirectory(directory);
    try {
      putBack = await exchange(target, incoming, file);
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
    await putBack();
    const reason = isAppError(cause) ? cause.message : 'it cannot be opened';
    throw unusable(file, `${reason}; the data is as it was`, cause);
  }
  return report;
}

/** What is verified is the copy, which nobody else changes any more. */
async function copyVerified(file: string, incoming: string): Promise<RestoreReport> {
  const expected = await readChecksum(file);
  try {
    await copyIn(file, incoming);
  } catch (cause) {
    throw unusable(file, `it cannot be put in place (${errnoOf(cause) ?? 'unknown'}); the data is as it was`, cause);
  }
  if (expected !== undefined && (await sha256Of(incoming)) !== expected) {
    throw unusable(file, `it is not the file of its checksum ${checksumFileOf(file)}; the data is as it was`);
  }
  const damage = await checkDataFile(incoming, 'full');
  if (damage !== undefined) throw unusable(file, `it is damaged (${damage}); the data is as it was`);
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
  throw unusable(file, 'it is no backup of this service');
}

/**
 * Gives the way back. Killed in the midst, it leaves no data file, and `broken-off-restore.ts` keeps a store from making an
 * empty one; begun again, it keeps what the first attempt had moved away.
 */
async function exchange(target: string, incoming: string, file: string): Promise<() => Promise<void>> {
  const moved: string[] = [];
  let placed = false;
  const putBack = async (): Promise<void> => {
    if (placed) for (const part of PARTS) await rm(`${target}${part}`, { force: true });
    // The data file last: while it is missing nothing starts.
    for (const part of moved.toReversed()) await rename(`${target}${KEPT}${part}`, `${target}${part}`);
    await syncDirectory(dirname(target));
  };
  try {
    if (await isThere(target)) for (const part of PARTS) await rm(`${target}${KEPT}${part}`, { force: true });
    for (const part of PARTS) if (await move(`${target}${part}`, `${target}${KEPT}${part}`)) moved.push(part);
    await rename(incoming, target);
    placed = true;
    await syncDirectory(dirname(target));
  } catch (cause) {
    await putBack();
    throw unusable(file, `it cannot be put in place (${errnoOf(cause) ?? 'unknown'}); the data is as it was`, cause);
  }
  return putBack;
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

/** Names are on the disk only when their directory is. */
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
  return new AppError('invalid_request', `${file} was not brought back: ${reason}.`, { cause });
}
