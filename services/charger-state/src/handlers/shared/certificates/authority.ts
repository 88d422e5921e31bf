// The operator's certificate authority, which signs chargers' certificates (OCPP 1.6 security whitepaper, 3.1 and 5.9).
import {
  createPrivateKey,
  randomBytes,
  webcrypto,
  X509Certificate as NodeCertificate,
  type KeyObject,
} from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { AppError, type Clock } from '@busbar/core';
import type { SettingsCheck } from '@busbar/runtime';
import { toTimestamp } from '@busbar/domain';
import { incarnationName, type Charger, type ChargerCertificate } from '@busbar/domain/chargers';
import { judgeRequest } from './signing-request';

export interface AuthorityFiles {
  /** The authority's certificate and, after it, those up to its root, PEM. */
  readonly certFile: string;
  readonly keyFile: string;
}

export interface Signed {
  /** PEM. */
  readonly chain: string;
  readonly certificate: ChargerCertificate;
}

export interface Authority {
  /**
   * Signs a certificate that names the charger's registration. The chain ends below the root. The files are read for each
   * request, so that a renewed authority takes effect at once. Rejects with `invalid_request` for an invalid request, and
   * with `invalid_configuration` for unusable files.
   */
  sign(csr: string, charger: Pick<Charger, 'chargerId' | 'incarnationId'>): Promise<Signed>;
  /** Rejects with `invalid_configuration`, naming the variable. */
  check(): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const VALID_MS = 365 * DAY_MS;
/** A charger's clock may be slow. */
const BACKDATED_MS = 60 * 60 * 1000;
/** CertificateSigned.req: certificateChain is a CiString10000. */
const MAX_CHARACTERS = 10_000;
const CURVES = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' } as const;

export function createAuthority(files: AuthorityFiles, clock: Clock): Authority {
  return {
    async check() {
      await load(files);
    },
    async sign(csr, { chargerId, incarnationId }) {
      const verdict = judgeRequest(csr, chargerId);
      if (!verdict.fit)
        throw new AppError(
          'invalid_request',
          `A certificate signing request is not valid: ${verdict.reason}. Correct it and send it again.`,
        );
      const { request, organization } = verdict;
      const { own, key, algorithm, chain } = await load(files);
      const now = clock.now().getTime();
      const serialNumber = newSerialNumber();
      const notAfter = new Date(Math.min(now + VALID_MS, own.notAfter.getTime()));
      const issued = await X509CertificateGenerator.create({
        serialNumber,
        subject: [{ CN: [chargerId] }, ...(organization === undefined ? [] : [{ O: [organization] }])],
        issuer: own.subjectName,
        notBefore: new Date(now - BACKDATED_MS),
        notAfter,
        publicKey: request.publicKey,
        signingKey: key,
        signingAlgorithm: algorithm,
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
          new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
          // The common name stays the charger's id, as the standard requires.
          new SubjectAlternativeNameExtension([{ type: 'url', value: incarnationName(incarnationId) }]),
          await SubjectKeyIdentifierExtension.create(request.publicKey),
          await AuthorityKeyIdentifierExtension.create(own.publicKey),
        ],
      });
      const leaf = issued.toString('pem');
      const whole = [leaf, ...chain].join('\n');
      const issuedAt = toTimestamp(new Date(now));
      const certificate = { serialNumber, chargerId, incarnationId, issuedAt, notAfter: toTimestamp(notAfter) };
      return { chain: whole.length <= MAX_CHARACTERS ? whole : leaf, certificate };
    },
  };
}

export interface AuthoritySettings {
  readonly chargerCaCertFile?: string | undefined;
  readonly chargerCaKeyFile?: string | undefined;
}

/** For `readSettings`: certificate and key belong together. */
export const authorityCheck: SettingsCheck<Required<AuthoritySettings>> = {
  of: ['chargerCaCertFile', 'chargerCaKeyFile'],
  check({ chargerCaCertFile: certFile, chargerCaKeyFile: keyFile }) {
    if ((certFile === undefined) === (keyFile === undefined)) return;
    const missing = certFile === undefined ? 'CHARGER_CA_CERT_FILE' : 'CHARGER_CA_KEY_FILE';
    throw new AppError('invalid_configuration', `${missing} is not set: set both, or none.`);
  },
};

/** The authority of the settings, if they name one. Throws `invalid_configuration` for one file without the other. */
export function authorityOf(settings: AuthoritySettings, clock: Clock): Authority | undefined {
  const { chargerCaCertFile: certFile, chargerCaKeyFile: keyFile } = settings;
  if (certFile !== undefined && keyFile !== undefined) return createAuthority({ certFile, keyFile }, clock);
  authorityCheck.check({ chargerCaCertFile: certFile, chargerCaKeyFile: keyFile });
  return undefined;
}

interface Loaded {
  readonly own: X509Certificate;
  readonly key: webcrypto.CryptoKey;
  readonly algorithm: Algorithm;
  readonly chain: readonly string[];
}

type Algorithm = ReturnType<typeof algorithmOf>;

async function load({ certFile, keyFile }: AuthorityFiles): Promise<Loaded> {
  cryptoProvider.set(webcrypto);
  const pem = await read('CHARGER_CA_CERT_FILE', certFile);
  const keyPem = await read('CHARGER_CA_KEY_FILE', keyFile);
  const [first, ...rest] = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (first === undefined) throw wrong('CHARGER_CA_CERT_FILE', certFile, 'holds no certificate in PEM form');
  const certificate = parsed('CHARGER_CA_CERT_FILE', certFile, () => new NodeCertificate(first));
  if (!certificate.ca) throw wrong('CHARGER_CA_CERT_FILE', certFile, 'begins with a certificate that is no authority');
  const key = parsed('CHARGER_CA_KEY_FILE', keyFile, () => createPrivateKey(keyPem));
  if (!certificate.checkPrivateKey(key)) {
    throw wrong('CHARGER_CA_KEY_FILE', keyFile, `does not belong to the certificate in ${certFile}`);
  }
  const algorithm = parsed('CHARGER_CA_KEY_FILE', keyFile, () => algorithmOf(key));
  const der = key.export({ format: 'der', type: 'pkcs8' });
  const chain = [first, ...rest].filter((each) => !isRoot(each));
  return {
    own: new X509Certificate(first),
    key: await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']),
    algorithm,
    chain,
  };
}

/** The charger has its root already, or must not take it from this message. */
function isRoot(pem: string): boolean {
  const { subject, issuer } = new NodeCertificate(pem);
  return subject === issuer;
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  if (asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;
  const curve = asymmetricKeyDetails?.namedCurve;
  const known = Object.entries(CURVES).find(([name]) => name === curve)?.[1];
  if (known === undefined) throw new Error('not supported');
  return { name: 'ECDSA', namedCurve: known, hash: 'SHA-256' } as const;
}

/** 126 random bits, positive and without a leading zero byte. */
function newSerialNumber(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0);
  return bytes.toString('hex');
}

async function read(variable: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw wrong(variable, file, 'cannot be read', cause);
  }
}

function parsed<T>(variable: string, file: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw wrong(
      variable,
      file,
      'cannot be used: RSA or an EC key on P-256, P-384 or P-521 is expected, in PEM form',
      cause,
    );
  }
}

function wrong(variable: string, file: string, what: string, cause?: unknown): AppError {
  return new AppError('invalid_configuration', `${variable} names ${file}, which ${what}: correct it.`, { cause });
}
