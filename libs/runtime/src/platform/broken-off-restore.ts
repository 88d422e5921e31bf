// Detects a restore that was killed after it moved the old data file and before it placed the new one. A store that started
// then would create an empty file.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, type Service } from '@busbar/core';
import { DATA_FILE } from '@busbar/store';

/** Suffix of the data file that a restore replaced. */
export const REPLACED_SUFFIX = '.before-restore';

/** Starts before the store. `start` rejects with `invalid_configuration` where only the replaced data file exists. */
export function createRestoreGuard(directory: string): Service {
  const target = join(directory, DATA_FILE);
  return {
    name: 'restore-guard',
    async start() {
      if ((await isThere(target)) || !(await isThere(`${target}${REPLACED_SUFFIX}`))) return;
      const message =
        `${target} is missing and ${target}${REPLACED_SUFFIX} exists: a restore was interrupted. Restore the backup again, or rename ` +
        `${target}${REPLACED_SUFFIX} to ${target} (and the files of the same name that end in -wal and -journal, if there are any).`;
      throw new AppError('invalid_configuration', message);
    },
    stop: () => Promise.resolve(),
    ready: () => true,
  };
}

export async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
