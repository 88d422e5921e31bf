// The certificates of a simulated charger: roots that it is given and lists by their hashes, and its own, which it requests when it is
// triggered. It uses none of them.
import { createHash, X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate as AsnCertificate } from '@peculiar/asn1-x509';
import { createSigningRequest } from '@busbar/testing';
import type { CertificateHashData, InstalledCertificate } from '../charger/charger-state';
import type { ActionHandlers2, Control2 } from './action-handler';

const MAX_CERTIFICATES = 20;

export const certificateActions: ActionHandlers2 = {
  /** OCPP 2.0.1, M05. What is no certificate that its issuer signs, or one too many, is Rejected. */
  InstallCertificate({ state }, { certificate, certificateType: type }) {
    const hashData = hashDataOf(certificate);
    if (hashData === undefined) return { answer: { status: 'Rejected' } };
    const others = state.certificates.filter((each) => each.type !== type || !isSame(each.hashData, hashData));
    if (others.length >= MAX_CERTIFICATES) return { answer: { status: 'Rejected' } };
    state.certificates = [...others, { type, hashData }];
    return { answer: { status: 'Accepted' } };
  },

  /** M04. */
  DeleteCertificate({ state }, { certificateHashData }) {
    const left = state.certificates.filter(({ hashData }) => !isSame(hashData, certificateHashData));
    const isKnown = left.length < state.certificates.length;
    state.certificates = left;
    return { answer: { status: isKnown ? 'Accepted' : 'NotFound' } };
  },

  /** M03. */
  GetInstalledCertificateIds({ state }, { certificateType: types }) {
    const found = state.certificates.filter(({ type }) => types?.includes(type) ?? true);
    if (found.length === 0) return { answer: { status: 'NotFound' } };
    const certificateHashDataChain = found.map(({ type: certificateType, hashData: certificateHashData }) => {
      return { certificateType, certificateHashData };
    });
    return { answer: { status: 'Accepted', certificateHashDataChain } };
  },

  /** A02: of its own request alone. */
  CertificateSigned({ state }, { certificateChain, certificateType, requestId = state.certificateRequest }) {
    const isAsked = state.certificateRequest !== undefined && requestId === state.certificateRequest;
    const isOwn = (certificateType ?? 'ChargingStationCertificate') === 'ChargingStationCertificate';
    if (!isAsked || !isOwn || parsed(certificateChain) === undefined) return { answer: { status: 'Rejected' } };
    state.certificateRequest = undefined;
    return { answer: { status: 'Accepted' } };
  },
};

/** Sends SignCertificate (A02). */
export async function requestCertificate({ chargerId, state, translation }: Control2): Promise<void> {
  const { csr } = await createSigningRequest(chargerId);
  state.certificateRequests += 1;
  const requestId = state.certificateRequests;
  state.certificateRequest = requestId;
  // 2.0.1 has no number of the request.
  const numbered = translation.version === 'ocpp2.1' ? { requestId } : {};
  const certificateType = 'ChargingStationCertificate';
  const answer = await translation.ask('SignCertificate', { csr, certificateType, ...numbered });
  if (answer?.['status'] !== 'Accepted' && state.certificateRequest === requestId) state.certificateRequest = undefined;
}

/** Undefined for what is no certificate, and for one of another issuer, whose key is not to be had. */
function hashDataOf(pem: string): InstalledCertificate['hashData'] | undefined {
  const node = parsed(pem);
  if (node?.checkIssued(node) !== true) return undefined;
  const { issuer, subjectPublicKeyInfo } = AsnConvert.parse(node.raw, AsnCertificate).tbsCertificate;
  return {
    hashAlgorithm: 'SHA256',
    issuerNameHash: sha256(AsnConvert.serialize(issuer)),
    issuerKeyHash: sha256(subjectPublicKeyInfo.subjectPublicKey),
    serialNumber: node.serialNumber.toLowerCase().replace(/^0+(?=.)/, ''),
  };
}

function parsed(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function sha256(bytes: ArrayBuffer): string {
  return createHash('sha256').update(Buffer.from(bytes)).digest('hex');
}

/** Hexadecimal digits count in either case. */
function isSame(one: CertificateHashData, other: CertificateHashData): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf({ hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber }: CertificateHashData): string {
  return [hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber].join().toLowerCase();
}
