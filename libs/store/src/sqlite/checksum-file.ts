// The checksum file of a backup, in the format of sha256sum: `sha256sum -c FILE.sha256` verifies it.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@busbar/core';

const MAX_CHARACTERS = 4_096;
const LINE = /^\\?([0-9a-f]{64}) [ *]/i;

export function checksumFileOf(file: string): string {
  return `${file}.sha256`;
}

/** The SHA-256 of the content, hexadecimal. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** The content of the checksum file. sha256sum escapes backslashes and line ends in names, and marks that in front. */
export function checksumLine(file: string, sha256: string): string {
  const name = basename(file);
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `${escaped === name ? '' : '\\'}${sha256}  ${escaped}\n`;
}

/** The checksum beside `file`; undefined where there is none. Throws `invalid_request` for an invalid checksum file. */
export async function readChecksum(file: string): Promise<string | undefined> {
  const beside = checksumFileOf(file);
  let text: string;
  try {
    text = await readFile(beside, 'utf8');
  } catch (cause) {
    if (typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new AppError('invalid_request', `${beside} cannot be read: correct its permissions, or remove it.`, {
      cause,
    });
  }
  // The name is ignored: a backup may be moved.
  const [, sha256] = LINE.exec(text.slice(0, MAX_CHARACTERS)) ?? [];
  if (sha256 !== undefined) return sha256.toLowerCase();
  throw new AppError('invalid_request', `${beside} has no line of sha256sum: copy the right file, or remove it.`);
}
