// The self-signed certificate of the one-process mode.
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { AppError, type Clock } from '@busbar/core';
import { errnoOf, type CertificatePair } from '@busbar/runtime';
import { makeDataDirectory } from '@busbar/store';
import { generate } from 'selfsigned';
import { writeSecretFile } from './secret-file';

export interface SelfSignedPair extends CertificatePair {
  /** The reason why this call replaced an earlier certificate; undefined for one that is reused, or the first. */
  readonly replaced: string | undefined;
}

const YEARS = 10;
/** Renewed so long before its end, since a process may run for weeks after its start. */
const RENEWED_BEFORE_MS = 30 * 24 * 60 * 60 * 1000;
const LOCAL_NAMES = ['localhost', '127.0.0.1', '::1'];

/** The paths that `selfSignedPair` writes. */
export function selfSignedFiles(directory: string): CertificatePair {
  return { certFile: join(directory, 'tls-cert.pem'), keyFile: join(directory, 'tls-key.pem') };
}

/**
 * A self-signed pair in the data directory for localhost and for `names`, which are host names or addresses. It is made where it
 * is missing, unreadable, about to expire, or lacks a name. In the last case the key is kept, for chargers that pin it. The
 * one-process mode serves HTTPS without a configured certificate.
 */
export async function selfSignedPair(
  directory: string,
  clock: Clock,
  names: readonly string[] = [],
): Promise<SelfSignedPair> {
  const pair = selfSignedFiles(directory);
  const wanted = [...new Set([...LOCAL_NAMES, ...names])];
  const found = await examine(pair, wanted, clock);
  if (found.state === 'usable') return { ...pair, replaced: undefined };
  try {
    await makeDataDirectory(directory);
    await make(pair, wanted, clock, found.key);
  } catch (cause) {
    const code = errnoOf(cause);
    if (code === undefined) throw cause;
    const sentence = `${pair.certFile} cannot be written (${code}): make the data directory writable, or set TLS_CERT_FILE.`;
    throw new AppError('invalid_configuration', sentence, { cause });
  }
  return { ...pair, replaced: found.state === 'missing' ? undefined : found.reason };
}

type Found =
  | { readonly state: 'usable' }
  | { readonly state: 'missing'; readonly key?: undefined }
  /** `key`: PEM, where the new certificate can have the same one. */
  | { readonly state: 'unusable'; readonly reason: string; readonly key?: string };

async function examine(
  { certFile, keyFile }: CertificatePair,
  wanted: readonly string[],
  clock: Clock,
): Promise<Found> {
  try {
    const certificate = new X509Certificate(await readFile(certFile));
    const key = await readFile(keyFile, 'utf8');
    if (Date.parse(certificate.validTo) - clock.now().getTime() <= RENEWED_BEFORE_MS)
      return { state: 'unusable', reason: 'the earlier one was about to expire' };
    if (!certificate.checkPrivateKey(createPrivateKey(key)))
      return { state: 'unusable', reason: 'the earlier one did not belong to its key' };
    const lacking = wanted.filter((name) => !isFor(certificate, name));
    // One with an issuer was put there by the operator.
    if (lacking.length === 0 || certificate.issuer !== certificate.subject) return { state: 'usable' };
    return { state: 'unusable', reason: `the earlier one lacked ${lacking.join(', ')}; its key is kept`, key };
  } catch (error) {
    // An unreadable pair is replaced.
    return errnoOf(error) === 'ENOENT'
      ? { state: 'missing' }
      : { state: 'unusable', reason: 'the earlier one was unreadable' };
  }
}

function isFor(certificate: X509Certificate, name: string): boolean {
  if (isIP(name) !== 0) return certificate.checkIP(name) !== undefined;
  return certificate.checkHost(name, { subject: 'never' }) !== undefined;
}

async function make(
  { certFile, keyFile }: CertificatePair,
  names: readonly string[],
  clock: Clock,
  key: string | undefined,
): Promise<void> {
  const notBeforeDate = clock.now();
  const notAfterDate = new Date(notBeforeDate);
  notAfterDate.setUTCFullYear(notBeforeDate.getUTCFullYear() + YEARS);
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    // RSA, since chargers' TLS stacks are old.
    keySize: 2048,
    algorithm: 'sha256',
    notBeforeDate,
    notAfterDate,
    ...(key === undefined ? {} : { keyPair: { privateKey: key, publicKey: publicKeyOf(key) } }),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) => (isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name })),
      },
    ],
  });
  // The certificate last: a pair is complete when it exists.
  if (key === undefined) await writeSecretFile(keyFile, made.private);
  await writeSecretFile(certFile, made.cert);
}

function publicKeyOf(privateKey: string): string {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
}
