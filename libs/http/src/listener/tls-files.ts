import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, DEFAULT_CIPHERS, type SecureContextOptions } from 'node:tls';
import { AppError, messageOf, type Clock, type Logger, type Timer } from '@busbar/core';
import { revocationsOf } from './revocations';

export interface PairFiles {
  /** Certificate chain, PEM. */
  readonly certFile: string;
  /** Private key, PEM. */
  readonly keyFile: string;
}

export interface TlsFiles extends PairFiles {
  /** Presented beside the first pair, by what a client accepts. Each pair has a key of another type, such as RSA and EC. */
  readonly otherPairs?: readonly PairFiles[] | undefined;
  /**
   * Authorities of client certificates, which are requested but not required. The file may contain their revocation lists: with
   * one list, each authority must have one.
   */
  readonly clientCaFile?: string | undefined;
  /** Serves clients of TLS 1.2 without ECDHE too, without forward secrecy: see `ciphersOf`. Default: false. */
  readonly rsaKeyExchange?: boolean;
}

/** Polled rather than watched: a mounted secret is replaced by a symbolic link. */
const POLL_MS = 5_000;

const NO_CERTIFICATE = 'holds no certificate in PEM form';
const BAD_LIST = 'holds a revocation list that cannot be read';
const NO_KEY = 'holds no private key in PEM form without a passphrase';

/** Reads the files and checks the pairs. Throws `invalid_configuration` with file and variable. */
export function readTlsFiles(files: TlsFiles): SecureContextOptions {
  const { clientCaFile, rsaKeyExchange = false } = files;
  const pairs = readServerPairs(pairsOf(files));
  const clientCheck =
    clientCaFile === undefined ? {} : readAuthorities({ path: clientCaFile, variable: 'TLS_CLIENT_CA_FILE' });
  return { ...pairs, ...clientCheck, minVersion: 'TLSv1.2', ciphers: ciphersOf(rsaKeyExchange) };
}

/**
 * The pairs of TLS_CERT_FILE and TLS_KEY_FILE, in their order. A server has one certificate for each type of key: of two the
 * last one alone would be presented. Throws `invalid_configuration` with file and variable.
 */
export function readServerPairs(files: readonly PairFiles[]): { readonly cert: string[]; readonly key: string[] } {
  const pairs = files.map(({ certFile, keyFile }) =>
    readPair({ path: certFile, variable: 'TLS_CERT_FILE' }, { path: keyFile, variable: 'TLS_KEY_FILE' }),
  );
  const types = pairs.map(({ cert }) => new X509Certificate(cert).publicKey.asymmetricKeyType);
  types.forEach((type, index) => {
    const first = types.indexOf(type);
    if (first === index) return;
    const names = [first, index].map((at) => files[at]?.certFile).join(' and ');
    const sentence = `TLS_CERT_FILE names ${names}, whose keys are both of the type ${String(type)}: remove one of them and its key.`;
    throw new AppError('invalid_configuration', sentence);
  });
  return { cert: pairs.map(({ cert }) => cert), key: pairs.map(({ key }) => key) };
}

/**
 * Node's list without key exchange by RSA. With `rsaKeyExchange` TLS_RSA_WITH_AES_256_GCM_SHA384 and
 * TLS_RSA_WITH_AES_128_GCM_SHA256 come last, so that ECDHE is used where a client has it (OCPP 2.x, A00.FR.318).
 */
function ciphersOf(rsaKeyExchange: boolean): string {
  return `${DEFAULT_CIPHERS}:${rsaKeyExchange ? '-kRSA:AES256-GCM-SHA384:AES128-GCM-SHA256' : '!kRSA'}`;
}

function pairsOf(files: TlsFiles): readonly PairFiles[] {
  return [files, ...(files.otherPairs ?? [])];
}

/** A file, and the variable that sets its path. */
export interface NamedFile {
  readonly path: string;
  readonly variable: string;
}

/** A certificate chain and its private key. Throws `invalid_configuration` with file and variable. */
export function readPair(certFile: NamedFile, keyFile: NamedFile): { readonly cert: string; readonly key: string } {
  const cert = readPem(certFile);
  const key = readPem(keyFile);
  check(certFile, NO_CERTIFICATE, () => createSecureContext({ cert }));
  check(keyFile, NO_KEY, () => createSecureContext({ key }));
  check(keyFile, `does not belong to the certificate in ${certFile.path}`, () => createSecureContext({ cert, key }));
  return { cert, key };
}

/** Certificates of authorities, and their revocation lists. Throws `invalid_configuration`. */
export function readAuthorities(file: NamedFile): { readonly ca: string[]; readonly crl?: string[] } {
  const pem = readPem(file);
  const [ca, crl] = [blocksOf(pem, 'CERTIFICATE'), blocksOf(pem, 'X509 CRL')];
  // A secure context accepts invalid authorities, and then trusts nobody.
  check(file, NO_CERTIFICATE, () => requireAuthorities(ca));
  if (crl.length === 0) return { ca };
  check(file, BAD_LIST, () => createSecureContext({ crl }));
  check(file, BAD_LIST, () => revocationsOf({ ca, crl }));
  return { ca, crl };
}

/** When the first certificate of a chain ends, of all chains: from then on clients refuse that chain. */
export function certificateEnd({ cert = [] }: Pick<SecureContextOptions, 'cert'>): Date {
  const ends = blocksOf([cert].flat().join('\n'), 'CERTIFICATE').map((pem) =>
    Date.parse(new X509Certificate(pem).validTo),
  );
  return new Date(Math.min(...ends));
}

export interface TlsWatchOptions {
  readonly files: TlsFiles;
  readonly current: SecureContextOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onChange: (context: SecureContextOptions) => void;
}

/**
 * Calls `onChange` when the files contain other valid pairs. An invalid pair changes nothing. It is logged once, at the second
 * poll: certificate and key are not replaced at the same time.
 */
export function watchTlsFiles(options: TlsWatchOptions): Timer {
  const { files } = options;
  const read = parseOnChange(
    () => hashOf(files),
    () => readTlsFiles(files),
  );
  let current = fingerprint(options.current);
  let last: SecureContextOptions | undefined;
  let lastFailure: string | undefined;
  let warnedOf: string | undefined;

  const fail = (message: string): void => {
    if (lastFailure === message && warnedOf !== message) {
      options.logger.warn({ reason: message }, 'changed certificate is invalid; using the previous one');
      warnedOf = message;
    }
    lastFailure = message;
  };

  return options.clock.every(POLL_MS, () => {
    try {
      const next = read();
      [lastFailure, warnedOf] = [undefined, undefined];
      if (next === last) return;
      const found = fingerprint(next);
      if (found !== current) {
        options.onChange(next);
        options.logger.info({ files: pairsOf(files).map(({ certFile }) => certFile) }, 'certificate replaced');
      }
      [current, last] = [found, next];
    } catch (error) {
      fail(messageOf(error));
    }
  });
}

/**
 * Parses only when the text has changed: revocation lists may be megabytes, and a poll of unchanged files must cost no more than
 * reading them. A text that failed fails again the same way.
 */
export function parseOnChange<T>(readText: () => string, parse: () => T): () => T {
  let known: { readonly text: string; readonly result: () => T } | undefined;
  return () => {
    const text = readText();
    if (known?.text !== text) known = { text, result: resultOf(parse) };
    return known.result();
  };
}

function resultOf<T>(parse: () => T): () => T {
  try {
    const value = parse();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** A hash of the files' content. Throws when one cannot be read. */
function hashOf(files: TlsFiles): string {
  const { clientCaFile } = files;
  const named = [
    ...pairsOf(files).flatMap(({ certFile, keyFile }) => [
      { path: certFile, variable: 'TLS_CERT_FILE' },
      { path: keyFile, variable: 'TLS_KEY_FILE' },
    ]),
    ...(clientCaFile === undefined ? [] : [{ path: clientCaFile, variable: 'TLS_CLIENT_CA_FILE' }]),
  ];
  const hashes = named.map((file) => createHash('sha256').update(readPem(file)).digest('hex'));
  return hashes.join(' ');
}

/** The text of a file. Throws `invalid_configuration` with file and variable where it cannot be read. */
export function readPem({ path, variable }: NamedFile): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    const sentence = `${variable} names ${path}, which cannot be read (${code}): correct the path or its rights.`;
    throw new AppError('invalid_configuration', sentence, { cause });
  }
}

function check({ path, variable }: NamedFile, wrong: string, parse: () => unknown): void {
  try {
    parse();
  } catch (cause) {
    const sentence = `${variable} names ${path}, which ${wrong}: correct it.`;
    throw new AppError('invalid_configuration', sentence, { cause });
  }
}

/** The PEM blocks of one kind. */
function blocksOf(pem: string, label: string): string[] {
  return pem.match(new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----`, 'g')) ?? [];
}

/** Throws unless there is a certificate and all are readable. */
function requireAuthorities(certificates: readonly string[]): void {
  if (certificates.length === 0) throw new Error('no certificate');
  for (const certificate of certificates) new X509Certificate(certificate);
}

function fingerprint({ cert, key, ca, crl }: SecureContextOptions): string {
  return JSON.stringify([cert, key, ca, crl]);
}
