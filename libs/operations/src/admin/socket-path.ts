// The path of the administration socket, and whether it can be trusted. Secrets cross the socket in both directions, so each
// side checks its owner first.
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { AppError } from '@busbar/core';
import { errnoOf } from '@busbar/runtime';

/** Maximum length of a socket path on every system (macOS: 104 bytes with the terminator). */
const PATH_BYTES = 100;
const SOCKET = 'admin.sock';
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The path to listen on, in a folder that exists and belongs to this user. The folder is the data directory. Where that
 * path is too long for a socket, it is an owner-only folder in XDG_RUNTIME_DIR or the temporary directory. Throws
 * `invalid_configuration` where another user owns that folder.
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
 * The socket to connect to; undefined without one. Throws `invalid_configuration` for a socket that another user created or
 * could have created.
 */
export function findAdminSocket(directory: string, environment: Environment = process.env): string | undefined {
  return candidates(directory, environment).find((path) => isOurSocket(path, directory));
}

/** A process listens on the first; a process with another environment may use another one. */
function candidates(directory: string, environment: Environment): readonly string[] {
  const inside = join(directory, SOCKET);
  if (Buffer.byteLength(inside) <= PATH_BYTES) return [inside];
  const name = createHash('sha256').update(realpathSync(directory)).digest('hex').slice(0, 16);
  const runtime = environment['XDG_RUNTIME_DIR'];
  const parents = runtime !== undefined && isUsableRuntimeDirectory(runtime) ? [runtime, tmpdir()] : [tmpdir()];
  return parents.map((parent) => join(parent, `busbar-${name}`, SOCKET));
}

/** `sudo` and `su` keep the variable of another user. */
function isUsableRuntimeDirectory(path: string): boolean {
  if (!isAbsolute(path) || Buffer.byteLength(path) > PATH_BYTES - 40) return false;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.isDirectory() && isOurs(stats) && (stats.mode & 0o077) === 0;
}

function isOurSocket(path: string, directory: string): boolean {
  const stats = statsOf(path);
  // No process can listen on a regular file.
  if (stats === undefined || stats.isFile()) return false;
  if (path === join(directory, SOCKET)) checkDataDirectory(directory);
  else checkOwnFolder(dirname(path));
  if (!stats.isSocket()) throw distrusted(`${path} is no socket: remove it.`);
  if (isOurs(stats)) return true;
  throw distrusted(`${path} belongs to user ${String(stats.uid)}: run this as the user that runs the service.`);
}

/** The name is predictable, so another user may have created the folder, or a link in its place. */
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

/** A user who may write a directory can replace the socket in it. */
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

/** Does not follow links. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw distrusted(`${path} cannot be read (${code ?? 'unknown'}): run this as the user that runs the service.`);
  }
}

function distrusted(message: string): AppError {
  return new AppError('invalid_configuration', message);
}
