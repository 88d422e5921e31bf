// Builds the web console: types of the v2 API from its OpenAPI document, then static files with hashes in their names,
// each also compressed. Does nothing when neither its sources nor the installed packages have changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const home = join(root, 'apps/console');
const output = join(home, 'dist');
const draft = join(home, 'dist.draft');
const DOCUMENT = join(root, 'docs/api/v2.openapi.json');
const TYPES = join(home, 'src/api/generated/v2.d.ts');
const MANIFEST = '.built.json';
const SOURCES = ['src', 'public', 'index.html', 'vite.config.mjs', 'tsconfig.json', 'package.json'];
/** These do not change what is bundled. */
const NOT_BUNDLED = /\.test\.ts$|\/generated\//;
const COMPRESSED = /\.(?:js|css|html|svg)$/;
/** Below that a compressed file saves nothing. */
const MIN_COMPRESSED_BYTES = 1_000;
/** The highest is eleven: the last two take ten times as long for a twentieth. */
const BROTLI_QUALITY = 9;
/** Part of the hash: what makes everything be built again. */
const RECIPE = 'vite, brotli 9, 1';

/** Builds what is out of date and prints progress. Rejects with the place of a syntax error. */
export async function buildConsole(print) {
  await writeTypes();
  const hash = hashOfSources();
  if (readManifest() === hash) return;
  print('Building the console …');
  await bundle();
  for (const file of filesIn(draft)) compress(join(draft, file));
  writeFileSync(join(draft, MANIFEST), JSON.stringify({ hash }));
  // Exchanged as a whole: a process that serves the files sees the old ones or the new ones.
  rmSync(output, { recursive: true, force: true });
  renameSync(draft, output);
}

/** Types of paths, parameters and records: of the very document that is served. */
export async function typesOfDocument() {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  return astToString(await openapiTS(JSON.parse(readFileSync(DOCUMENT, 'utf8'))));
}

async function writeTypes() {
  const mark = `// ${createHash('sha256').update(readFileSync(DOCUMENT)).digest('hex')}\n`;
  if (existsSync(TYPES) && readFileSync(TYPES, 'utf8').startsWith(mark)) return;
  mkdirSync(dirname(TYPES), { recursive: true });
  writeFileSync(TYPES, `${mark}${await typesOfDocument()}`);
}

async function bundle() {
  const { build } = await import('vite');
  rmSync(draft, { recursive: true, force: true });
  await build({ root: home, logLevel: 'warn', build: { outDir: draft, emptyOutDir: true } });
}

function compress(path) {
  const content = readFileSync(path);
  if (!COMPRESSED.test(path) || content.length < MIN_COMPRESSED_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}

function hashOfSources() {
  const hash = createHash('sha256').update(RECIPE);
  // Versions of what is bundled.
  hash.update(readFileSync(join(root, 'package-lock.json')));
  for (const source of SOURCES) {
    const path = join(home, source);
    const files = statSync(path).isDirectory() ? filesIn(path).map((file) => join(path, file)) : [path];
    for (const file of files.sort()) {
      const name = relative(home, file);
      if (!NOT_BUNDLED.test(`/${name}`)) hash.update(name).update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}

function readManifest() {
  try {
    return JSON.parse(readFileSync(join(output, MANIFEST), 'utf8')).hash;
  } catch {
    return undefined;
  }
}

function filesIn(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildConsole((line) => console.log(line));
