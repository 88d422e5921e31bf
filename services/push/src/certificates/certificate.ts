// Certificates as the checks of this folder need them, and whether a chain of them leads to an authority of the operator.
import { X509Certificate, type KeyObject } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  AuthorityInfoAccessSyntax,
  BasicConstraints,
  Certificate as AsnCertificate,
  id_ad_ocsp,
  id_ce_basicConstraints,
  id_pe_authorityInfoAccess,
} from '@peculiar/asn1-x509';

export interface Certificate {
  readonly node: X509Certificate;
  readonly publicKey: KeyObject;
  readonly validFrom: Date;
  readonly validTo: Date;
  /** The subject's name, DER. */
  readonly subject: Buffer;
  /** The content of the BIT STRING of its public key. */
  readonly publicKeyBits: Buffer;
  /** The most authorities that may be below it (RFC 5280 clause 4.2.1.9). Undefined: any number. */
  readonly pathLength: number | undefined;
  /** Of the OCSP responders that it names. */
  readonly responderUrls: readonly string[];
}

/** Longer than any chain of ISO 15118: a contract, two authorities and a root. */
const MAX_CHAIN = 6;
const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/** PEM or DER. Throws for anything else. */
export function parseCertificate(encoded: string | Buffer): Certificate {
  const node = new X509Certificate(encoded);
  const { tbsCertificate } = AsnConvert.parse(node.raw, AsnCertificate);
  const { subject, subjectPublicKeyInfo, validity } = tbsCertificate;
  return {
    node,
    // Throws for a key of an unknown algorithm.
    publicKey: node.publicKey,
    validFrom: validity.notBefore.getTime(),
    validTo: validity.notAfter.getTime(),
    subject: Buffer.from(AsnConvert.serialize(subject)),
    publicKeyBits: Buffer.from(subjectPublicKeyInfo.subjectPublicKey),
    pathLength: pathLengthIn(tbsCertificate),
    responderUrls: responderUrlsIn(tbsCertificate),
  };
}

function pathLengthIn({ extensions }: AsnCertificate['tbsCertificate']): number | undefined {
  const found = extensions?.find(({ extnID }) => extnID === id_ce_basicConstraints);
  return found && AsnConvert.parse(found.extnValue.buffer, BasicConstraints).pathLenConstraint;
}

/** RFC 5280 clause 4.2.2.1. */
function responderUrlsIn({ extensions }: AsnCertificate['tbsCertificate']): readonly string[] {
  const found = extensions?.find(({ extnID }) => extnID === id_pe_authorityInfoAccess);
  if (found === undefined) return [];
  return AsnConvert.parse(found.extnValue.buffer, AuthorityInfoAccessSyntax).flatMap(
    ({ accessMethod, accessLocation }) => {
      const { uniformResourceIdentifier: url } = accessLocation;
      return accessMethod === id_ad_ocsp && url !== undefined ? [url] : [];
    },
  );
}

/** The certificates in a text of PEM, in order. Throws where one cannot be read. */
export function parseCertificates(pem: string): readonly Certificate[] {
  return pem
    .split(BEGIN)
    .slice(1)
    .map((part) => parseCertificate(`${BEGIN}${part.split(END)[0] ?? ''}${END}`));
}

/** Whether it is valid at this time. */
export function isValidAt({ validFrom, validTo }: Certificate, now: Date): boolean {
  return validFrom <= now && now <= validTo;
}

/** Whether the issuer's key has signed the certificate, and may. */
export function isSignedBy(certificate: Certificate, issuer: Certificate): boolean {
  return issuer.node.ca && certificate.node.checkIssued(issuer.node) && certificate.node.verify(issuer.publicKey);
}

export interface Trust {
  /** Trusted as they are: roots, and authorities below them. */
  readonly anchors: readonly Certificate[];
  readonly now: Date;
}

interface Step {
  readonly certificate: Certificate;
  /** The authorities from it down to the one that signed the last certificate, but for self-issued ones. */
  readonly authorities: number;
}

/**
 * Whether valid certificates lead from this one to an anchor, none with more authorities below it than it permits (RFC 5280 clause
 * 6.1.4). `others`: those between. Each is tried once, where the fewest authorities are below it. An authority is judged as one that
 * signs further certificates.
 */
export function leadsToAnchor(
  certificate: Certificate,
  others: readonly Certificate[],
  { anchors, now }: Trust,
): boolean {
  const untried = new Set(others);
  let steps: readonly Step[] = [{ certificate, authorities: certificate.node.ca ? counted(certificate) : 0 }];
  for (let length = 0; length <= MAX_CHAIN && steps.length > 0; length += 1) {
    const valid = steps.filter((step) => isValidAt(step.certificate, now));
    if (valid.some((step) => anchors.some((anchor) => isAnchoredBy(step, anchor, now)))) return true;
    steps = valid.flatMap((step) =>
      [...untried]
        .filter((other) => isAbove(other, step))
        .map((other) => {
          untried.delete(other);
          return { certificate: other, authorities: step.authorities + counted(other) };
        }),
    );
  }
  return false;
}

function isAnchoredBy(step: Step, anchor: Certificate, now: Date): boolean {
  if (anchor.node.raw.equals(step.certificate.node.raw)) return true;
  return isValidAt(anchor, now) && isAbove(anchor, step);
}

function isAbove(issuer: Certificate, { certificate, authorities }: Step): boolean {
  return authorities <= (issuer.pathLength ?? Infinity) && isSignedBy(certificate, issuer);
}

/** Those that an authority issued to itself, for a new key, do not count. */
function counted({ node }: Certificate): number {
  return node.subject === node.issuer ? 0 : 1;
}
