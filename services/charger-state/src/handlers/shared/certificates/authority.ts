// A certificate authority of the operator, which signs certificates of chargers by a profile.
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
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { AppError, type Clock } from '@busbar/core';
import { toTimestamp } from '@busbar/domain';
import type { Charger, ChargerCertificate } from '@busbar/domain/chargers';
import { PROFILES, type CertificateProfile } from './profiles';
import { judgeRequest } from './signing-request';

export interface AuthorityFiles {
  /** The authority's certificate and, after it, those up to its root, PEM. */
  readonly certFile: string;
  readonly keyFile: string;
  /** Of the OCSP responder that its certificates name. */
  readonly responderUrl?: string | undefined;
}

export interface Signed {
  /** PEM. */
  readonly chain: string;
  readonly certificate: ChargerCertificate;
}

export interface Authority {
  /**
   * Signs a certificate of its profile. The chain ends below the root. The files are read for each
   * request, so that a renewed authority takes effect at once. Rejects with `invalid_request` for an invalid request, and
   * with `invalid_configuration` for unusable files.
   */
  sign(csr: string, charger: Pick<Charger, 'chargerId' | 'incarnationId'>): Promise<Signed>;
  /** Rejects with `invalid_configuration`, naming the variable. */
  check(): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** A charger's clock may be slow. */
const BACKDATED_MS = 60 * 60 * 1000;
/** CertificateSigned.req: certificateChain is a CiString10000. */
const MAX_CHARACTERS = 10_000;
const CURVES = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' } as const;

export function createAuthority(
  files: AuthorityFiles,
  clock: Clock,
  profile: CertificateProfile = PROFILES.ChargingStationCertificate,
): Authority {
  return {
    async check() {
      await load(files, profile);
    },
    async sign(csr, { chargerId, incarnationId }) {
      const verdict = judgeRequest(csr, chargerId, profile.request);
      if (!verdict.fit)
        throw new AppError(
          'invalid_request',
          `A certificate signing request is not valid: ${verdict.reason}. Correct it and send it again.`,
        );
      const { request } = verdict;
      const { own, key, algorithm, chain } = await load(files, profile);
      const now = clock.now().getTime();
      const serialNumber = newSerialNumber();
      const notAfter = new Date(Math.min(now + profile.validDays * DAY_MS, own.notAfter.getTime()));
      const issued = await X509CertificateGenerator.create({
        serialNumber,
        subject: profile.subject(verdict),
        issuer: own.subjectName,
        notBefore: new Date(now - BACKDATED_MS),
        notAfter,
        publicKey: request.publicKey,
        signingKey: key,
        signingAlgorithm: algorithm,
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          ...profile.extensions({ incarnationId }, files.responderUrl),
          await SubjectKeyIdentifierExtension.create(request.publicKey),
          await AuthorityKeyIdentifierExtension.create(own.publicKey),
        ],
      });
      const leaf = issued.toString('pem');
      const whole = [leaf, ...chain].join('\n');
      const issuedAt = toTimestamp(new Date(now));
      const common = { serialNumber, chargerId, incarnationId, issuedAt, notAfter: toTimestamp(notAfter) };
      const isOwn = profile.type === PROFILES.ChargingStationCertificate.type;
      const certificate = isOwn ? common : { ...common, type: profile.type };
      return { chain: whole.length <= MAX_CHARACTERS ? whole : leaf, certificate };
    },
  };
}

interface Loaded {
  readonly own: X509Certificate;
  readonly key: webcrypto.CryptoKey;
  readonly algorithm: Algorithm;
  readonly chain: readonly string[];
}

type Algorithm = ReturnType<typeof algorithmOf>;

async function load({ certFile, keyFile }: AuthorityFiles, profile: CertificateProfile): Promise<Loaded> {
  cryptoProvider.set(webcrypto);
  const { variables } = profile;
  const pem = await read(variables.cert, certFile);
  const keyPem = await read(variables.key, keyFile);
  const [first, ...rest] = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (first === undefined) throw wrong(variables.cert, certFile, 'holds no certificate in PEM form');
  const certificate = parsed(variables.cert, certFile, () => new NodeCertificate(first));
  if (!certificate.ca) throw wrong(variables.cert, certFile, 'begins with a certificate that is no authority');
  const key = parsed(variables.key, keyFile, () => createPrivateKey(keyPem));
  if (!certificate.checkPrivateKey(key)) {
    throw wrong(variables.key, keyFile, `does not belong to the certificate in ${certFile}`);
  }
  if (profile.curve !== undefined && key.asymmetricKeyDetails?.namedCurve !== profile.curve) {
    throw wrong(variables.key, keyFile, `is not an EC key on ${profile.curve}`);
  }
  const algorithm = parsed(variables.key, keyFile, () => algorithmOf(key, profile));
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

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, { hash }: CertificateProfile) {
  if (asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash } as const;
  const curve = asymmetricKeyDetails?.namedCurve;
  const known = Object.entries(CURVES).find(([name]) => name === curve)?.[1];
  if (known === undefined) throw new Error('not supported');
  return { name: 'ECDSA', namedCurve: known, hash } as const;
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
