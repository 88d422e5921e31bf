// Makes what plain `node` runs: generated validators, the documentation's pages, the console, and dist/ of every package. swc
// only strips the types, file by file: all packages in about a second, where `tsc -b` takes a quarter of a minute. Types are
// checked by `npm run check`. Does nothing when its inputs have not changed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const GROUPS = ['libs', 'services', 'tools'];
const MANIFEST = '.built.json';
/** The file with the revision that processes show; `libs/runtime/src/lifecycle/build-info.ts` reads it. */
const REVISION_RECORD = join(root, 'libs/runtime/dist/build.json');
/** Tests, and what only tests use. */
const NOT_BUILT = /\.(test|contract)\.ts$|^testing\//;
/** Part of every file's hash: what makes all of them be built again. */
const RECIPE = 'swc 1.16.18, es2022, commonjs, 1';

const OPTIONS = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  sourceMaps: true,
  swcrc: false,
  configFile: false,
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await build((line) => process.stdout.write(`${line}\n`));

/** Builds what is missing or out of date and prints progress. Rejects with the place of a syntax error. */
export async function build(print) {
  const { generate } = await import('./generate.mjs');
  const generated = await generate();
  if (generated.length > 0) print(`Generated ${String(generated.length)} files of OCPP validators.`);
  const { copyPages } = await import('./pages.mjs');
  await copyPages();
  const { buildConsole } = await import('./console.mjs');
  await buildConsole(print);
  const stale = packages().map(examine).filter(isStale);
  const files = stale.reduce((sum, { changed }) => sum + changed.length, 0);
  if (stale.length > 0) print(`Building ${String(files)} files of ${String(stale.length)} packages …`);
  for (const work of stale) transpile(work);
  recordRevision();
}

/** Written only when it changed: processes of another build may read it now. */
function recordRevision() {
  const record = JSON.stringify({ revision: revision() });
  if (existsSync(REVISION_RECORD) && readFileSync(REVISION_RECORD, 'utf8') === record) return;
  writeFileSync(REVISION_RECORD, record);
}

/** BUSBAR_REVISION, which an image gets as a build argument, else git's commit; undefined where neither is known. */
function revision() {
  if (process.env.BUSBAR_REVISION) return process.env.BUSBAR_REVISION;
  // An unpacked archive may lie in the checkout of something else.
  if (!existsSync(join(root, '.git'))) return undefined;
  try {
    const describe = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
    const options = { cwd: root, encoding: 'utf8', timeout: 10_000, stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', describe, { ...options, env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' } }).trim();
  } catch {
    return undefined;
  }
}

function packages() {
  return GROUPS.flatMap((group) =>
    readdirSync(join(root, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(root, group, entry.name, 'src')))
      .map((entry) => join(root, group, entry.name)),
  );
}

/** Finds the files of a package to build, and the files of an earlier build without a source. */
function examine(home) {
  const sources = readdirSync(join(home, 'src'), { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ts') && !NOT_BUILT.test(file));
  const before = readManifest(home);
  const hashes = Object.fromEntries(sources.map((file) => [file, hashOf(join(home, 'src', file))]));
  const changed = sources.filter((file) => before[file] !== hashes[file] || !existsSync(outputOf(home, file)));
  const orphans = Object.keys(before).filter((file) => !(file in hashes));
  return { home, hashes, changed, orphans };
}

function isStale({ changed, orphans }) {
  return changed.length > 0 || orphans.length > 0;
}

function transpile({ home, hashes, changed, orphans }) {
  const { transformFileSync } = createRequire(import.meta.url)('@swc/core');
  for (const file of orphans) {
    rmSync(outputOf(home, file), { force: true });
    rmSync(`${outputOf(home, file)}.map`, { force: true });
  }
  for (const file of changed) {
    const target = outputOf(home, file);
    const source = join(home, 'src', file);
    const { code, map } = transformFileSync(source, {
      ...OPTIONS,
      sourceFileName: relative(dirname(target), source),
    });
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`);
    writeFileSync(`${target}.map`, map);
  }
  // Last, so that a build that was interrupted is done again.
  writeFileSync(join(home, 'dist', MANIFEST), JSON.stringify(hashes));
}

function outputOf(home, file) {
  return join(home, 'dist', file.replace(/\.ts$/, '.js'));
}

function readManifest(home) {
  try {
    return JSON.parse(readFileSync(join(home, 'dist', MANIFEST), 'utf8'));
  } catch {
    return {};
  }
}

function hashOf(file) {
  return createHash('sha256').update(RECIPE).update(readFileSync(file)).digest('hex').slice(0, 32);
}
