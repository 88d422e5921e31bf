// The built files of the web console (`apps/console/dist`), in memory: few, small, and no path leads out of the directory.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { AppError, type Clock, type Logger } from '@busbar/core';
import type { Encoding, FileFinder, StaticFile } from '@busbar/http';

/** From the sources and from `dist/` alike, also in the image. */
export const CONSOLE_DIRECTORY = join(__dirname, '../../../../apps/console/dist');
export const CONSOLE_PATH = '/console';

export interface ConsoleFiles {
  readonly find: FileFinder;
  isBuilt(): boolean;
}

export interface ConsoleFilesOptions {
  readonly directory: string;
  /** The Content-Security-Policy of the pages. */
  readonly policy: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

const INDEX = 'index.html';
/** Vite puts files with a hash of their content in the name here. */
const HASHED = 'assets/';
const IMMUTABLE = 'public, max-age=31536000, immutable';
const LOOK_AGAIN_MS = 1_000;
const MAX_FILES = 2_000;
const MAX_BYTES = 64_000_000;
const ENCODINGS: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
};

type Files = ReadonlyMap<string, StaticFile>;

/** Without the files, looks for them again at a request, at most once a second. */
export function createConsoleFiles(options: ConsoleFilesOptions): ConsoleFiles {
  const { directory, clock, logger } = options;
  let files: Files | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;

  function current(): Files | undefined {
    const now = clock.monotonicMs();
    if (files !== undefined || now - lookedAt < LOOK_AGAIN_MS) return files;
    lookedAt = now;
    try {
      if (existsSync(join(directory, INDEX))) files = readFiles(options);
    } catch (error) {
      logger.error({ err: error, directory }, 'cannot read the files of the console: build them again, npm run build');
    }
    return files;
  }

  return {
    isBuilt: () => current() !== undefined,
    find({ path, isNavigation }) {
      if (path === '/') return current() && { redirect: `${CONSOLE_PATH}/` };
      if (path === CONSOLE_PATH) return { redirect: `${CONSOLE_PATH}/` };
      if (!path.startsWith(`${CONSOLE_PATH}/`)) return undefined;
      const found = current();
      if (found === undefined) throw new AppError('not_found', NOT_BUILT);
      const name = path.slice(CONSOLE_PATH.length + 1);
      // Ids of chargers have dots too, and a reader may reload the page of one.
      const isPage = !name.includes('.') || (isNavigation && !name.startsWith(HASHED));
      return found.get(name) ?? (isPage ? found.get(INDEX) : undefined);
    },
  };
}

const NOT_BUILT =
  'The console is not built on this server. Run "npm run build" there, or set CONSOLE=off. The API is at /v2, its documentation at /v2/docs.';

/** Throws where the files are too many or too large. */
function readFiles({ directory, policy }: ConsoleFilesOptions): Files {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/[/\\]\./.test(path.slice(directory.length)));
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  if (paths.length > MAX_FILES || bytes > MAX_BYTES)
    throw new Error('the files of the console are too many or too large');
  const known = new Set(paths);
  const originals = paths.filter((path) => !ENCODINGS.some(([, suffix]) => path.endsWith(suffix)));
  return new Map(originals.map((path) => [nameOf(directory, path), readFile(path, known, { directory, policy })]));
}

function readFile(
  path: string,
  known: ReadonlySet<string>,
  { directory, policy }: Pick<ConsoleFilesOptions, 'directory' | 'policy'>,
): StaticFile {
  const encoded = ENCODINGS.filter(([, suffix]) => known.has(`${path}${suffix}`));
  const isHashed = nameOf(directory, path).startsWith(HASHED);
  return {
    body: readFileSync(path),
    encoded: Object.fromEntries(encoded.map(([encoding, suffix]) => [encoding, readFileSync(`${path}${suffix}`)])),
    headers: {
      'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
      'cache-control': isHashed ? IMMUTABLE : 'no-cache',
      'content-security-policy': policy,
    },
  };
}

function nameOf(directory: string, path: string): string {
  return relative(directory, path).replaceAll(sep, '/');
}
