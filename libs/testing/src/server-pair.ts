import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAuthority } from './authority';

/** Writes a certificate and key for 127.0.0.1 into the directory. */
export async function writeServerPair(
  directory: string,
): Promise<{ readonly certFile: string; readonly keyFile: string }> {
  const { cert, key } = await (await createAuthority('Test')).issue('localhost', { addresses: ['127.0.0.1'] });
  const pair = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };
  await Promise.all([writeFile(pair.certFile, cert), writeFile(pair.keyFile, key, { mode: 0o600 })]);
  return pair;
}
