import type { CertificateMessages } from '../shared/certificates/signer';
import { certificateSignedOutcome } from '../shared/certificates/certificate-signed';
import { judgeSigning } from '../shared/certificates/judge-signing';
import { storeEvent } from '../shared/store-event';
import { reportedRequest, responseOf, type CallHandler, type OutcomeHandler, type RequestOf } from './route';

/** OCPP 1.6 security whitepaper, 5.9. Stores the request, and accepts one that will be signed. */
export function signCertificateBy(hasAuthority: boolean): CallHandler<'SignCertificate'> {
  return {
    apply(charger, report, context) {
      storeEvent(charger, report, context);
      return { charger, answer: { status: judgeSigning(charger, report.payload.csr, hasAuthority) } };
    },
  };
}

export const certificateSigned: OutcomeHandler<'CertificateSigned'> = certificateSignedOutcome();

export const certificateMessages: CertificateMessages = {
  attempts: 1,
  requestIn(report) {
    const request = reportedRequest('SignCertificate', report);
    const signed = (certificateChain: string): RequestOf<'CertificateSigned'> => ({ certificateChain });
    return request && { csr: request.csr, signed };
  },
  statusIn: (outcome) => responseOf('CertificateSigned', outcome)?.status,
};
