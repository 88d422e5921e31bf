// Requests to OCSP responders and their responses (RFC 6960), without I/O.
import { verify, type KeyObject } from 'node:crypto';
import {
  BasicOCSPResponse,
  id_kp_OCSPSigning,
  id_pkix_ocsp_basic,
  OCSPRequest,
  OCSPResponse,
  OCSPResponseStatus,
  Request,
  TBSRequest,
} from '@peculiar/asn1-ocsp';
import { AsnConvert } from '@peculiar/asn1-schema';
import { isSignedBy, isValidAt, leadsToAnchor, parseCertificate, type Certificate, type Trust } from './certificate';
import { asCertId, isIssuedBy, isNamedBy, type CertificateId } from './certificate-id';

export interface OcspResponse {
  readonly der: Buffer;
  readonly status: 'good' | 'revoked' | 'unknown';
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  readonly basic: BasicOCSPResponse;
}

/** Digests of the signatures that ISO 15118 and public authorities use, by the algorithm. Null: the algorithm has its own. */
const DIGESTS: ReadonlyMap<string, string | null> = new Map([
  ['1.2.840.10045.4.3.2', 'sha256'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
  ['1.2.840.113549.1.1.11', 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.3.101.112', null],
  ['1.3.101.113', null],
]);
/** Clocks of responders differ. */
const CLOCK_SKEW_MS = 300_000;
/** Of a response that names no time of the next one. */
const MAX_AGE_MS = 86_400_000;
/** Certificates in a response that are looked at. */
const MAX_CERTIFICATES = 8;

/** DER. It has no nonce, so that responders may answer with a response that they have signed before (RFC 5019). */
export function encodeOcspRequest(id: CertificateId): Buffer {
  const tbsRequest = new TBSRequest({ requestList: [new Request({ reqCert: asCertId(id) })] });
  return Buffer.from(AsnConvert.serialize(new OCSPRequest({ tbsRequest })));
}

/** Undefined for anything but a successful response about this certificate. Its signature is not verified. */
export function readOcspResponse(der: Buffer, id: CertificateId): OcspResponse | undefined {
  try {
    const { responseStatus, responseBytes } = AsnConvert.parse(der, OCSPResponse);
    if (responseStatus !== OCSPResponseStatus.successful || responseBytes?.responseType !== id_pkix_ocsp_basic)
      return undefined;
    const basic = AsnConvert.parse(responseBytes.response.buffer, BasicOCSPResponse);
    const single = basic.tbsResponseData.responses.find(({ certID }) => isNamedBy(id, certID));
    if (single === undefined) return undefined;
    const { certStatus, thisUpdate, nextUpdate } = single;
    const status = certStatus.revoked !== undefined ? 'revoked' : certStatus.good !== undefined ? 'good' : 'unknown';
    return { der, status, thisUpdate, nextUpdate, basic };
  } catch {
    // No DER of a response.
    return undefined;
  }
}

/** Whether the response is as new as it says. */
export function isCurrent({ thisUpdate, nextUpdate }: OcspResponse, now: Date): boolean {
  if (thisUpdate.getTime() > now.getTime() + CLOCK_SKEW_MS) return false;
  const endMs = nextUpdate?.getTime() ?? thisUpdate.getTime() + MAX_AGE_MS;
  return now.getTime() < endMs;
}

/**
 * Whether the issuer of the certificate has signed the response, or a responder that it delegated (RFC 6960 clause 4.2.2.2), and the
 * issuer leads to an anchor. `chain`: other certificates that may be the issuer, or be between it and an anchor.
 */
export function isAuthentic(
  { basic }: OcspResponse,
  id: CertificateId,
  chain: readonly Certificate[],
  trust: Trust,
): boolean {
  const enclosed = certificatesIn(basic);
  const others = [...chain, ...enclosed];
  try {
    return [...trust.anchors, ...others]
      .filter((issuer) => issuer.node.ca && isIssuedBy(id, issuer))
      .some((issuer) => isSignedFor(issuer, basic, enclosed, trust.now) && leadsToAnchor(issuer, others, trust));
  } catch {
    // A certificate with a key that OpenSSL does not know.
    return false;
  }
}

function isSignedFor(
  issuer: Certificate,
  basic: BasicOCSPResponse,
  enclosed: readonly Certificate[],
  now: Date,
): boolean {
  if (hasSigned(issuer.publicKey, basic)) return true;
  return enclosed.some(
    (responder) =>
      mayServeOcsp(responder) &&
      isValidAt(responder, now) &&
      isSignedBy(responder, issuer) &&
      hasSigned(responder.publicKey, basic),
  );
}

/** By its extended key usage, which Node.js calls so and leaves undefined where there is none. */
function mayServeOcsp({ node }: Certificate): boolean {
  const usages = node.keyUsage as readonly string[] | undefined;
  return usages?.includes(id_kp_OCSPSigning) ?? false;
}

function hasSigned(key: KeyObject, { tbsResponseDataRaw, signatureAlgorithm, signature }: BasicOCSPResponse): boolean {
  const digest = DIGESTS.get(signatureAlgorithm.algorithm);
  if (digest === undefined || tbsResponseDataRaw === undefined) return false;
  try {
    return verify(digest, Buffer.from(tbsResponseDataRaw), key, Buffer.from(signature));
  } catch {
    // A key of another kind than the algorithm.
    return false;
  }
}

function certificatesIn({ certs = [] }: BasicOCSPResponse): readonly Certificate[] {
  return certs.slice(0, MAX_CERTIFICATES).flatMap((certificate) => {
    try {
      return [parseCertificate(Buffer.from(AsnConvert.serialize(certificate)))];
    } catch {
      return [];
    }
  });
}
