import type { CertificateMessages } from '../shared/certificates/signer';
import { certificateSignedOutcome } from '../shared/certificates/certificate-signed';
import { judgeSigning } from '../shared/certificates/judge-signing';
import { PROFILES } from '../shared/certificates/profiles';
import { storeEvent } from '../shared/store-event';
import { reportedRequest, responseOf, type CallHandler, type OutcomeHandler, type RequestOf } from './route';

const OWN = PROFILES.ChargingStationCertificate;

/** OCPP 1.6 security whitepaper, 5.9. Stores the request, and accepts one that will be signed. */
export function signCertificateBy(hasAuthority: boolean): CallHandler<'SignCertificate'> {
  const profile = hasAuthority ? OWN : undefined;
  return {
    apply(charger, report, context) {
      storeEvent(charger, report, context);
      return { charger, answer: { status: judgeSigning(charger, report.payload.csr, profile) } };
    },
  };
}

export const certificateSigned: OutcomeHandler<'CertificateSigned'> = certificateSignedOutcome();

export const certificateMessages: CertificateMessages = {
  attempts: 1,
  requestIn(report) {
    const request = reportedRequest('SignCertificate', report);
    const signed = (certificateChain: string): RequestOf<'CertificateSigned'> => ({ certificateChain });
    return request && { type: OWN.type, csr: request.csr, signed };
  },
  statusIn: (outcome) => responseOf('CertificateSigned', outcome)?.status,
};
