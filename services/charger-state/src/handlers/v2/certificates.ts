// Requests for certificates (OCPP 2.0.1, A02): each type is signed where there is an authority for it.
import type { Authorities } from '../shared/certificates/authorities';
import { certificateSignedOutcome } from '../shared/certificates/certificate-signed';
import { judgeSigning } from '../shared/certificates/judge-signing';
import { profileOf } from '../shared/certificates/profiles';
import type { CertificateMessages } from '../shared/certificates/signer';
import { storeEvent } from '../shared/store-event';
import { reportedRequest, responseOf, type CallHandler, type OutcomeHandler, type RequestOf } from './route';

/** OCPP 2.0.1, A02. Stores the request, and accepts one that will be signed (rules 161 and 162). */
export function signCertificateBy(authorities: Authorities): CallHandler<'SignCertificate'> {
  return {
    apply(charger, report, context) {
      storeEvent(charger, report, context);
      const { csr, certificateType } = report.payload;
      const profile = profileOf(certificateType);
      const signable = profile && authorities[profile.type] && profile;
      return { charger, answer: { status: judgeSigning(charger, csr, signable) } };
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
    const type = profileOf(request?.certificateType)?.type;
    if (request === undefined || type === undefined) return undefined;
    const { csr, requestId } = request;
    const signed = (certificateChain: string): RequestOf<'CertificateSigned'> => ({
      certificateChain,
      certificateType: type,
      ...(requestId !== undefined && { requestId }),
    });
    return { type, csr, signed };
  },
  statusIn: (outcome) => responseOf('CertificateSigned', outcome)?.status,
};
