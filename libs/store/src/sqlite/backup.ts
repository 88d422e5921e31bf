import { copyFile, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { AppError } from '@busbar/core';

import type { Calls } from './calls';

/**
 * Copies the data file while the store goes on: what was written before the call is in the copy, whole. Between two
 * checkpoints the data file itself stands still and all writes go to the write-ahead log, so it is enough to make one,
 * and none until the copy is done. The target appears complete or not at all.
 */
export async function copyDatabase(calls: Pick<Calls, 'read'>, source: string, target: string): Promise<void> {
  if (resolve(source) === resolve(target)) throw new AppError('invalid_request', 'a backup needs a file of its own');
  const unfinished = `${target}.unfinished`;
  try {
    await calls.read({ op: 'hold' });
    await copyFile(source, unfinished);
    await sync(unfinished);
    await rename(unfinished, target);
    await sync(dirname(resolve(target)));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw new AppError('unavailable', `the backup ${target} could not be written`, { cause: error });
  } finally {
    await calls.read({ op: 'release' });
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
