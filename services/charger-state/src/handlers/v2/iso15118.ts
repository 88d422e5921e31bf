// Contracts of ISO 15118 and the status of certificates (OCPP 2.0.1, C07, M01, M02 and M06; 2.1, M07). services/push found out what the
// gateway put into the envelope.
import type { CertificateFinding, CertificateStatusFinding } from '@busbar/contracts';
import type { Report } from '../../pipeline/contract';
import { answeredBy } from './stored-only';
import type { RequestOf, ResponseOf } from './route';

type HashData = RequestOf<'GetCertificateChainStatus'>['certificateStatusRequests'][number]['certificateHashData'];
type ChainStatus = ResponseOf<'GetCertificateChainStatus'>['certificateStatus'][number]['status'];

/** The time after which a charger may ask again for the status of a certificate. */
const NEXT_UPDATE_MS = 3_600_000;
const HASH_ALGORITHMS = ['SHA256', 'SHA384', 'SHA512'];
const MAX_SERIAL = 40;
/** Characters of the fields of base64 in the answers. */
const LIMITS = {
  'ocpp2.0.1': { exiResponse: 7_500, ocspResult: 5_500 },
  'ocpp2.1': { exiResponse: 17_000, ocspResult: 18_000 },
} as const;

const STATUSES = {
  good: 'Good',
  revoked: 'Revoked',
  unknown: 'Unknown',
  failed: 'Failed',
} as const satisfies Record<CertificateStatusFinding['status'], ChainStatus>;

type AuthorizeStatus = NonNullable<ResponseOf<'Authorize'>['certificateStatus']>;

const TRUST = {
  accepted: 'Accepted',
  revoked: 'CertificateRevoked',
  expired: 'CertificateExpired',
  signature_error: 'SignatureError',
  chain_error: 'CertChainError',
  unavailable: 'NoCertificateAvailable',
} as const satisfies Record<Extract<CertificateFinding, { kind: 'trust' }>['verdict'], AuthorizeStatus>;

/** Rule 165. Undefined for a token without certificates. */
export function certificateStatusOf({
  payload,
  certificates,
}: Pick<Report<RequestOf<'Authorize'>>, 'certificates' | 'payload'>): AuthorizeStatus | undefined {
  if (payload.certificate === undefined && payload.iso15118CertificateHashData === undefined) return undefined;
  return certificates?.kind === 'trust' ? TRUST[certificates.verdict] : 'NoCertificateAvailable';
}

/** Rule 164. */
export const get15118EVCertificate = answeredBy<'Get15118EVCertificate'>(({ certificates, ocppVersion }) => {
  if (certificates?.kind !== 'contract' || certificates.exiResponse.length > limitsOf(ocppVersion).exiResponse)
    return { status: 'Failed', exiResponse: '' };
  const { exiResponse, remainingContracts } = certificates;
  const isCounted = remainingContracts !== undefined && ocppVersion === 'ocpp2.1';
  return { status: 'Accepted', exiResponse, ...(isCounted && { remainingContracts }) };
});

/** Rule 164. */
export const getCertificateStatus = answeredBy<'GetCertificateStatus'>(({ certificates, ocppVersion }) => {
  if (certificates?.kind !== 'response' || certificates.response.length > limitsOf(ocppVersion).ocspResult)
    return { status: 'Failed' };
  return { status: 'Accepted', ocspResult: certificates.response };
});

/** Rule 164. */
export const getCertificateChainStatus = answeredBy<'GetCertificateChainStatus'>(
  ({ payload, certificates, receivedAt }) => {
    const findings = certificates?.kind === 'statuses' ? certificates.statuses : [];
    const inAnHour = new Date(Date.parse(receivedAt) + NEXT_UPDATE_MS).toISOString();
    return {
      certificateStatus: payload.certificateStatusRequests.map(({ certificateHashData, source }, index) => ({
        certificateHashData: standardHashData(certificateHashData),
        source: source === 'CRL' ? source : 'OCSP',
        status: STATUSES[findings[index]?.status ?? 'failed'],
        nextUpdate: findings[index]?.nextUpdate ?? inAnHour,
      })),
    };
  },
);

function limitsOf(ocppVersion: string) {
  return LIMITS[ocppVersion === 'ocpp2.1' ? 'ocpp2.1' : 'ocpp2.0.1'];
}

/** A tolerated value of the charger's must not return to it: its own schema may refuse it. */
function standardHashData({ hashAlgorithm, serialNumber, issuerNameHash, issuerKeyHash }: HashData): HashData {
  return {
    hashAlgorithm: HASH_ALGORITHMS.includes(hashAlgorithm) ? hashAlgorithm : 'SHA256',
    issuerNameHash,
    issuerKeyHash,
    serialNumber: serialNumber.slice(0, MAX_SERIAL),
  };
}
