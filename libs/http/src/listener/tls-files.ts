import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { AppError, type Clock, type Logger, type Timer } from '@busbar/core';

export interface TlsFiles {
  /** Certificate chain, PEM. */
  readonly certFile: string;
  /** Private key, PEM. */
  readonly keyFile: string;
  /**
   * Authorities whose client certificates are asked for; whether one was shown is for the reader of the socket. The file may
   * hold their revocation lists too: with one, each authority must have one.
   */
  readonly clientCaFile?: string | undefined;
}

/** How often the files are looked at. Looked at rather than watched: a mounted secret is replaced by a symbolic link. */
const LOOK_EVERY_MS = 5_000;

const NO_CERTIFICATE = 'holds no certificate in PEM form';
const BAD_LIST = 'holds a revocation list that cannot be read';
const NO_KEY = 'holds no private key in PEM form without a passphrase';

/** Reads the files and checks that they make a pair. Throws `invalid_configuration`, naming file and variable. */
export function readTlsFiles(files: TlsFiles): SecureContextOptions {
  const cert = readPem(files.certFile, 'TLS_CERT_FILE');
  const key = readPem(files.keyFile, 'TLS_KEY_FILE');
  const clients = files.clientCaFile === undefined ? undefined : readPem(files.clientCaFile, 'TLS_CLIENT_CA_FILE');
  const [ca, crl] = clients === undefined ? [] : [blocksOf(clients, 'CERTIFICATE'), blocksOf(clients, 'X509 CRL')];
  check(files.certFile, 'TLS_CERT_FILE', NO_CERTIFICATE, () => createSecureContext({ cert }));
  check(files.keyFile, 'TLS_KEY_FILE', NO_KEY, () => createSecureContext({ key }));
  // A secure context takes anything for authorities, and trusts nobody then.
  if (ca !== undefined) check(files.clientCaFile, 'TLS_CLIENT_CA_FILE', NO_CERTIFICATE, () => requireAuthorities(ca));
  const lists = crl === undefined || crl.length === 0 ? undefined : crl;
  if (lists !== undefined) {
    check(files.clientCaFile, 'TLS_CLIENT_CA_FILE', BAD_LIST, () => createSecureContext({ crl: lists }));
  }
  const mismatch = `does not belong to the certificate in ${files.certFile}`;
  check(files.keyFile, 'TLS_KEY_FILE', mismatch, () => createSecureContext({ cert, key }));
  const clientCheck = ca === undefined ? {} : { ca, ...(lists === undefined ? {} : { crl: lists }) };
  return { cert, key, ...clientCheck, minVersion: 'TLSv1.2' };
}

export interface TlsWatchOptions {
  readonly files: TlsFiles;
  readonly current: SecureContextOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onChange: (context: SecureContextOptions) => void;
}

/**
 * Calls `onChange` when the files hold another good pair. A bad one changes nothing and is warned of once, when it was
 * still there at the next look: certificate and key are not replaced in one moment.
 */
export function watchTlsFiles(options: TlsWatchOptions): Timer {
  let current = fingerprint(options.current);
  let lastFailure: string | undefined;
  let warnedOf: string | undefined;

  const fail = (message: string): void => {
    if (lastFailure === message && warnedOf !== message) {
      options.logger.warn({ reason: message }, 'the changed certificate is not usable, the one before stays');
      warnedOf = message;
    }
    lastFailure = message;
  };

  return options.clock.every(LOOK_EVERY_MS, () => {
    try {
      const next = readTlsFiles(options.files);
      [lastFailure, warnedOf] = [undefined, undefined];
      if (fingerprint(next) === current) return;
      options.onChange(next);
      current = fingerprint(next);
      options.logger.info({ file: options.files.certFile }, 'certificate replaced');
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  });
}

function readPem(path: string, variable: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    const sentence = `${variable} names ${path}, which cannot be read (${code}): correct the path or its rights.`;
    throw new AppError('invalid_configuration', sentence, { cause });
  }
}

function check(path: string | undefined, variable: string, wrong: string, parse: () => unknown): void {
  try {
    parse();
  } catch (cause) {
    const sentence = `${variable} names ${String(path)}, which ${wrong}: correct it.`;
    throw new AppError('invalid_configuration', sentence, { cause });
  }
}

/** The PEM blocks of one kind, whatever stands around them. */
function blocksOf(pem: string, label: string): string[] {
  return pem.match(new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----`, 'g')) ?? [];
}

/** Throws unless there are certificates, and all can be read. */
function requireAuthorities(certificates: readonly string[]): void {
  if (certificates.length === 0) throw new Error('no certificate');
  for (const certificate of certificates) new X509Certificate(certificate);
}

function fingerprint({ cert, key, ca, crl }: SecureContextOptions): string {
  return JSON.stringify([cert, key, ca, crl]);
}
