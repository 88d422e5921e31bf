// A certificate authority for tests of client certificates, and the requests that chargers make of one.
import { webcrypto } from 'node:crypto';
import {
  AuthorityInfoAccessExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
  X509CrlGenerator,
  X509CrlReason,
} from '@peculiar/x509';

export interface IssueOptions {
  /** Alternative names of kind DNS. */
  readonly names?: readonly string[];
  /** For a server at these addresses; without them the certificate is a client's. */
  readonly addresses?: readonly string[];
  readonly notAfter?: Date;
  /** Default: EC. */
  readonly keyType?: 'EC' | 'RSA';
  /** For a responder (OCSP) that the authority delegates. */
  readonly signsOcsp?: boolean;
  /** Of an OCSP responder that is asked about the certificate. */
  readonly responderUrl?: string;
}

export interface AuthorityOptions {
  /** Of its key and signatures. Default: P-256. */
  readonly curve?: 'P-256' | 'P-521';
  readonly notAfter?: Date;
  /** The authorities that may be below it (RFC 5280 clause 4.2.1.9). Default: any number. */
  readonly pathLength?: number;
}

export interface IssuedCertificate {
  readonly cert: string;
  readonly key: string;
  readonly serialNumber: string;
}

export interface Authority {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  issue(commonName: string, options?: IssueOptions): Promise<IssuedCertificate>;
  /** An authority below this one, on P-256. */
  subordinate(
    commonName: string,
    options?: Pick<IssueOptions, 'responderUrl'> & Pick<AuthorityOptions, 'pathLength'>,
  ): Promise<Authority>;
  /** A revocation list of these serial numbers, PEM. */
  revocationList(serialNumbers: readonly string[], options?: { readonly nextUpdate?: Date }): Promise<string>;
}

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const EC_521 = { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' } as const;
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
} as const;
const HOUR_MS = 3_600_000;

/** A root of its own. */
export async function createAuthority(
  commonName: string,
  { curve = 'P-256', notAfter, pathLength }: AuthorityOptions = {},
): Promise<Authority> {
  cryptoProvider.set(webcrypto);
  const algorithm = algorithmOn(curve);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const own = await X509CertificateGenerator.createSelfSigned({
    name: nameOf(commonName),
    keys,
    ...period(notAfter),
    signingAlgorithm: algorithm,
    extensions: authorityExtensions(pathLength),
  });
  return authorityOf(own, keys, algorithm);
}

async function authorityOf(
  own: X509Certificate,
  keys: webcrypto.CryptoKeyPair,
  signingAlgorithm: typeof EC | typeof EC_521 = EC,
): Promise<Authority> {
  let serial = 0x1000;
  return {
    cert: own.toString('pem'),
    key: await pemOf(keys.privateKey),
    async subordinate(subject, { responderUrl, pathLength } = {}) {
      const its = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify']);
      const issued = await X509CertificateGenerator.create({
        serialNumber: (serial += 1).toString(16),
        subject: nameOf(subject),
        issuer: own.subjectName,
        ...period(),
        publicKey: its.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm,
        extensions: [...authorityExtensions(pathLength), ...responderOf(responderUrl)],
      });
      return authorityOf(issued, its);
    },
    async issue(
      subject,
      { names = [], addresses = [], notAfter, keyType = 'EC', signsOcsp = false, responderUrl } = {},
    ) {
      const its = await webcrypto.subtle.generateKey(keyType === 'EC' ? EC : RSA, true, ['sign', 'verify']);
      const serialNumber = (serial += 1).toString(16);
      const issued = await X509CertificateGenerator.create({
        serialNumber,
        subject: nameOf(subject),
        issuer: own.subjectName,
        ...period(notAfter),
        publicKey: its.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm,
        extensions: [
          new ExtendedKeyUsageExtension([usageOf({ addresses, signsOcsp })]),
          ...responderOf(responderUrl),
          ...(names.length + addresses.length === 0
            ? []
            : [
                new SubjectAlternativeNameExtension([
                  ...names.map((value) => ({ type: 'dns' as const, value })),
                  ...addresses.map((value) => ({ type: 'ip' as const, value })),
                ]),
              ]),
        ],
      });
      return { cert: issued.toString('pem'), key: await pemOf(its.privateKey), serialNumber };
    },
    async revocationList(serialNumbers, { nextUpdate } = {}) {
      const list = await X509CrlGenerator.create({
        issuer: own.subjectName,
        thisUpdate: period().notBefore,
        nextUpdate: nextUpdate ?? period().notAfter,
        entries: serialNumbers.map((serialNumber) => ({
          serialNumber,
          revocationDate: period().notBefore,
          reason: X509CrlReason.keyCompromise,
        })),
        signingKey: keys.privateKey,
        signingAlgorithm,
      });
      return PemConverter.encode(list.rawData, 'X509 CRL');
    },
  };
}

export interface SigningRequestOptions {
  /** Default an EC key; a number is an RSA key of so many bits. */
  readonly rsaBits?: number;
  /** Of an EC key. Default: P-256. */
  readonly curve?: AuthorityOptions['curve'];
  /** Country (C). Default: none. */
  readonly country?: string;
}

/** A request for a certificate, PEM, with the key that it is for. */
export async function createSigningRequest(
  commonName: string,
  { rsaBits, curve = 'P-256', country }: SigningRequestOptions = {},
): Promise<{ readonly csr: string; readonly key: string }> {
  cryptoProvider.set(webcrypto);
  const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]) } as const;
  const ec = algorithmOn(curve);
  const keys =
    rsaBits === undefined
      ? await webcrypto.subtle.generateKey(ec, true, ['sign', 'verify'])
      : await webcrypto.subtle.generateKey({ ...rsa, modulusLength: rsaBits }, true, ['sign', 'verify']);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: [...nameOf(commonName), { O: ['A charger maker'] }, ...(country === undefined ? [] : [{ C: [country] }])],
    keys,
    signingAlgorithm: rsaBits === undefined ? ec : rsa,
  });
  return { csr: request.toString('pem'), key: await pemOf(keys.privateKey) };
}

function algorithmOn(curve: 'P-256' | 'P-521') {
  return curve === 'P-256' ? EC : EC_521;
}

function authorityExtensions(pathLength: number | undefined) {
  return [
    new BasicConstraintsExtension(true, pathLength, true),
    new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
  ];
}

function usageOf({ addresses, signsOcsp }: { readonly addresses: readonly string[]; readonly signsOcsp: boolean }) {
  if (signsOcsp) return ExtendedKeyUsage.ocspSigning;
  return addresses.length === 0 ? ExtendedKeyUsage.clientAuth : ExtendedKeyUsage.serverAuth;
}

function responderOf(url: string | undefined): AuthorityInfoAccessExtension[] {
  return url === undefined ? [] : [new AuthorityInfoAccessExtension({ ocsp: [url] })];
}

function nameOf(commonName: string): { CN: string[] }[] {
  return [{ CN: [commonName] }];
}

/** From a little before now, since clocks and the test's own second differ. */
function period(notAfter = new Date(Date.now() + HOUR_MS)): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(Date.now() - HOUR_MS), notAfter };
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  return PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
