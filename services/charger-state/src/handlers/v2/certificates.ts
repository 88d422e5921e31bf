// Requests for certificates (OCPP 2.0.1, A02 and M): the charger's own is signed where there is an authority; for the others nothing
// can be configured that could provide them.
import { certificateSignedOutcome } from '../shared/certificates/certificate-signed';
import { judgeSigning } from '../shared/certificates/judge-signing';
import type { CertificateMessages } from '../shared/certificates/signer';
import { storeEvent } from '../shared/store-event';
import { reportedRequest, responseOf, type CallHandler, type OutcomeHandler, type RequestOf } from './route';
import { answeredBy } from './stored-only';

type HashData = RequestOf<'GetCertificateChainStatus'>['certificateStatusRequests'][number]['certificateHashData'];

/** The time after which a charger may ask again for the status of a certificate. */
const NEXT_UPDATE_MS = 3_600_000;
const HASH_ALGORITHMS = ['SHA256', 'SHA384', 'SHA512'];
const MAX_SERIAL = 40;

/** A contract certificate needs a provider. */
export const get15118EVCertificate = answeredBy<'Get15118EVCertificate'>(() => ({ status: 'Failed', exiResponse: '' }));

export const getCertificateStatus = answeredBy<'GetCertificateStatus'>(() => ({ status: 'Failed' }));

export const getCertificateChainStatus = answeredBy<'GetCertificateChainStatus'>(
  ({ certificateStatusRequests }, receivedAt) => ({
    certificateStatus: certificateStatusRequests.map(({ certificateHashData, source }) => ({
      certificateHashData: standardHashData(certificateHashData),
      source: source === 'CRL' ? source : 'OCSP',
      status: 'Failed',
      nextUpdate: new Date(Date.parse(receivedAt) + NEXT_UPDATE_MS).toISOString(),
    })),
  }),
);

/** A tolerated value of the charger's must not return to it: its own schema may refuse it. */
function standardHashData({ hashAlgorithm, serialNumber, issuerNameHash, issuerKeyHash }: HashData): HashData {
  return {
    hashAlgorithm: HASH_ALGORITHMS.includes(hashAlgorithm) ? hashAlgorithm : 'SHA256',
    issuerNameHash,
    issuerKeyHash,
    serialNumber: serialNumber.slice(0, MAX_SERIAL),
  };
}

const CHARGER_CERTIFICATE = 'ChargingStationCertificate';

/** OCPP 2.0.1, A02. Stores the request, and accepts one of the charger's own certificate that will be signed (rules 161 and 162). */
export function signCertificateBy(hasAuthority: boolean): CallHandler<'SignCertificate'> {
  return {
    apply(charger, report, context) {
      storeEvent(charger, report, context);
      const { csr, certificateType = CHARGER_CERTIFICATE } = report.payload;
      const isOwn = certificateType === CHARGER_CERTIFICATE;
      return { charger, answer: { status: judgeSigning(charger, csr, hasAuthority && isOwn) } };
    },
  };
}

export const certificateSigned: OutcomeHandler<'CertificateSigned'> = certificateSignedOutcome(
  ({ certificateType }) => certificateType ?? null,
);

export const certificateMessages: CertificateMessages = {
  attempts: 3,
  requestIn(report) {
    const request = reportedRequest('SignCertificate', report);
    if (request === undefined) return undefined;
    const { csr, requestId } = request;
    const signed = (certificateChain: string): RequestOf<'CertificateSigned'> => ({
      certificateChain,
      certificateType: CHARGER_CERTIFICATE,
      ...(requestId !== undefined && { requestId }),
    });
    return { csr, signed };
  },
  statusIn: (outcome) => responseOf('CertificateSigned', outcome)?.status,
};
