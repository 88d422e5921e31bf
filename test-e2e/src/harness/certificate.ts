import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A self-signed pair for loopback, made by the tool that the compose file uses. */
export async function makeCertificate(directory: string): Promise<{ certFile: string; keyFile: string }> {
  const tool = join(__dirname, '../../../deploy/make-certificate.mjs');
  await promisify(execFile)(process.execPath, [tool, directory, 'localhost']);
  return { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };
}
