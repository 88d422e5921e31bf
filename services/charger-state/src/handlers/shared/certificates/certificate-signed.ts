// The result of CertificateSigned, in any version.
import type { Handler } from '../../../pipeline/contract';
import { outcomeName } from '../../../feed/command-outcome';
import { storeEvent } from '../store-event';
import type { TypedOutcome } from '../typed-routes';

/**
 * Stores an event and emits it in the feed where the charger did not accept the certificate: it rejected it, answered a CALLERROR,
 * or did not answer (rule 161). `typeOf`: the type of the certificate, null where the version has none.
 */
export function certificateSignedOutcome<Request, Response>(
  typeOf: (request: Request) => string | null = () => null,
): Handler<TypedOutcome<Request, Response>> {
  return {
    apply(charger, report, context) {
      const { request, result, status } = report.payload;
      if (status === 'Accepted') return { charger };
      const payload = {
        outcome: outcomeName(result),
        certificateType: request === undefined ? null : typeOf(request),
      };
      storeEvent(charger, { ...report, payload }, context);
      context.events.emit('charger.certificate_refused', payload);
      return { charger };
    },
  };
}
