// Identifies the build: the version of the packages, and the git revision that tools/build.mjs recorded. Git is not needed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA_VERSION } from '../migrations/migrations';
import type { ProgramVersion } from '../processes/process-record';

export interface BuildInfo {
  readonly version: string;
  /** Abbreviated commit, with `-dirty` for a checkout with changes. Absent where the build did not know it. */
  readonly revision?: string;
}

const PACKAGE = join(__dirname, '../..');
/** tools/build.mjs writes it. */
const RECORD = 'dist/build.json';
const REVISION = /^[0-9a-f]{7,64}(?:-dirty)?$/;

/** Reads version and revision from the files of this package, or of the package in `directory`. */
export function readBuildInfo(directory = PACKAGE): BuildInfo {
  const version = fieldOf(join(directory, 'package.json'), 'version') ?? 'unknown';
  const revision = fieldOf(join(directory, RECORD), 'revision');
  return revision !== undefined && REVISION.test(revision) ? { version, revision } : { version };
}

/** Returns the version that this program shows to the other processes. */
export function programVersion({ version }: BuildInfo = readBuildInfo()): ProgramVersion {
  return { schema: SCHEMA_VERSION, program: version };
}

/** One line for `--version`: `v2-api 0.1.0 (2129fc66644a)`. */
export function versionLine(name: string, { version, revision }: BuildInfo = readBuildInfo()): string {
  return `${name} ${version}${revision === undefined ? '' : ` (${revision})`}`;
}

function fieldOf(file: string, field: string): string | undefined {
  try {
    const value = (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)[field];
    return typeof value === 'string' ? value : undefined;
  } catch {
    // Missing: an incomplete build still runs.
    return undefined;
  }
}
