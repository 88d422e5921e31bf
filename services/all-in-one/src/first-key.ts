// Shows or stores the API key that a start created.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@busbar/core';
import { writeSecretFile } from '@busbar/operations';
import { makeDataDirectory } from '@busbar/store';
import type { ShownKey } from './banner';

const FILE = 'api-key';

/** Shows the key of this start (`apiKey`), or names the file of an earlier one. Never rejects: the service runs without. */
export async function keyToShow(
  apiKey: string | undefined,
  directory: string,
  { isTerminal }: { readonly isTerminal: boolean },
  logger: Logger,
): Promise<ShownKey> {
  const file = join(directory, FILE);
  if (apiKey === undefined) return (await isFile(file)) ? { kind: 'file', file } : { kind: 'unknown' };
  if (isTerminal) return { kind: 'created', apiKey };
  try {
    await makeDataDirectory(directory);
    await writeSecretFile(file, `${apiKey}\n`);
    return { kind: 'file', file };
  } catch (error) {
    logger.error({ err: error, file }, 'cannot store the first API key in its file: create another key');
    return { kind: 'unknown' };
  }
}

function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
