// The self-signed certificate of the one-process mode.
import { X509Certificate } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, type Clock } from '@busbar/core';
import { generate } from 'selfsigned';
import { errnoOf } from './errno';
import { writeSecretFile } from './secret-file';

export interface CertificatePair {
  readonly certFile: string;
  readonly keyFile: string;
}

const YEARS = 10;
/** Renewed so long before its end, since a process may run for weeks after its start. */
const RENEWED_BEFORE_MS = 30 * 24 * 60 * 60 * 1000;

/** The paths that `selfSignedPair` writes. */
export function selfSignedFiles(directory: string): CertificatePair {
  return { certFile: join(directory, 'tls-cert.pem'), keyFile: join(directory, 'tls-key.pem') };
}

/**
 * A self-signed pair for localhost in the data directory, made where it is missing, unreadable or about to expire. The
 * one-process mode serves HTTPS without a configured certificate.
 */
export async function selfSignedPair(directory: string, clock: Clock): Promise<CertificatePair> {
  const pair = selfSignedFiles(directory);
  if (await isUsable(pair, clock)) return pair;
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await make(pair, clock);
  } catch (cause) {
    const code = errnoOf(cause);
    if (code === undefined) throw cause;
    const sentence = `${pair.certFile} cannot be written (${code}): make the data directory writable, or set TLS_CERT_FILE.`;
    throw new AppError('invalid_configuration', sentence, { cause });
  }
  return pair;
}

async function isUsable({ certFile, keyFile }: CertificatePair, clock: Clock): Promise<boolean> {
  try {
    const certificate = new X509Certificate(await readFile(certFile));
    await readFile(keyFile);
    return Date.parse(certificate.validTo) - clock.now().getTime() > RENEWED_BEFORE_MS;
  } catch {
    // An unreadable pair is replaced.
    return false;
  }
}

async function make({ certFile, keyFile }: CertificatePair, clock: Clock): Promise<void> {
  const notBeforeDate = clock.now();
  const notAfterDate = new Date(notBeforeDate);
  notAfterDate.setUTCFullYear(notBeforeDate.getUTCFullYear() + YEARS);
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    // RSA, since chargers' TLS stacks are old.
    keySize: 2048,
    algorithm: 'sha256',
    notBeforeDate,
    notAfterDate,
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  // The certificate last: a pair is complete when it exists.
  await writeSecretFile(keyFile, made.private);
  await writeSecretFile(certFile, made.cert);
}
