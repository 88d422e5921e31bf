// A certificate by the hashes of its issuer and its serial number, as OCPP and RFC 6960 name it.
import { createHash } from 'node:crypto';
import { CertID } from '@peculiar/asn1-ocsp';
import { OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import type { CertificateStatusRequest } from '@busbar/contracts';
import type { Certificate } from './certificate';

export interface CertificateId {
  readonly algorithm: HashAlgorithm;
  readonly issuerNameHash: Buffer;
  readonly issuerKeyHash: Buffer;
  /** Big-endian and positive, without leading zeros. */
  readonly serialNumber: Buffer;
}

type HashAlgorithm = (typeof ALGORITHMS)[number];

const ALGORITHMS = [
  { name: 'SHA256', digest: 'sha256', bytes: 32, oid: '2.16.840.1.101.3.4.2.1' },
  { name: 'SHA384', digest: 'sha384', bytes: 48, oid: '2.16.840.1.101.3.4.2.2' },
  { name: 'SHA512', digest: 'sha512', bytes: 64, oid: '2.16.840.1.101.3.4.2.3' },
] as const;
/** RFC 5280 clause 4.1.2.2 allows 20 bytes, which is the 40 digits of OCPP. */
const MAX_SERIAL_BYTES = 20;

/** Undefined for what is no such name: an unknown algorithm, a hash of another length, no hexadecimal digits. */
export function certificateIdOf(request: Omit<CertificateStatusRequest, 'urls'>): CertificateId | undefined {
  const algorithm = ALGORITHMS.find(({ name }) => name === request.hashAlgorithm);
  const serialNumber = withoutZeros(bytesOf(request.serialNumber));
  const issuerNameHash = bytesOf(request.issuerNameHash);
  const issuerKeyHash = bytesOf(request.issuerKeyHash);
  if (algorithm === undefined || serialNumber.length === 0 || serialNumber.length > MAX_SERIAL_BYTES) return undefined;
  if (issuerNameHash.length !== algorithm.bytes || issuerKeyHash.length !== algorithm.bytes) return undefined;
  return { algorithm, issuerNameHash, issuerKeyHash, serialNumber };
}

/** The question about a certificate of this issuer, to the responders that the certificate names. */
export function statusRequestOf({ node, responderUrls }: Certificate, issuer: Certificate): CertificateStatusRequest {
  const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  return {
    hashAlgorithm: 'SHA256',
    issuerNameHash: hash(issuer.subject),
    issuerKeyHash: hash(issuer.publicKeyBits),
    serialNumber: node.serialNumber,
    urls: responderUrls,
  };
}

/** A text that is equal for equal names. */
export function keyOf({ algorithm, issuerNameHash, issuerKeyHash, serialNumber }: CertificateId): string {
  return [
    algorithm.name,
    ...[issuerNameHash, issuerKeyHash, serialNumber].map((bytes) => bytes.toString('hex')),
  ].join();
}

/** For a request to a responder. */
export function asCertId({ algorithm, issuerNameHash, issuerKeyHash, serialNumber }: CertificateId): CertID {
  const isNegative = (serialNumber[0] ?? 0) >= 0x80;
  return new CertID({
    hashAlgorithm: new AlgorithmIdentifier({ algorithm: algorithm.oid, parameters: null }),
    issuerNameHash: new OctetString(issuerNameHash),
    issuerKeyHash: new OctetString(issuerKeyHash),
    serialNumber: exactBuffer(isNegative ? Buffer.concat([Buffer.of(0), serialNumber]) : serialNumber),
  });
}

/** Whether a response of a responder is about this certificate. */
export function isNamedBy(
  id: CertificateId,
  { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber }: CertID,
): boolean {
  return (
    hashAlgorithm.algorithm === id.algorithm.oid &&
    id.issuerNameHash.equals(Buffer.from(issuerNameHash.buffer)) &&
    id.issuerKeyHash.equals(Buffer.from(issuerKeyHash.buffer)) &&
    id.serialNumber.equals(withoutZeros(Buffer.from(serialNumber)))
  );
}

/** Whether this certificate is the issuer that the hashes name. */
export function isIssuedBy({ algorithm, issuerNameHash, issuerKeyHash }: CertificateId, issuer: Certificate): boolean {
  const hash = (bytes: Buffer): Buffer => createHash(algorithm.digest).update(bytes).digest();
  return hash(issuer.subject).equals(issuerNameHash) && hash(issuer.publicKeyBits).equals(issuerKeyHash);
}

/** Empty where the text has other characters than hexadecimal digits. */
function bytesOf(text: string): Buffer {
  const even = text.length % 2 === 0 ? text : `0${text}`;
  const bytes = Buffer.from(even, 'hex');
  return bytes.length * 2 === even.length ? bytes : Buffer.alloc(0);
}

function withoutZeros(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? bytes.subarray(0, Math.min(1, bytes.length)) : bytes.subarray(first);
}

function exactBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
