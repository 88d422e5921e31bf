import { isAppError } from '@busbar/core';
import { errnoOf } from '../errno';

type Sentence = (place: string) => string;

/** Error codes of the operating system at a start, each with a sentence that says what to do. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  EADDRINUSE: (place) => `${place} is taken by another process: stop that one or choose another.`,
  EADDRNOTAVAIL: (place) => `${place} is not an address of this machine: correct HOST.`,
  EACCES: (place) => `${place} may not be used by this user: correct its rights, or choose a port above 1023.`,
  EPERM: (place) => `${place} may not be used by this user: correct its rights.`,
  ENOENT: (place) => `${place} does not exist: correct the path.`,
  ENOTDIR: (place) => `${place} leads through a file that is no directory: correct the path.`,
  EISDIR: (place) => `${place} is a directory where a file is needed: correct the path.`,
  ENOSPC: (place) => `${place} has no space left: make room on the disk.`,
  EROFS: (place) => `${place} cannot be written (read-only file system): choose another path.`,
  ENOTFOUND: () => 'A host name in the settings is unknown: correct HOST, BROKER_URL or STORE_URL.',
  ECONNREFUSED: (place) => `${place} refuses connections: start the server there or correct the URL.`,
};

/** One sentence for a failure that an operator can fix; undefined for a defect. */
export function startFailure(error: unknown): string | undefined {
  if (isAppError(error)) return error.code === 'internal' ? undefined : error.message;
  const code = errnoOf(error);
  if (code === undefined) return undefined;
  return SENTENCES[code]?.(placeOf(error as SystemError));
}

interface SystemError {
  readonly address?: string;
  readonly port?: number;
  readonly path?: string;
}

function placeOf({ address, port, path }: SystemError): string {
  if (port !== undefined) return `Port ${String(port)}${address === undefined ? '' : ` at ${address}`}`;
  return path ?? address ?? 'A file or address';
}
