// Builds tools once for all checkouts of this user, into a folder of the cache that is named by what fixes their content.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { print } from '../prepare.mjs';
import { cacheFolder, findGo } from './go.mjs';

/**
 * `build(go, directory)` writes with this Go command into a folder, and resolves with how it failed, or with undefined. `inputs`, files of
 * `home`, fix the result. `misses()` says what else the machine lacks. Resolves with `{directory}`; or `{skipped}`, what the machine
 * lacks; or `{failed}`, how the build ended.
 */
export async function buildOnce({ name, home, inputs, announcement, build, misses = () => undefined }) {
  const hash = createHash('sha256');
  for (const input of inputs) hash.update(readFileSync(join(home, input)));
  const directory = join(cacheFolder(), `${name}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(directory)) return { directory };
  const { program: go, ...missing } = await findGo();
  if (go === undefined) return missing;
  const lacking = misses();
  if (lacking !== undefined) return { skipped: lacking };
  print(announcement);
  const unfinished = `${directory}.${String(process.pid)}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    const failed = await build(go, unfinished);
    if (failed !== undefined) return { failed };
    // Another process may have been faster.
    if (!existsSync(directory)) renameSync(unfinished, directory);
    return { directory };
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
