// Builds tools once for all checkouts of this user, into a folder of the cache that is named by what fixes their content.
// Beside it what the builds share: `go build`, and the program that builds ahead of the tests.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../on-demand.mjs';
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

/** Before a command that takes minutes. */
export const NICE = ['nice', '-n', '15'];

/** The linker would drop it: not written at all, it saves a tenth of the compiler's processor time. */
const WITHOUT_DWARF = ['-gcflags=all=-dwarf=false'];
/** The compiler collects garbage at five times what is live, not at twice: another tenth. */
const COMPILER_GOGC = '400';

/**
 * Builds Go packages of the module in `home` into `output`, as small programs that depend on nothing of the machine. `linker`: further
 * flags of the linker. Resolves with how it failed, or with undefined.
 */
export async function buildGo(go, { home, packages, output, linker = '', withinMs }) {
  const flags = ['-trimpath', '-buildvcs=false', `-ldflags=${['-s -w', linker].join(' ').trim()}`, '-o', output];
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOGC: COMPILER_GOGC };
  const failed = await run([...NICE, go, 'build', ...WITHOUT_DWARF, ...flags, ...packages], home, { env, withinMs });
  return failed === undefined ? undefined : `go build ${packages.join(' ')}: ${failed}`;
}

/** Ends the program that builds: prints the folder, or what is missing or failed. `what` could not be built. */
export function reportBuilt(what, { directory, skipped, failed }) {
  if (directory === undefined) {
    print(skipped === undefined ? failed : `Without ${what}: ${skipped} is needed.`);
    process.exitCode = 1;
  } else process.stdout.write(`${directory}\n`);
}
