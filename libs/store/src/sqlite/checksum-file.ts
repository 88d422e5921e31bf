// The checksum beside a backup, in the format of sha256sum: `sha256sum -c FILE.sha256` verifies it too.
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

/** Of the content, in hexadecimal digits. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** What the checksum file of `file` holds. sha256sum escapes backslashes and line ends in names, and says so in front. */
export function checksumLine(file: string, sha256: string): string {
  const name = basename(file);
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `${escaped === name ? '' : '\\'}${sha256}  ${escaped}\n`;
}

/** The checksum beside `file`; undefined where there is none. Throws `invalid_request` for a file that holds none. */
export async function readChecksum(file: string): Promise<string | undefined> {
  const beside = checksumFileOf(file);
  let text: string;
  try {
    text = await readFile(beside, 'utf8');
  } catch (cause) {
    if (typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new AppError('invalid_request', `${beside} cannot be read: correct its rights, or remove it.`, { cause });
  }
  // The name is not compared: a backup may have been moved.
  const [, sha256] = LINE.exec(text.slice(0, MAX_CHARACTERS)) ?? [];
  if (sha256 !== undefined) return sha256.toLowerCase();
  throw new AppError('invalid_request', `${beside} holds no line of sha256sum: bring the right file, or remove it.`);
}
