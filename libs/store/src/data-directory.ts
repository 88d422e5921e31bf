// The directory of one process's data: the data file, its lock, keys and certificates that were made for it.
import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes the directory, with its missing parents, for this user alone. Rejects with the error of the file system. Node's
 * recursive mkdir never returns where a file system has no room for new names and answers ENOENT, as /proc does.
 */
export async function makeDataDirectory(directory: string): Promise<void> {
  const missing: string[] = [];
  for (let each = directory; !existsSync(each); each = dirname(each)) missing.unshift(each);
  for (const each of missing.length === 0 ? [directory] : missing) {
    await mkdir(each, { mode: 0o700 }).catch(async (error: unknown) => {
      // It was there, or another process was faster.
      const found = await stat(each).catch(() => undefined);
      if (found?.isDirectory() !== true) throw error;
    });
  }
}
