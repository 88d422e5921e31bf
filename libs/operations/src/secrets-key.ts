// The key of the one-process mode for stored secrets: a file in its data directory, which no backup contains.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, isAppError } from '@busbar/core';
import type { StoredSecrets } from '@busbar/domain';
import { createStoredSecrets, errnoOf } from '@busbar/runtime';
import { makeDataDirectory } from '@busbar/store';
import { writeSecretFile } from './secret-file';

const KEY_BYTES = 32;

export interface DirectorySecrets extends StoredSecrets {
  /** Reads the key, or makes one where the file is missing. The others throw before. */
  load(): Promise<void>;
}

export function secretsKeyFile(directory: string): string {
  return join(directory, 'secrets-key');
}

/** `configured`: of `SECRETS_KEY`. It then encrypts, and the key of an existing file still decrypts; none is made. */
export function createDirectorySecrets(directory: string, configured?: string): DirectorySecrets {
  const file = secretsKeyFile(directory);
  let loaded: StoredSecrets | undefined;
  const secrets = (): StoredSecrets => {
    if (loaded === undefined) throw new Error('the key of stored secrets was not loaded');
    return loaded;
  };
  return {
    async load() {
      const kept = await readKey(file);
      if (configured !== undefined) {
        loaded = createStoredSecrets(kept === undefined ? configured : `${configured},${kept}`);
        return;
      }
      loaded = createStoredSecrets(kept ?? (await makeKey(directory, file)));
    },
    encrypt: (secret, ownerId) => secrets().encrypt(secret, ownerId),
    decrypt: (stored, ownerId) => secrets().decrypt(stored, ownerId),
    isCurrent: (stored, ownerId) => secrets().isCurrent(stored, ownerId),
  };
}

async function readKey(file: string): Promise<string | undefined> {
  try {
    const key = (await readFile(file, 'utf8')).trim();
    createStoredSecrets(key);
    return key;
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return undefined;
    const reason = isAppError(cause) ? 'holds no key' : `cannot be read (${errnoOf(cause) ?? 'unknown'})`;
    const remedy = 'restore the file, or move it away: then webhooks need new secrets';
    throw new AppError('invalid_configuration', `${file} ${reason}: ${remedy}.`, { cause });
  }
}

async function makeKey(directory: string, file: string): Promise<string> {
  const key = randomBytes(KEY_BYTES).toString('base64');
  try {
    await makeDataDirectory(directory);
    await writeSecretFile(file, `${key}\n`);
  } catch (cause) {
    const code = errnoOf(cause);
    if (code === undefined) throw cause;
    const remedy = 'make the data directory writable, or set SECRETS_KEY';
    throw new AppError('invalid_configuration', `${file} cannot be written (${code}): ${remedy}.`, { cause });
  }
  return key;
}
