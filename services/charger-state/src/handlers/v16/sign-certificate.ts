import type { Handler } from '../handler';
import { keepEvent } from '../keep-event';

/**
 * OCPP 1.6 security whitepaper, 5.9. Without a certificate authority of its own the service signs nothing: the request is
 * kept and Rejected, which the whitepaper gives for that.
 */
export const signCertificate: Handler<unknown> = {
  apply(charger, report, context) {
    keepEvent(charger, report, context);
    return { charger, answer: { status: 'Rejected' } };
  },
};
