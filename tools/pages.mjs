// Copies what the interactive pages need of the npm package swagger-ui-dist to where libs/http serves it from: the
// bundle, the style sheet and the licences. Not kept in git. Does nothing when the copies are those files already.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'libs/http/assets/swagger-ui');
const FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'];

/** Copies what is missing or differs. Returns the paths it wrote: none when all was there. */
export function copyPages() {
  // Not its main file, which is for servers; only where it lies is of interest.
  const source = dirname(createRequire(join(root, 'package.json')).resolve('swagger-ui-dist/package.json'));
  mkdirSync(target, { recursive: true });
  return FILES.filter((name) => copy(join(source, name), join(target, name))).map((name) => join(target, name));
}

// Renamed into place: a process that reads meanwhile sees the old file or the new one.
function copy(from, to) {
  const content = withoutSourceMap(readFileSync(from));
  if (existsSync(to) && readFileSync(to).equals(content)) return false;
  const draft = `${to}.${process.pid}.draft`;
  writeFileSync(draft, content);
  renameSync(draft, to);
  return true;
}

/** The maps are larger than the files and are not served; a browser's developer tools would ask for them in vain. */
function withoutSourceMap(content) {
  return Buffer.from(content.toString('utf8').replace(/\n?(\/\/|\/\*)# sourceMappingURL=[^\n]*\n?$/, '\n'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const path of copyPages()) console.log(`copied ${path.slice(root.length + 1)}`);
}
