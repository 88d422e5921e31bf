// Decides which certificates of the service are trusted.
import { readFileSync } from 'node:fs';
import { AppError } from '@busbar/core';

export interface ServiceTls {
  /** PEM; undefined: the authorities that Node knows. */
  readonly ca?: string;
  readonly rejectUnauthorized: boolean;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * On this machine any certificate is as good: the one-process mode signs its own. Elsewhere it must be trusted, unless
 * `isInsecure`. Throws `invalid_request` for a file that cannot be read.
 */
export function tlsFor(
  url: URL,
  { caFile, isInsecure }: { caFile: string | undefined; isInsecure: boolean },
): ServiceTls {
  if (caFile === undefined) return { rejectUnauthorized: !isInsecure && !LOOPBACK.test(url.hostname) };
  return { ca: readAuthority(caFile), rejectUnauthorized: !isInsecure };
}

function readAuthority(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new AppError('invalid_request', `--ca ${file} cannot be read: ${(cause as Error).message}.`, { cause });
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new AppError('invalid_request', `--ca ${file} is no certificate in PEM.`);
}
