import { existsSync } from 'node:fs';
import { chmod, copyFile, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { AppError, isAppError } from '@busbar/core';

import type { Calls } from './calls';
import { checksumFileOf, checksumLine, sha256Of } from './checksum-file';
import { checkDataFile } from './data-file-check';

export interface BackupOptions {
  /** Replace an existing file. Default: rejected with `invalid_request`. */
  readonly replace?: boolean;
}

/**
 * Copies the data file while the store is in use: the copy has all writes from before the call. Between checkpoints the
 * data file does not change, and writes go to the write-ahead log. So one checkpoint is made before the copy, and none
 * during it. The copy is checked for damage and gets a checksum file. The target appears complete or not at all.
 */
export async function copyDatabase(
  calls: Pick<Calls, 'read'>,
  source: string,
  target: string,
  { replace = false }: BackupOptions = {},
): Promise<void> {
  if (resolve(source) === resolve(target)) throw new AppError('invalid_request', 'a backup needs a file of its own');
  const checksum = checksumFileOf(target);
  if (!replace) for (const file of [target, checksum]) refuseExisting(file);
  const unfinished = `${target}.unfinished`;
  const unfinishedChecksum = `${checksum}.unfinished`;
  try {
    await copyQuiesced(calls, source, unfinished);
    const damage = await checkDataFile(unfinished, 'quick');
    if (damage !== undefined) throw damaged(source, target, damage);
    await writeFile(unfinishedChecksum, checksumLine(target, await sha256Of(unfinished)), { mode: 0o600 });
    await sync(unfinishedChecksum);
    // A backup without a checksum can be restored, one with the checksum of another cannot.
    await rm(checksum, { force: true });
    await rename(unfinished, target);
    await rename(unfinishedChecksum, checksum);
    await sync(dirname(resolve(target)));
  } catch (error) {
    for (const file of [unfinished, unfinishedChecksum]) await rm(file, { force: true });
    if (isAppError(error)) throw error;
    throw new AppError('unavailable', `The backup ${target} could not be written`, { cause: error });
  }
}

async function copyQuiesced(calls: Pick<Calls, 'read'>, source: string, copy: string): Promise<void> {
  try {
    await calls.read({ op: 'hold' });
    await copyFile(source, copy);
  } finally {
    await calls.read({ op: 'release' });
  }
  await chmod(copy, 0o600);
  await sync(copy);
}

function refuseExisting(file: string): void {
  if (existsSync(file))
    throw new AppError('invalid_request', `${file} exists: choose another name, or add --force to replace it.`);
}

function damaged(source: string, target: string, damage: string): AppError {
  const message =
    `The data file ${source} is damaged (${damage}), so the backup ${target} was not written: ` +
    'restore an earlier backup, and check the disk.';
  return new AppError('unavailable', message);
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
