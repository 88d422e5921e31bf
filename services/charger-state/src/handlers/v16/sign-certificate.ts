import { storeEvent } from '../shared/store-event';
import { judgeRequest } from './certificates/signing-request';
import type { CallHandler } from './route';

/**
 * OCPP 1.6 security whitepaper, 5.9. Stores the request. Accepts it where there is an authority, the request is valid,
 * and the charger authenticates. A certificate must not prove more than the credentials by which it was requested.
 */
export function signCertificateBy(hasAuthority: boolean): CallHandler<'SignCertificate'> {
  return {
    apply(charger, report, context) {
      storeEvent(charger, report, context);
      const { securityProfile, passwordHash } = charger.registered.authentication;
      const authenticates = securityProfile === 3 || passwordHash !== null;
      const isAccepted = hasAuthority && authenticates && judgeRequest(report.payload.csr, charger.chargerId).fit;
      return { charger, answer: { status: isAccepted ? 'Accepted' : 'Rejected' } };
    },
  };
}
