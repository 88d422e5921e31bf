import { judgeRequest } from './certificates/signing-request';
import type { Handler } from '../handler';
import { keepEvent } from '../shared/keep-event';

interface SignCertificate {
  readonly csr: string;
}

/**
 * OCPP 1.6 security whitepaper, 5.9: the request is kept. Accepted where there is an authority to sign it, the request is fit,
 * and the charger has to prove who it is: a certificate must not be worth more than what it was got with.
 */
export const signCertificate: Handler<SignCertificate> = {
  apply(charger, report, context) {
    keepEvent(charger, report, context);
    const { securityProfile, passwordHash } = charger.registered.authentication;
    const isKnown = securityProfile === 3 || passwordHash !== null;
    const isAccepted =
      context.signsCertificates === true && isKnown && judgeRequest(report.payload.csr, charger.chargerId).fit;
    return { charger, answer: { status: isAccepted ? 'Accepted' : 'Rejected' } };
  },
};
