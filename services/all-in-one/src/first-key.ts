import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@busbar/core';
import { writeSecretFile } from '@busbar/runtime';
import type { ShownKey } from './banner';

const FILE = 'api-key';

/** How a person gets the key that this start created (`apiKey`), if it did. Never rejects: the service runs without. */
export async function keyToShow(
  apiKey: string | undefined,
  directory: string,
  { isTerminal }: { readonly isTerminal: boolean },
  logger: Logger,
): Promise<ShownKey> {
  if (apiKey === undefined) return { kind: 'unknown' };
  if (isTerminal) return { kind: 'created', apiKey };
  const file = join(directory, FILE);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeSecretFile(file, `${apiKey}\n`);
    return { kind: 'file', file };
  } catch (error) {
    logger.error({ err: error, file }, 'the first API key cannot be stored in its file: create another key');
    return { kind: 'unknown' };
  }
}
