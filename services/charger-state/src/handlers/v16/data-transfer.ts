import type { Handler } from '../handler';
import { keepEvent } from '../keep-event';

/**
 * OCPP 1.6 4.3. No vendor's extension is known to the service, so every vendor id is answered UnknownVendorId (rule 59);
 * what was sent is kept.
 */
export const dataTransfer: Handler<unknown> = {
  apply(charger, report, context) {
    keepEvent(charger, report, context);
    return { charger, answer: { status: 'UnknownVendorId' } };
  },
};
