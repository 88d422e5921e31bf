// Validates a charger's certificate signing request (PKCS #10). Pure.
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { Pkcs10CertificateRequest } from '@peculiar/x509';

export interface AcceptedRequest {
  readonly fit: true;
  readonly request: Pkcs10CertificateRequest;
  readonly commonName: string;
  readonly organization: string | undefined;
  /** Two letters. */
  readonly country: string | undefined;
}

export type RequestVerdict = AcceptedRequest | { readonly fit: false; readonly reason: string };

export interface RequestRules {
  /** The common name is the charger's id; else any plain text. */
  readonly namesCharger: boolean;
  /** The key is on this curve. Absent: any strong key. */
  readonly curve?: string;
}

const CURVES: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);
/** OCPP 1.6 security whitepaper, 4.1.2: at least 2048 bits. Checking more than the greater number costs too much. */
const RSA_BITS = { min: 2048, max: 8192 };
const HASHES: ReadonlyMap<string, string> = new Map([
  ['SHA-256', 'sha256'],
  ['SHA-384', 'sha384'],
  ['SHA-512', 'sha512'],
]);
/** The fields of the request that the certificate contains beside the charger's name. */
const ORGANIZATION = /^[\p{L}\p{N} .,&_-]{1,64}$/u;
const COUNTRY = /^[A-Z]{2}$/;
/** Identifiers of chargers for vehicles, such as `DE*ABC*E1*2`. */
const COMMON_NAME = /^[\w.:*+=@|~ -]{1,64}$/;

/** Valid when its own strong key has signed it, and it is as the rules require. */
export function judgeRequest(pem: string, chargerId: string, { namesCharger, curve }: RequestRules): RequestVerdict {
  try {
    const request = new Pkcs10CertificateRequest(pem);
    const [commonName = ''] = request.subjectName.getField('CN');
    if (namesCharger && commonName !== chargerId) return unfit('its common name is not the charger id');
    if (!namesCharger && !COMMON_NAME.test(commonName)) return unfit('its common name is not a plain text');
    const key = createPublicKey({ key: Buffer.from(request.publicKey.rawData), format: 'der', type: 'spki' });
    if (!isStrong(key)) return unfit('its key is too weak, or of a kind that is not supported');
    if (curve !== undefined && key.asymmetricKeyDetails?.namedCurve !== curve)
      return unfit(`its key is not on ${curve}`);
    if (!isSignedBy(request, key)) return unfit('it is not signed by the key that it is for');
    const plain = (name: string, pattern: RegExp) =>
      request.subjectName.getField(name).find((each) => pattern.test(each));
    return { fit: true, request, commonName, organization: plain('O', ORGANIZATION), country: plain('C', COUNTRY) };
  } catch {
    return unfit('it cannot be read');
  }
}

function unfit(reason: string): RequestVerdict {
  return { fit: false, reason };
}

function isStrong({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'ec') return CURVES.has(asymmetricKeyDetails?.namedCurve ?? '');
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  return asymmetricKeyType === 'rsa' && bits >= RSA_BITS.min && bits <= RSA_BITS.max;
}

function isSignedBy(request: Pkcs10CertificateRequest, key: KeyObject): boolean {
  // Its declared type is a browser's, which Node does not have.
  const { name, hash } = request.signatureAlgorithm as unknown as { name: string; hash: { name: string } };
  const digest = HASHES.get(hash.name);
  const isKnown = name === 'ECDSA' || name === 'RSASSA-PKCS1-v1_5';
  if (digest === undefined || !isKnown) return false;
  return verify(digest, signedPart(Buffer.from(request.rawData)), key, Buffer.from(request.signature));
}

/** The first element within the outermost one (RFC 2986 clause 4.2), as it stands there. */
function signedPart(der: Buffer): Buffer {
  const begin = elementAt(der, 0).content;
  return der.subarray(begin, elementAt(der, begin).end);
}

/** Where the content of a DER element begins and ends (X.690 clause 8.1.3). */
function elementAt(der: Buffer, at: number): { readonly content: number; readonly end: number } {
  const first = der.readUInt8(at + 1);
  if (first < 0x80) return { content: at + 2, end: at + 2 + first };
  const digits = first & 0x7f;
  const content = at + 2 + digits;
  return { content, end: content + der.readUIntBE(at + 2, digits) };
}
