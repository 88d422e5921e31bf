// Requests for certificates (OCPP 2.0.1, A02): the charger's own is signed where there is an authority.
import { certificateSignedOutcome } from '../shared/certificates/certificate-signed';
import { judgeSigning } from '../shared/certificates/judge-signing';
import type { CertificateMessages } from '../shared/certificates/signer';
import { storeEvent } from '../shared/store-event';
import { reportedRequest, responseOf, type CallHandler, type OutcomeHandler, type RequestOf } from './route';

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
