// A restore that a kill broke off between moving the old data file away and putting the new one in its place. A store that
// started then would make an empty one, and nobody would know.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, type Service } from '@busbar/core';
import { DATA_FILE } from '@busbar/store';

/** What the data file that a restore took the place of ends in. */
export const KEPT = '.before-restore';

/** Goes before the store: `start` rejects with `invalid_configuration` where the old data file is there and no other. */
export function createRestoreGuard(directory: string): Service {
  const target = join(directory, DATA_FILE);
  return {
    name: 'restore-guard',
    async start() {
      if ((await isThere(target)) || !(await isThere(`${target}${KEPT}`))) return;
      const message =
        `${target} is not there and ${target}${KEPT} is: a restore was broken off. Bring the backup back again, or rename ` +
        `${target}${KEPT} to ${target} (and the files of the same name that end in -wal and -journal, if there are any).`;
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
