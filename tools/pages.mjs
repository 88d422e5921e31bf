// Copies what the interactive pages need of the npm package swagger-ui-dist to where libs/http serves it from: the
// bundle, the style sheet and the licences; the larger ones also compressed, once for all requests. Not kept in git. Does
// nothing when the copies are those files already.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'libs/http/assets/swagger-ui');
const FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'];
const COMPRESSED = ['swagger-ui-bundle.js', 'swagger-ui.css'];
/** The highest is eleven: the last two take ten times as long for a twentieth. */
const BROTLI_QUALITY = 9;
const ENCODINGS = {
  br: (content) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gz: (content) => gzipSync(content, { level: 9 }),
};

/** Copies what is missing or differs. Returns the paths it wrote: none when all was there. */
export function copyPages() {
  // Not its main file, which is for servers; only where it lies is of interest.
  const source = dirname(createRequire(join(root, 'package.json')).resolve('swagger-ui-dist/package.json'));
  mkdirSync(target, { recursive: true });
  return FILES.flatMap((name) => copy(name, join(source, name)));
}

/** The paths it wrote. */
function copy(name, from) {
  const to = join(target, name);
  const content = withoutSourceMap(readFileSync(from));
  const encodings = COMPRESSED.includes(name) ? Object.entries(ENCODINGS) : [];
  const isThere = [to, ...encodings.map(([end]) => `${to}.${end}`)].every((path) => existsSync(path));
  if (isThere && readFileSync(to).equals(content)) return [];
  for (const [end, compress] of encodings) write(`${to}.${end}`, compress(content));
  // Last: it says that the others are those of this content.
  write(to, content);
  return [to];
}

// Renamed into place: a process that reads meanwhile sees the old file or the new one.
function write(to, content) {
  const draft = `${to}.${process.pid}.draft`;
  writeFileSync(draft, content);
  renameSync(draft, to);
}

/** The maps are larger than the files and are not served; a browser's developer tools would ask for them in vain. */
function withoutSourceMap(content) {
  return Buffer.from(content.toString('utf8').replace(/\n?(\/\/|\/\*)# sourceMappingURL=[^\n]*\n?$/, '\n'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const path of copyPages()) console.log(`copied ${path.slice(root.length + 1)}`);
}
