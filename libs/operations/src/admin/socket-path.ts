// Where the process that has a data directory listens for administration, and whether that place can be believed. Secrets go
// over the socket in both directions, so either side looks at who owns it first.
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { AppError } from '@busbar/core';
import { errnoOf } from '@busbar/runtime';

/** What a socket's path may have on every system (macOS: 104 bytes with the end). */
const PATH_BYTES = 100;
const SOCKET = 'admin.sock';
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where to listen; its folder is there and is ours. In the data directory, or, where that path is too long for a socket, in
 * an owner-only folder that is named after it: of XDG_RUNTIME_DIR, else of the temporary directory. Throws
 * `invalid_configuration` where another user has that folder.
 */
export function prepareAdminSocket(directory: string, environment: Environment = process.env): string {
  const [path = ''] = candidates(directory, environment);
  if (path !== join(directory, SOCKET)) {
    const folder = dirname(path);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    checkOwnFolder(folder);
  }
  return path;
}

/**
 * The socket to ask; undefined where there is none. Throws `invalid_configuration` where one is that another user made or
 * could have made: whoever listens there may be anybody.
 */
export function findAdminSocket(directory: string, environment: Environment = process.env): string | undefined {
  return candidates(directory, environment).find((path) => isOurSocket(path, directory));
}

/** The first is where a process listens; one that was started from another environment may have another. */
function candidates(directory: string, environment: Environment): readonly string[] {
  const inside = join(directory, SOCKET);
  if (Buffer.byteLength(inside) <= PATH_BYTES) return [inside];
  const name = createHash('sha256').update(realpathSync(directory)).digest('hex').slice(0, 16);
  const runtime = environment['XDG_RUNTIME_DIR'];
  const parents = runtime !== undefined && isUsableRuntimeDirectory(runtime) ? [runtime, tmpdir()] : [tmpdir()];
  return parents.map((parent) => join(parent, `busbar-${name}`, SOCKET));
}

/** Another user's is inherited through `sudo` and `su`. */
function isUsableRuntimeDirectory(path: string): boolean {
  if (!isAbsolute(path) || Buffer.byteLength(path) > PATH_BYTES - 40) return false;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.isDirectory() && isOurs(stats) && (stats.mode & 0o077) === 0;
}

function isOurSocket(path: string, directory: string): boolean {
  const stats = statsOf(path);
  // A file cannot be listened on: nobody does.
  if (stats === undefined || stats.isFile()) return false;
  if (path === join(directory, SOCKET)) checkDataDirectory(directory);
  else checkOwnFolder(dirname(path));
  if (!stats.isSocket()) throw distrusted(`${path} is no socket: remove it.`);
  if (isOurs(stats)) return true;
  throw distrusted(`${path} belongs to user ${String(stats.uid)}: run this as the user that runs the service.`);
}

/** Its name can be foreseen, so another user may have made it first, or a link in its place. */
function checkOwnFolder(folder: string): void {
  const stats = statsOf(folder);
  if (stats?.isDirectory() !== true) throw distrusted(`${folder} is no directory: remove it.`);
  if (!isOurs(stats)) {
    throw distrusted(
      `${folder} belongs to user ${String(stats.uid)}: remove it, or use a data directory with a shorter path.`,
    );
  }
  if ((stats.mode & 0o077) !== 0) throw distrusted(`${folder} is open to other users: set its mode to 0700.`);
  const parent = statSync(dirname(folder));
  if ((parent.mode & (GROUP_WRITES | OTHERS_WRITE)) !== 0 && (parent.mode & STICKY) === 0) {
    throw distrusted(`Other users may replace ${folder}: set the sticky bit of ${dirname(folder)}, or TMPDIR.`);
  }
}

/** Whoever may write a directory may put another socket in the place of ours. */
function checkDataDirectory(directory: string): void {
  const stats = statSync(directory);
  const { uid, gid, mode } = stats;
  if (!isOurs(stats) && uid !== 0) {
    throw distrusted(`${directory} belongs to user ${String(uid)}: run this as the user that runs the service.`);
  }
  // A user's private group has the user's number; a volume in Kubernetes belongs to root and that group.
  const isPrivateGroup = gid === process.getuid?.();
  const writers = isPrivateGroup ? OTHERS_WRITE : OTHERS_WRITE | GROUP_WRITES;
  if ((mode & writers) !== 0) throw distrusted(`${directory} can be written by other users: set its mode to 0700.`);
}

function isOurs({ uid }: Stats): boolean {
  const own = process.getuid?.();
  return own === undefined || uid === own;
}

/** Of the entry itself and not of what a link leads to. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw distrusted(`${path} cannot be looked at (${code ?? 'unknown'}): run this as the user that runs the service.`);
  }
}

function distrusted(message: string): AppError {
  return new AppError('invalid_configuration', message);
}
