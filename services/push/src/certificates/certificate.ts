// Certificates as the checks of this folder need them, and whether a chain of them leads to an authority of the operator.
import { X509Certificate, type KeyObject } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  AuthorityInfoAccessSyntax,
  Certificate as AsnCertificate,
  id_ad_ocsp,
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
    responderUrls: responderUrlsIn(tbsCertificate),
  };
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

/** Whether valid certificates lead from this one to an anchor. `others`: those between. Each is tried once. */
export function leadsToAnchor(
  certificate: Certificate,
  others: readonly Certificate[],
  { anchors, now }: Trust,
): boolean {
  const untried = new Set(others);
  const leads = (from: Certificate, left: number): boolean => {
    if (!isValidAt(from, now)) return false;
    if (anchors.some((anchor) => anchor.node.raw.equals(from.node.raw))) return true;
    if (anchors.some((anchor) => isValidAt(anchor, now) && isSignedBy(from, anchor))) return true;
    for (const other of left === 0 ? [] : untried) {
      if (!isSignedBy(from, other)) continue;
      untried.delete(other);
      if (leads(other, left - 1)) return true;
    }
    return false;
  };
  return leads(certificate, MAX_CHAIN);
}
